//! Systems of linear equations whose matrix is symmetric and positive definite, like the Fisher
//! information of ratings.

/// The Cholesky decomposition of a symmetric positive definite matrix, that is, the lower triangle
/// whose product with its transpose is the matrix.
pub(crate) struct Cholesky {
    size: usize,
    lower: Vec<f64>,
}

impl Cholesky {
    /// The decomposition of a matrix of this size, row by row.
    pub fn of(mut matrix: Vec<f64>, size: usize) -> Self {
        for column in 0..size {
            for row in column..size {
                let mut value = matrix[row * size + column];
                for before in 0..column {
                    value -= matrix[row * size + before] * matrix[column * size + before];
                }
                matrix[row * size + column] = if row == column {
                    // Rounding must not make a diagonal element negative.
                    value.max(f64::MIN_POSITIVE).sqrt()
                } else {
                    value / matrix[column * size + column]
                };
            }
        }
        Self { size, lower: matrix }
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.lower[row * self.size + column]
    }

    /// The solution of the equations with these right-hand sides.
    pub fn solve(&self, mut values: Vec<f64>) -> Vec<f64> {
        for row in 0..self.size {
            for before in 0..row {
                values[row] -= self.at(row, before) * values[before];
            }
            values[row] /= self.at(row, row);
        }
        for row in (0..self.size).rev() {
            for behind in row + 1..self.size {
                values[row] -= self.at(behind, row) * values[behind];
            }
            values[row] /= self.at(row, row);
        }
        values
    }

    /// The inverse of the matrix.
    pub fn inverse(&self) -> Vec<f64> {
        let size = self.size;
        let mut inverse = vec![0.0; size * size];
        for column in 0..size {
            let mut unit = vec![0.0; size];
            unit[column] = 1.0;
            for (row, value) in self.solve(unit).into_iter().enumerate() {
                inverse[row * size + column] = value;
            }
        }
        inverse
    }
}
