//! Export of a network to ONNX for other programs, with norms folded into the weights.
//!
//! An ONNX file is one protocol-buffer message (onnx.proto, opset 13). The numbers of its fields
//! are written where they are used.

use crate::Model;
use crate::architecture::{Convolution, DenseLayer};
use crate::inference::folded_norm;
use crate::protobuf::Message;

/// An explanation of the export's numbers, for people who open the file.
const ABOUT: &str = "Policy-value network of wurfel. Input planes: positions as the encoding named in the metadata \
     writes them. Output policy: a logit for each move index of the encoding; take the softmax over the \
     legal moves. Output value: the expected result for the side to move, from -1 (lost) to 1 (won).";

/// A `GraphProto` in which each node follows the one before it.
struct Graph<'a> {
    parameters: &'a [f32],
    message: Message,
    values: usize,
}

impl Graph<'_> {
    /// Adds an `initializer` and returns its name.
    fn array(&mut self, shape: &[usize], numbers: impl Iterator<Item = f32>) -> String {
        let name = self.name();
        let raw: Vec<u8> = numbers.flat_map(f32::to_le_bytes).collect();
        let mut tensor = Message::default();
        for &size in shape {
            tensor = tensor.number(1, size as u64);
        }
        // data_type FLOAT is 1.
        let tensor = tensor.number(2, 1).text(8, &name).bytes(9, &raw);
        self.message = std::mem::take(&mut self.message).message(5, &tensor);
        name
    }

    fn name(&mut self) -> String {
        self.values += 1;
        format!("v{}", self.values)
    }

    /// Adds a node with integer attributes and returns the name of its output.
    fn node(&mut self, kind: &str, inputs: &[&str], attributes: &[(&str, &[usize])]) -> String {
        let output = self.name();
        self.node_to(kind, inputs, attributes, &output);
        output
    }

    fn node_to(&mut self, kind: &str, inputs: &[&str], attributes: &[(&str, &[usize])], to: &str) {
        let mut node = Message::default();
        for input in inputs {
            node = node.text(1, input);
        }
        node = node.text(2, to).text(4, kind);
        for (name, numbers) in attributes {
            let attribute = Message::default().text(1, name);
            // The attribute type INT is 2, INTS is 7.
            let attribute = match numbers {
                [number] => attribute.number(3, *number as u64).number(20, 2),
                _ => numbers.iter().fold(attribute, |a, &n| a.number(8, n as u64)).number(20, 7),
            };
            node = node.message(5, &attribute);
        }
        self.message = std::mem::take(&mut self.message).message(1, &node);
    }

    fn convolution(&mut self, layer: &Convolution, x: &str, skip: Option<&str>) -> String {
        let (scale, shift) = folded_norm(layer, self.parameters);
        let each = layer.weight.len() / layer.outputs;
        let window = if each == layer.inputs { 1 } else { 3 };
        let numbers = self.parameters[layer.weight.clone()].chunks_exact(each).zip(scale);
        let numbers = numbers.flat_map(|(row, scale)| row.iter().map(move |x| x * scale));
        let weight = self.array(
            &[layer.outputs, layer.inputs, window, window],
            numbers.collect::<Vec<_>>().into_iter(),
        );
        let bias = self.array(&[layer.outputs], shift.into_iter());
        let sum = self.node("Conv", &[x, &weight, &bias], &[("pads", &[window / 2; 4])]);
        let sum = skip.map_or(sum.clone(), |skip| self.node("Add", &[&sum, skip], &[]));
        self.node("Relu", &[&sum], &[])
    }

    /// Adds a fully connected layer that is applied to each cell separately, and flattens its
    /// output.
    fn by_cell(&mut self, layer: &DenseLayer, x: &str) -> String {
        let numbers = self.parameters;
        let of = |range: &std::ops::Range<usize>| numbers[range.clone()].iter().copied();
        let weight = self.array(&[layer.outputs, layer.inputs, 1, 1], of(&layer.weight));
        let bias = self.array(&[layer.outputs], of(&layer.bias));
        let planes = self.node("Conv", &[x, &weight, &bias], &[]);
        self.node("Flatten", &[&planes], &[])
    }

    fn linear(&mut self, layer: &DenseLayer, x: &str) -> String {
        let numbers = self.parameters;
        let of = |range: &std::ops::Range<usize>| numbers[range.clone()].iter().copied();
        let weight = self.array(&[layer.outputs, layer.inputs], of(&layer.weight));
        let bias = self.array(&[layer.outputs], of(&layer.bias));
        self.node("Gemm", &[x, &weight, &bias], &[("transB", &[1])])
    }
}

