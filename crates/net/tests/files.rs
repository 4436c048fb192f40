//! Network files: writing, reading and refusing them, and how other programs read them.
#![allow(clippy::unwrap_used, reason = "a failure ends the test")]

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use wurfel_core::Random;
use wurfel_net::{Architecture, Forward, Inference, Model, NamedArray, NetworkShape};

fn small() -> Architecture {
    Architecture::paper(5, 4, 10).with_tower(16, 1, 1)
}

fn file() -> Vec<u8> {
    Model::new(small(), "toy", &mut Random::new(1)).unwrap().to_bytes().unwrap()
}

/// The file with its metadata and arrays changed.
fn changed(card: impl Fn(&str) -> String, array: impl Fn(&str, &mut Vec<u8>)) -> Vec<u8> {
    let bytes = file();
    let (_, header) = SafeTensors::read_metadata(&bytes).unwrap();
    let old = &header.metadata().as_ref().unwrap()["wurfel"];
    let tensors = SafeTensors::deserialize(&bytes).unwrap();
    let arrays: Vec<(String, Vec<usize>, Vec<u8>)> = tensors
        .iter()
        .map(|(name, view)| {
            let mut data = view.data().to_vec();
            array(name, &mut data);
            (name.to_owned(), view.shape().to_vec(), data)
        })
        .collect();
    let views = arrays.iter().map(|(name, shape, data)| {
        (name, TensorView::new(Dtype::F32, shape.clone(), data).unwrap())
    });
    let metadata = HashMap::from([("wurfel".to_owned(), card(old))]);
    safetensors::serialize(views, Some(metadata)).unwrap()
}

fn refused(bytes: &[u8]) -> String {
    let error = Model::from_bytes(bytes).unwrap_err().to_string();
    assert_eq!(error.lines().count(), 1, "{error}");
    error
}

#[test]
fn a_network_survives_its_file() {
    let model = Model::new(small(), "toy", &mut Random::new(1)).unwrap();
    let bytes = model.to_bytes().unwrap();
    assert_eq!(bytes, model.to_bytes().unwrap());
    assert_eq!(Model::from_bytes(&bytes).unwrap(), model);
    assert_eq!(model.encoding(), "toy");
}

/// A network with scales for inference in eight bits.
fn quantised() -> Model {
    let mut random = Random::new(1);
    let mut model = Model::new(small(), "toy", &mut random).unwrap();
    let planes: Vec<f32> = (0..30 * 4 * 25).map(|_| random.below(3) as f32 - 1.0).collect();
    model.quantise(&planes);
    model
}

#[test]
fn a_network_survives_its_file_with_its_scales() {
    let model = quantised();
    let bytes = model.to_bytes().unwrap();
    assert_eq!(bytes, model.to_bytes().unwrap());
    let read = Model::from_bytes(&bytes).unwrap();
    assert!(read == model && read.int8_scales().is_some());
    // The scales change nothing else: neither the checksum nor what programs read that do not know them.
    let plain = model.clone().without_int8_scales();
    assert_eq!(model.checksum(), plain.checksum());
    assert!(plain.to_bytes().unwrap() == file());
}

/// The file of a network with scales, with another description.
fn with_scales(from: &str, to: &str) -> Vec<u8> {
    let bytes = quantised().to_bytes().unwrap();
    let (_, header) = SafeTensors::read_metadata(&bytes).unwrap();
    let card = &header.metadata().as_ref().unwrap()["wurfel"];
    assert!(card.contains(from), "{card}");
    let metadata = HashMap::from([("wurfel".to_owned(), card.replacen(from, to, 1))]);
    let tensors = SafeTensors::deserialize(&bytes).unwrap();
    safetensors::serialize(tensors.tensors(), Some(metadata)).unwrap()
}

#[test]
fn damaged_scales_are_refused_in_one_line() {
    let levels = "{\"levels\":1.0,\"signed\":true}";
    let refuses = |from: &str, to: &str, why: &str| {
        let error = refused(&with_scales(from, to));
        assert!(error.contains(why), "{error}");
    };
    refuses(levels, "{\"levels\":2.0,\"signed\":true}", "int8: its checksum does not agree");
    refuses(levels, "{\"levels\":0.0,\"signed\":true}", "int8: a scale is 0, not a number above 0");
    refuses(levels, "{\"levels\":-1.0,\"signed\":true}", "int8: a scale is -1, not a number above");
    refuses(levels, "{\"levels\":1e99,\"signed\":true}", "number out of range");
    refuses(levels, "{\"levels\":1.0}", "missing field `signed`");
    refuses(levels, &format!("{levels},{levels}"), "int8: 5 inputs, not 4");
    refuses("\"steps\":[", "\"steps\":[1.0,", "int8: 4 steps, not 3");
    refuses("\"corrections\":[", "\"corrections\":[[],", "int8: 5 lists of corrections, not 4");
    refuses("\"corrections\":[[", "\"corrections\":[[0.5,", "17 corrections of layer 0, not 16");
}

