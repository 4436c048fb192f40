//! Networks: their parameters as arrays and in files, and their evaluations of positions.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use numpy::{
    PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArray4, PyReadonlyArrayDyn,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use wurfel_agents::readers;
use wurfel_core::files::{FileError, write_whole};
use wurfel_net::{Architecture, Inference, Model, NamedArray, Threaded};

use crate::arrays;
use crate::error::{failed, refused, wrong};
use crate::interrupt::at_once;
use crate::numbers;
use crate::threads::count;

/// The counter that `PyTorch` stores beside the parameters. No result depends on it, and files do
/// not contain it.
const COUNTER: &str = ".num_batches_tracked";

/// A policy-value network: its architecture, the name of its encoding, and its parameters.
///
/// `Network(architecture, encoding, arrays)` makes a network from arrays that have the names and
/// shapes which `PyTorch` gives them. So
/// `Network(…, {name: array.numpy() for name, array in module.state_dict().items()})` takes the
/// parameters of a module, and `module.load_state_dict` takes the `arrays()`, each converted by
/// `torch.from_numpy`. `Network.read(path)` reads a network from a file. `Network.of_game(name)` is the network with which agents of a game
/// play when their spec names none.
#[pyclass(frozen, module = "wurfel")]
pub struct Network {
    model: Model,
    /// The network prepared for inference; `None` until it is first used.
    inference: Mutex<Option<Threaded>>,
}

impl Network {
    const fn new(model: Model) -> Self {
        Self { model, inference: Mutex::new(None) }
    }
}

/// The architecture that a dictionary describes, read by way of its JSON text.
fn described(py: Python<'_>, architecture: &Bound<'_, PyAny>) -> PyResult<Architecture> {
    let text: String = py.import("json")?.call_method1("dumps", (architecture,))?.extract()?;
    serde_json::from_str(&text).map_err(|error| {
        // The place in the error refers to a text that the user has not written, so it is removed.
        let error = error.to_string();
        wrong(format!("architecture: {}", error.split(" at line ").next().unwrap_or_default()))
    })
}

fn named(name: String, array: &Bound<'_, PyAny>) -> PyResult<NamedArray> {
    let Ok(array) = array.extract::<PyReadonlyArrayDyn<'_, f32>>() else {
        return Err(wrong(format!("{name}: expected a NumPy array of float32")));
    };
    let numbers = array.as_array().iter().copied().collect();
    Ok(NamedArray { name, shape: array.shape().to_vec(), numbers })
}

#[pymethods]
impl Network {
    #[new]
    fn of(
        py: Python<'_>,
        architecture: &Bound<'_, PyAny>,
        encoding: &str,
        arrays: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let architecture = described(py, architecture)?;
        let mut list = vec![];
        for (name, array) in arrays {
            let name: String =
                name.extract().map_err(|_| wrong("arrays: expected a name for each array"))?;
            if !name.ends_with(COUNTER) {
                list.push(named(name, &array)?);
            }
        }
        let model = Model::from_arrays(architecture, encoding, &list).map_err(wrong)?;
        readers(&model).map_err(wrong)?;
        Ok(Self::new(model))
    }