/// A `ValueInfoProto` for any number of positions.
fn value(name: &str, shape: &[usize]) -> Message {
    let any = Message::default().text(2, "positions");
    let shape = shape.iter().fold(Message::default().message(1, &any), |dims, &size| {
        dims.message(1, &Message::default().number(1, size as u64))
    });
    let tensor = Message::default().number(1, 1).message(2, &shape);
    Message::default().text(1, name).message(2, &Message::default().message(1, &tensor))
}

impl Model {
    /// The metadata of an ONNX file, as `StringStringEntryProto`s.
    fn onnx_metadata(&self) -> Vec<Message> {
        let architecture = serde_json::to_string(self.architecture()).unwrap_or_default();
        let entries = [
            ("wurfel.encoding", self.encoding().to_owned()),
            ("wurfel.architecture", architecture),
            ("wurfel.checksum", format!("{:016x}", self.checksum())),
        ];
        let entry = |(key, value): &(&str, String)| Message::default().text(1, key).text(2, value);
        entries.iter().map(entry).collect()
    }

    /// The network as an ONNX file. Its metadata name the encoding, the architecture as JSON and the
    /// [checksum](Self::checksum). Its input is `planes` (positions × planes × side × side); its
    /// outputs are `policy`, the logits (positions × moves), and `value` (positions × 1), −1 to 1.
    pub fn to_onnx(&self) -> Vec<u8> {
        let architecture = self.architecture();
        let layout = architecture.layout();
        let mut graph =
            Graph { parameters: &self.parameters, message: Message::default(), values: 0 };
        let mut x = "planes".to_owned();
        let (plain, blocks) = layout.tower.split_at(architecture.shape.convolutions);
        for layer in plain {
            x = graph.convolution(layer, &x, None);
        }
        for [one, two] in blocks.as_chunks().0 {
            let between = graph.convolution(one, &x, None);
            x = graph.convolution(two, &between, Some(&x));
        }
        let policy = graph.convolution(&layout.policy, &x, None);
        let policy = if architecture.shape.spatial_policy {
            graph.by_cell(&layout.moves, &policy)
        } else {
            let policy = graph.node("Flatten", &[&policy], &[]);
            graph.linear(&layout.moves, &policy)
        };
        graph.node_to("Identity", &[&policy], &[], "policy");
        let hidden = graph.convolution(&layout.value, &x, None);
        let hidden = graph.node("Flatten", &[&hidden], &[]);
        let hidden = graph.linear(&layout.hidden, &hidden);
        let hidden = graph.node("Relu", &[&hidden], &[]);
        let hidden = graph.linear(&layout.out, &hidden);
        graph.node_to("Tanh", &[&hidden], &[], "value");
        let side = architecture.board;
        let graph = graph
            .message
            .text(2, "wurfel")
            .message(11, &value("planes", &[architecture.planes, side, side]))
            .message(12, &value("policy", &[architecture.moves]))
            .message(12, &value("value", &[1]));
        // ir_version 7 goes with opset 13.
        let opset = Message::default().text(1, "").number(2, 13);
        let model = Message::default().number(1, 7).text(2, "wurfel");
        let model = model.text(3, env!("CARGO_PKG_VERSION")).text(6, ABOUT);
        let model = model.message(7, &graph).message(8, &opset);
        let metadata = self.onnx_metadata();
        metadata.iter().fold(model, |model, entry| model.message(14, entry)).into_bytes()
    }
}
