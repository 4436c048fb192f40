//! The matrices of Winograd's minimal filtering for 3 × 3 windows (S. Winograd,
//! 1980; A. Lavin and S. Gray, "Fast algorithms for convolutional neural networks",
//! 2016), by Toom and Cook's construction from points.
//!
//! Along one axis, each of T outputs is a sum of three products. From N = T + 2 inputs and N points
//! a₀ … all outputs can be computed with N products: y = Aᵀ [(G g) ∘ (Bᵀ d)], where Aᵀⱼᵢ = aᵢʲ, row
//! i of Bᵀ has the coefficients of Πₖ≠ᵢ (x − aₖ), and Gᵢⱼ = aᵢʲ / Πₖ≠ᵢ (aᵢ − aₖ). In two dimensions
//! each matrix is applied along both axes.
//!
//! A 5 × 5 board is one tile of T = 5, with 49 products for each pair of channels instead of 225.
//! An 8 × 8 board is four tiles of T = 4, with 144 products instead of 576. A tile reads one cell
//! more on each side than it writes. The cells around the board are zeros, so on both boards only
//! [`READ`] cells along each axis matter.

/// How many cells along an axis a tile reads; the others lie outside the board.
pub(crate) const READ: usize = 5;

/// A linear map of the numbers along one axis, for each tile, with the cell at which the tile
/// begins.
pub(crate) struct Axis<const I: usize, const O: usize, const TILES: usize> {
    pub maps: [[[f32; I]; O]; TILES],
    pub starts: [usize; TILES],
}

/// All maps for boards of T · TILES cells along each side, with N points.
pub(crate) struct Maps<const T: usize, const N: usize, const TILES: usize> {
    /// From cells to points: Bᵀ.
    pub input: Axis<READ, N, TILES>,
    /// From points to cells: Aᵀ.
    pub output: Axis<N, T, TILES>,
    /// From gradients of cells to gradients of points: A.
    pub output_gradients: Axis<T, N, TILES>,
    /// From gradients of points to gradients of cells: B.
    pub input_gradients: Axis<N, READ, TILES>,
    /// From weights to points: G.
    pub weights: [[f32; 3]; N],
    /// From gradients of points to gradients of weights: Gᵀ.
    pub weight_gradients: [[f32; N]; 3],
}

/// The maps for 5 × 5 boards. Of the points that were tried, these have the smallest error: 3.4 ·
/// 10⁻⁶ of the outputs' deviation with 256 channels, where direct convolution has 0.9 · 10⁻⁶.
pub(crate) static FIVE: Maps<5, 7, 1> = Maps::new([0.0, 0.6, -0.6, 1.1, -1.1, 3.0, -3.0]);

/// The maps for 8 × 8 boards.
pub(crate) static EIGHT: Maps<4, 6, 2> = Maps::new([0.5, -0.5, 1.0, -1.0, 2.0, -2.0]);

impl<const T: usize, const N: usize, const TILES: usize> Maps<T, N, TILES> {
    const fn new(points: [f64; N]) -> Self {
        let mut input = Axis { maps: [[[0.0; READ]; N]; TILES], starts: [0; TILES] };
        let mut output = Axis { maps: [[[0.0; N]; T]; TILES], starts: [0; TILES] };
        let mut output_gradients = Axis { maps: [[[0.0; T]; N]; TILES], starts: [0; TILES] };
        let mut input_gradients = Axis { maps: [[[0.0; N]; READ]; TILES], starts: [0; TILES] };
        let mut weights = [[0.0; 3]; N];
        let mut weight_gradients = [[0.0; N]; 3];
        let mut i = 0;
        while i < N {
            let (coefficients, divisor) = basis(points, i);
            // This scale makes both factors of a product about equally large.
            let scale = largest(coefficients);
            let mut power = 1.0;
            let mut j = 0;
            while j < T {
                let mut tile = 0;
                while tile < TILES {
                    output.maps[tile][j][i] = power as f32;
                    output_gradients.maps[tile][i][j] = power as f32;
                    tile += 1;
                }
                if j < 3 {
                    weights[i][j] = (power * scale / divisor) as f32;
                    weight_gradients[j][i] = weights[i][j];
                }
                power *= points[i];
                j += 1;
            }
            let mut tile = 0;
            while tile < TILES {
                // The first tile begins with a cell outside the board.
                let before = if tile == 0 { 1 } else { 0 };
                input.starts[tile] = tile * T + before - 1;
                input_gradients.starts[tile] = input.starts[tile];
                output.starts[tile] = tile * T;
                output_gradients.starts[tile] = tile * T;
                let mut j = 0;
                while j < READ {
                    let number = (coefficients[j + before] / scale) as f32;
                    input.maps[tile][i][j] = number;
                    input_gradients.maps[tile][j][i] = number;
                    j += 1;
                }
                tile += 1;
            }
            i += 1;
        }
        Self { input, output, output_gradients, input_gradients, weights, weight_gradients }
    }
}

/// The coefficients of Πₖ≠ᵢ (x − aₖ), lowest power first, and its value at aᵢ.
const fn basis<const N: usize>(points: [f64; N], i: usize) -> ([f64; N], f64) {
    let mut coefficients = [0.0; N];
    coefficients[0] = 1.0;
    let mut divisor = 1.0;
    let mut k = 0;
    while k < N {
        if k != i {
            divisor *= points[i] - points[k];
            let mut j = N - 1;
            while j > 0 {
                coefficients[j] = coefficients[j - 1] - points[k] * coefficients[j];
                j -= 1;
            }
            coefficients[0] *= -points[k];
        }
        k += 1;
    }
    (coefficients, divisor)
}

const fn largest<const N: usize>(numbers: [f64; N]) -> f64 {
    let mut largest = 0.0;
    let mut j = 0;
    while j < N {
        largest = f64::max(largest, numbers[j].abs());
        j += 1;
    }
    largest
}