#[test]
fn files_of_earlier_versions_keep_their_checksums() {
    let fixtures = [
        ("net5", 0x23f4_5285_ff78_03b2),
        ("net5spatial", 0xea45_7c46_380c_5156),
        ("net8", 0xa93f_2b4f_78bb_5cdb),
    ];
    for (name, checksum) in fixtures {
        let path = Path::new("tests/fixtures").join(name).with_extension("safetensors");
        let model = Model::from_bytes(&std::fs::read(path).unwrap()).unwrap();
        assert_eq!(model.checksum(), checksum, "{name}");
    }
}

#[test]
fn the_networks_of_the_program_are_written_as_they_were() {
    for name in ["einstein-net", "dicechess-net"] {
        let path = Path::new("../games/nets").join(name).with_extension("safetensors");
        let bytes = std::fs::read(path).unwrap();
        assert!(Model::from_bytes(&bytes).unwrap().to_bytes().unwrap() == bytes, "{name}");
    }
}

#[test]
fn a_network_comes_back_from_its_arrays_in_any_order() {
    let model = Model::new(small(), "toy", &mut Random::new(1)).unwrap();
    let mut arrays = model.arrays();
    assert_eq!(
        (arrays[0].name.as_str(), arrays[0].shape.as_slice()),
        ("tower.0.conv.weight", &[16, 4, 3, 3][..])
    );
    assert_eq!(arrays.iter().map(|array| array.numbers.len()).sum::<usize>(), model.size());
    arrays.reverse();
    assert_eq!(Model::from_arrays(small(), "toy", &arrays).unwrap(), model);

    let message =
        |arrays: &[NamedArray]| Model::from_arrays(small(), "toy", arrays).unwrap_err().to_string();
    assert_eq!(
        message(&arrays[1..]),
        format!("no such network: {}: no such array", arrays[0].name)
    );
    let mut other = arrays.clone();
    other[0].name = "value.in.bias".to_owned();
    assert_eq!(message(&other), "no such network: value.in.bias: no array of this architecture");
    let mut other = arrays.clone();
    other[0].numbers[0] = f32::NAN;
    assert_eq!(message(&other), format!("no such network: {}: it contains NaN", arrays[0].name));
    let mut other = arrays;
    other[0].shape = vec![7];
    assert_eq!(message(&other), format!("no such network: {}: [7], not [1]", other[0].name));
}

/// Found by fuzzing: the name of an array with a line break made an error of two lines.
#[test]
fn a_damaged_name_is_quoted_on_one_line() {
    let bytes = file();
    let place = bytes.windows(7).position(|word| word == b"running").unwrap();
    let mut damaged = bytes;
    damaged[place..place + 2].copy_from_slice(b"\\r");
    assert!(!refused(&damaged).contains('\r'));
}

#[test]
fn an_unknown_or_missing_entry_of_the_shape_is_refused() {
    let with = |from: &str, to: &str| {
        let bytes = changed(|card| card.replace(from, to), |_, _| {});
        refused(&bytes)
    };
    assert!(with("\"blocks\":1", "\"blocks\":1,\"depth\":3").contains("unknown field `depth`"));
    assert!(with("\"filters\":16,", "").contains("missing field `filters`"));
}

