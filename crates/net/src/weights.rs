//! Conversion of the parameters of a network from the shapes of `PyTorch` to the matrices that
//! products read, and back.

use crate::kernels::TAPS;
use crate::rows::{LANES, Matrix, Row, blocks};

/// The number of columns rounded up to whole blocks, for columns that become the rows of another
/// matrix.
pub(crate) const fn padded(columns: usize) -> usize {
    blocks(columns) * LANES
}

/// Writes outputs × inputs weights as a matrix with a row for each input, for use as the right
/// factor of a product. The outputs are the columns from `first` on.
pub(crate) fn fill(matrix: &mut Matrix, weight: &[f32], inputs: usize, first: usize) {
    for (output, weights) in weight.chunks_exact(inputs).enumerate() {
        for (input, weight) in weights.iter().enumerate() {
            *matrix.at_mut(input, first + output) = *weight;
        }
    }
}

/// Adds such a matrix to outputs × inputs gradients; the reverse of [`fill`].
pub(crate) fn add_columns(matrix: &Matrix, gradients: &mut [f32], inputs: usize, first: usize) {
    for (output, gradients) in gradients.chunks_exact_mut(inputs).enumerate() {
        for (input, gradient) in gradients.iter_mut().enumerate() {
            *gradient += matrix.at(input, first + output);
        }
    }
}

pub(crate) fn transposed(matrix: &Matrix, rows: usize, columns: usize) -> Matrix {
    let mut other = Matrix::new(padded(columns), rows);
    for row in 0..rows {
        for column in 0..columns {
            *other.at_mut(column, row) = matrix.at(row, column);
        }
    }
    other
}

/// Turns outputs × inputs × 9 weights into nine matrices with a row for each input, one matrix for
/// each tap. The weights of output o are multiplied by `scale(o)`.
pub(crate) fn taps(weight: &[f32], inputs: usize, scale: impl Fn(usize) -> f32) -> Vec<Row> {
    let outputs = weight.len() / (inputs * TAPS);
    let rows = padded(inputs);
    let mut taps = vec![Row::ZERO; TAPS * blocks(outputs) * rows];
    let stride = blocks(outputs) * rows;
    for (output, weights) in weight.chunks_exact(inputs * TAPS).enumerate() {
        let scale = scale(output);
        for (input, weights) in weights.as_chunks::<TAPS>().0.iter().enumerate() {
            let place = output / LANES * rows + input;
            for (tap, weight) in weights.iter().enumerate() {
                taps[tap * stride + place].0[output % LANES] = weight * scale;
            }
        }
    }
    taps
}

/// Like [`taps`], but with a row for each output and without a factor. Gradients are multiplied by
/// these matrices.
pub(crate) fn taps_transposed(weight: &[f32], inputs: usize) -> Vec<Row> {
    let outputs = weight.len() / (inputs * TAPS);
    let rows = padded(outputs);
    let mut taps = vec![Row::ZERO; TAPS * blocks(inputs) * rows];
    let stride = blocks(inputs) * rows;
    for (output, weights) in weight.chunks_exact(inputs * TAPS).enumerate() {
        for (input, weights) in weights.as_chunks::<TAPS>().0.iter().enumerate() {
            let place = input / LANES * rows + output;
            for (tap, weight) in weights.iter().enumerate() {
                taps[tap * stride + place].0[input % LANES] = *weight;
            }
        }
    }
    taps
}

/// Adds gradients by tap to those of the weights: the reverse of [`taps`].
pub(crate) fn add_taps(taps: &[Row], gradients: &mut [f32], inputs: usize) {
    let rows = padded(inputs);
    let stride = taps.len() / TAPS;
    for (output, gradients) in gradients.chunks_exact_mut(inputs * TAPS).enumerate() {
        for (input, gradients) in gradients.as_chunks_mut::<TAPS>().0.iter_mut().enumerate() {
            let place = output / LANES * rows + input;
            for (tap, gradient) in gradients.iter_mut().enumerate() {
                *gradient += taps[tap * stride + place].0[output % LANES];
            }
        }
    }
}