    /// Reads a network from the bytes of a file.
    ///
    /// Raises `ValueError` when they are not a network or are damaged.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        Model::from_bytes(bytes).map(Self::new).map_err(wrong)
    }

    /// Reads a network from a file.
    ///
    /// Raises `ValueError` when the file is not a network or is damaged, and `OSError` when it
    /// cannot be read.
    #[staticmethod]
    fn read(path: PathBuf) -> PyResult<Self> {
        let bytes = std::fs::read(&path).map_err(refused(&path))?;
        Model::from_bytes(&bytes).map(Self::new).map_err(wrong)
    }

    /// The network with which agents of a game play when their spec names none.
    ///
    /// Raises `ValueError` when the game has no network of its own.
    #[staticmethod]
    fn of_game(game: &str) -> PyResult<Self> {
        let bytes = wurfel::game(game).map_err(wrong)?.facts().network;
        let none = || wrong(format!("game '{game}': expected one with a network of its own"));
        Model::from_bytes(bytes.ok_or_else(none)?).map(Self::new).map_err(failed)
    }

    /// Writes the network and its checksum to a file; an existing file of this name is replaced as
    /// a whole.
    ///
    /// Agents use the file with the spec `alphazero:net=FILE`.
    fn write(&self, path: PathBuf) -> PyResult<()> {
        let bytes = self.model.to_bytes().map_err(failed)?;
        write_whole(&path, bytes).map_err(|error| match error {
            FileError::Io { path, error } => refused(&path)(error),
            error @ FileError::InUse(_) => failed(error),
        })
    }

    /// The bytes of the network's file, checksum included.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.model.to_bytes().map_err(failed)?))
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((py.get_type::<Self>().getattr("from_bytes")?, (self.to_bytes(py)?,)))
    }

    /// The name of the encoding that the network reads.
    #[getter]
    fn encoding(&self) -> &str {
        self.model.encoding()
    }

    /// The architecture, in the form of the entry `architecture` of a network file.
    #[getter]
    fn architecture<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let text = serde_json::to_string(self.model.architecture()).map_err(failed)?;
        py.import("json")?.call_method1("loads", (text,))
    }

    /// The checksum of architecture, encoding and parameters: sixteen hexadecimal digits.
    #[getter]
    fn checksum(&self) -> String {
        format!("{:016x}", self.model.checksum())
    }

    /// All parameters by name, as new arrays of `float32`.
    fn arrays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let arrays = PyDict::new(py);
        for NamedArray { name, shape, numbers } in self.model.arrays() {
            let array: Bound<'py, PyArrayDyn<f32>> =
                PyArray1::from_vec(py, numbers).reshape(shape)?;
            arrays.set_item(name, array)?;
        }
        Ok(arrays)
    }

    /// Evaluates encoded positions: returns logits of shape `(positions, moves)`, also for illegal
    /// moves, and values of shape `(positions,)` for the side to move, -1 to 1.
    ///
    /// `planes` are `float32` of shape `(positions, planes, rows, columns)`, as `encode` returns
    /// them. Large batches are computed on `threads` (all CPUs by default); the results are the
    /// same on any number of threads.
    #[pyo3(signature = (planes, threads=None))]
    #[expect(clippy::type_complexity, reason = "two arrays")]
    fn infer<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = arrays::planes)] planes: PyReadonlyArray4<'py, f32>,
        #[pyo3(from_py_with = numbers::threads)] threads: Option<usize>,
    ) -> PyResult<(Bound<'py, PyArray2<f32>>, Bound<'py, PyArray1<f32>>)> {
        let threads = count(threads)?;
        let Architecture { board, planes: depth, moves, .. } = *self.model.architecture();
        let shape = planes.shape();
        if shape[1..] != [depth, board, board] {
            return Err(wrong(format!(
                "planes of shape {shape:?}: expected [positions, {depth}, {board}, {board}]"
            )));
        }
        let numbers: Vec<f32> = planes.as_array().iter().copied().collect();
        let positions = shape[0];
        // ReLU would turn NaN into 0, and the answer would look valid.
        if let Some(place) = numbers.iter().position(|number| !number.is_finite()) {
            let (position, number) = (place / (depth * board * board), numbers[place]);
            return Err(wrong(format!(
                "planes of position {position}: expected finite numbers, found {number}"
            )));
        }
        let (logits, values) = at_once(py, || {
            let (mut logits, mut values) = (vec![0.0; positions * moves], vec![0.0; positions]);
            let mut prepared = self.inference.lock().unwrap_or_else(PoisonError::into_inner);
            let inference =
                prepared.get_or_insert_with(|| Threaded::new(Inference::new(&self.model)));
            inference.infer(threads, &numbers, &mut logits, &mut values);
            (logits, values)
        })?;
        let logits = PyArray1::from_vec(py, logits).reshape([positions, moves])?;
        Ok((logits, PyArray1::from_vec(py, values)))
    }

    fn __repr__(&self) -> String {
        let (encoding, size) = (self.model.encoding(), self.model.size());
        format!("Network('{encoding}', {size} parameters, checksum {})", self.checksum())
    }
}