#[test]
fn what_is_no_sound_network_is_refused_in_one_line() {
    let same = |card: &str| card.to_owned();
    let keep = |_: &str, _: &mut Vec<u8>| {};
    assert!(refused(b"").contains("not a network"));
    assert!(refused(b"PK\x03\x04 something else entirely").contains("not a network"));
    let plain = safetensors::serialize(Vec::<(String, TensorView<'_>)>::new(), None).unwrap();
    assert!(refused(&plain).contains("no entry `wurfel`"));
    let bytes = changed(|card| card.replace("\"format\":1", "\"format\":2"), keep);
    assert!(refused(&bytes).contains("its format is 2, this program reads 1"));
    let bytes = changed(|_| "{}".into(), keep);
    assert!(refused(&bytes).contains("missing field"));
    let bytes = changed(|card| card.replace("\"board\":5", "\"board\":19"), keep);
    assert!(refused(&bytes).contains("board is 19, not 5 or 8"));
    let bytes = changed(|card| card.replace("\"filters\":16", "\"filters\":0"), keep);
    assert!(refused(&bytes).contains("filters is 0, not 1 to 1024"));
    let bytes =
        changed(|card| card.replace("\"board\":5", "\"spatial_policy\":true,\"board\":5"), keep);
    assert!(refused(&bytes).contains("moves is 10, for a spatial policy not a multiple of 25"));
    let bytes = changed(|card| card.replace("\"filters\":16", "\"filters\":1000"), keep);
    assert!(refused(&bytes).contains("tower.0.conv.weight: [16, 4, 3, 3], not [1000"));
    let bytes = changed(|card| card.replace("\"blocks\":1", "\"blocks\":2"), keep);
    assert!(refused(&bytes).contains("arrays, not"));
    let bytes = changed(|card| card.replace("\"toy\"", "\"other\""), keep);
    assert!(refused(&bytes).contains("checksum"));
    let bytes = changed(same, |_, data| data[0] ^= 1);
    assert!(refused(&bytes).contains("checksum"));
    let bytes = changed(same, |_, data| data[..4].copy_from_slice(&f32::NAN.to_le_bytes()));
    assert!(refused(&bytes).contains("it contains NaN"));
    let negative = |name: &str, data: &mut Vec<u8>| {
        if name.ends_with("running_var") {
            data[..4].copy_from_slice(&(-1.0f32).to_le_bytes());
        }
    };
    assert!(refused(&changed(same, negative)).contains("running_var: it contains -1"));
}

/// What `PyTorch` leaves of a file: the arrays, and the counters of batch norms beside them.
#[test]
fn parameters_that_others_have_changed_can_be_sealed() {
    let quarter = |name: &str, data: &mut Vec<u8>| {
        if name == "tower.0.conv.weight" {
            data[..4].copy_from_slice(&0.25f32.to_le_bytes());
        }
    };
    let bytes = changed(str::to_owned, quarter);
    assert!(refused(&bytes).contains("checksum"));
    let sealed = Model::unsealed(&bytes, None).unwrap();
    let model = Model::from_bytes(&file()).unwrap();
    assert_eq!(sealed.parameters()[0].to_bits(), 0.25f32.to_bits());
    assert_eq!(sealed.parameters()[1..], model.parameters()[1..]);
    assert_eq!(Model::from_bytes(&sealed.to_bytes().unwrap()).unwrap(), sealed);
    let tensors = SafeTensors::deserialize(&bytes).unwrap();
    let count = TensorView::new(Dtype::I64, vec![], &[0; 8]).unwrap();
    let arrays = || tensors.tensors().into_iter();
    let more = [("policy.norm.num_batches_tracked".to_owned(), count)];
    let plain = safetensors::serialize(arrays().chain(more), None).unwrap();
    assert_eq!(Model::unsealed(&plain, Some(&model)).unwrap(), sealed);
    assert!(Model::unsealed(&plain, None).unwrap_err().to_string().contains("no entry `wurfel`"));
    let fewer = safetensors::serialize(arrays().skip(1), None).unwrap();
    let error = Model::unsealed(&fewer, Some(&model)).unwrap_err().to_string();
    // The file is not damaged; it is only not like the other.
    assert!(error.starts_with("not of the expected shape: it has "), "{error}");
    assert!(error.contains("arrays, not"), "{error}");
}

/// Frameworks store half precision without being asked, and such a file is not damaged.
#[test]
fn arrays_of_other_numbers_are_named_with_what_is_expected() {
    let bytes = file();
    let model = Model::from_bytes(&bytes).unwrap();
    let tensors = SafeTensors::deserialize(&bytes).unwrap();
    let zeros = vec![0; 8 * model.size()];
    for (dtype, size, name) in [(Dtype::F16, 2, "F16"), (Dtype::F64, 8, "F64")] {
        let other = |(array, view): (String, TensorView<'_>)| {
            let data = &zeros[..size * view.shape().iter().product::<usize>()];
            (array, TensorView::new(dtype, view.shape().to_vec(), data).unwrap())
        };
        let arrays: Vec<_> = tensors.tensors().into_iter().map(other).collect();
        let changed = safetensors::serialize(arrays, None).unwrap();
        let error = Model::unsealed(&changed, Some(&model)).unwrap_err().to_string();
        assert!(error.ends_with(&format!("is of {name}: expected F32")), "{error}");
        assert!(!error.contains("damaged"), "{error}");
    }
}

#[test]
fn an_export_names_its_encoding_architecture_and_checksum() {
    let model = Model::from_bytes(&file()).unwrap();
    let onnx = model.to_onnx();
    let holds = |text: &str| onnx.windows(text.len()).any(|part| part == text.as_bytes());
    let architecture = serde_json::to_string(model.architecture()).unwrap();
    for text in [
        "wurfel.encoding",
        "toy",
        "wurfel.architecture",
        &architecture,
        "wurfel.checksum",
        &format!("{:016x}", model.checksum()),
        env!("CARGO_PKG_VERSION"),
        "take the softmax over the legal moves",
    ] {
        assert!(holds(text), "{text}");
    }
}

#[test]
fn no_cut_and_no_flipped_bit_is_taken_for_a_network() {
    let bytes = quantised().to_bytes().unwrap();
    for length in (0..bytes.len()).step_by(97) {
        refused(&bytes[..length]);
    }
    let model = Model::from_bytes(&bytes).unwrap();
    for place in (0..bytes.len()).step_by(89) {
        let mut bytes = bytes.clone();
        bytes[place] ^= 0x10;
        // A changed bit of the header may have no effect, for instance in the order of the entries.
        if let Ok(read) = Model::from_bytes(&bytes) {
            assert_eq!(read, model, "byte {place}");
        }
    }
}

/// A Python with these modules, if there is one: `python3`, or the one that `WURFEL_PYTHON` names.
fn python(modules: &str) -> Option<String> {
    let python = std::env::var("WURFEL_PYTHON").unwrap_or_else(|_| "python3".into());
    let probe = Command::new(&python).args(["-c", &format!("import {modules}")]).output();
    probe.is_ok_and(|output| output.status.success()).then_some(python)
}

/// Architectures with both kinds of policy.
fn networks() -> [Architecture; 2] {
    let paper = Architecture::paper(5, 16, 27).with_tower(64, 2, 1);
    let shape = NetworkShape { spatial_policy: true, ..paper.shape };
    [paper, Architecture { moves: 75, shape, ..paper }]
}

/// Stores a network in which no parameter is trivial, with inputs and its outputs for them.
fn infer_and_store(architecture: Architecture, folder: &Path) {
    const COUNT: usize = 40;
    let mut random = Random::new(9);
    let model = Model::new(architecture, "toy", &mut random).unwrap();
    std::fs::write(folder.join("net.safetensors"), model.to_bytes().unwrap()).unwrap();
    std::fs::write(folder.join("net.onnx"), model.to_onnx()).unwrap();
    let planes: Vec<f32> = (0..COUNT * 16 * 25).map(|_| random.below(3) as f32 - 1.0).collect();
    let moves = architecture.moves;
    let (mut logits, mut values) = (vec![0.0; COUNT * moves], vec![0.0; COUNT]);
    Inference::new(&model).infer(&planes, &mut logits, &mut values);
    let bytes = |numbers: &[f32]| numbers.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>();
    let arrays = [
        ("planes", vec![COUNT, 16, 5, 5], bytes(&planes)),
        ("logits", vec![COUNT, moves], bytes(&logits)),
        ("answers", vec![COUNT], bytes(&values)),
    ];
    let views = arrays.iter().map(|(name, shape, data)| {
        (*name, TensorView::new(Dtype::F32, shape.clone(), data).unwrap())
    });
    let answers = safetensors::serialize(views, None).unwrap();
    std::fs::write(folder.join("answers.safetensors"), answers).unwrap();
}

#[test]
#[expect(clippy::print_stderr, reason = "says why it proves nothing")]
fn pytorch_reads_the_file_and_says_the_same() {
    let Some(python) = python("torch, safetensors") else {
        eprintln!("skipped: no Python with torch and safetensors (WURFEL_PYTHON names one)");
        return;
    };
    for architecture in networks() {
        let folder = tempfile::tempdir().unwrap();
        infer_and_store(architecture, folder.path());
        let output = Command::new(&python)
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/reference.py"))
            .arg("compare")
            .args(["net", "answers"].map(|name| folder.path().join(format!("{name}.safetensors"))))
            .output()
            .unwrap();
        assert!(output.status.success(), "{architecture:?} {output:?}");
    }
}

#[test]
#[expect(clippy::print_stderr, reason = "says why it proves nothing")]
fn onnxruntime_reads_the_export_and_says_the_same() {
    const SCRIPT: &str = "
import sys, onnx, onnxruntime
from safetensors.numpy import load_file
onnx.checker.check_model(sys.argv[1], full_check=True)
told = load_file(sys.argv[2])
metadata = {entry.key: entry.value for entry in onnx.load(sys.argv[1]).metadata_props}
assert metadata['wurfel.encoding'] == 'toy' and len(metadata['wurfel.checksum']) == 16, metadata
policy, value = onnxruntime.InferenceSession(sys.argv[1]).run(None, {'planes': told['planes']})
assert abs(policy - told['logits']).max() < 1e-4 and abs(value[:, 0] - told['answers']).max() < 1e-4
";
    let Some(python) = python("onnx, onnxruntime, safetensors.numpy") else {
        eprintln!("skipped: no Python with onnx, onnxruntime and safetensors");
        return;
    };
    for architecture in networks() {
        let folder = tempfile::tempdir().unwrap();
        infer_and_store(architecture, folder.path());
        let output = Command::new(&python)
            .args(["-c", SCRIPT])
            .args(["net.onnx", "answers.safetensors"].map(|name| folder.path().join(name)))
            .output()
            .unwrap();
        assert!(output.status.success(), "{architecture:?} {output:?}");
    }
}
