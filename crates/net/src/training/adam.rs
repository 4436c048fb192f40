//! Adam (D. P. Kingma and J. Ba, "Adam: a method for stochastic optimization", 2015).

/// β₁ and β₂: the share that a step keeps of the mean of the gradients, and of the mean of their
/// squares.
pub const BETAS: (f32, f32) = (0.9, 0.999);

/// The constant that is added to the root of the squares before a step is divided by it.
pub const EPSILON: f32 = 1e-8;

/// Adam's moments of every parameter.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Adam {
    pub means: Vec<f32>,
    pub squares: Vec<f32>,
    /// How many steps were taken.
    pub steps: u32,
}

impl Adam {
    pub fn new(len: usize) -> Self {
        Self { means: vec![0.0; len], squares: vec![0.0; len], steps: 0 }
    }

    /// Moves the parameters against `gradients` · `factor`, with the learning rate `rate`.
    pub fn step(&mut self, parameters: &mut [f32], gradients: &[f32], factor: f32, rate: f32) {
        self.steps += 1;
        let grown = |beta: f32| 1.0 - beta.powi(self.steps as i32);
        let (of_mean, of_square) = (rate / grown(BETAS.0), 1.0 / grown(BETAS.1));
        let moments = self.means.iter_mut().zip(&mut self.squares);
        for ((number, gradient), (mean, square)) in
            parameters.iter_mut().zip(gradients).zip(moments)
        {
            let gradient = gradient * factor;
            *mean += (1.0 - BETAS.0) * (gradient - *mean);
            *square += (1.0 - BETAS.1) * (gradient * gradient - *square);
            *number -= *mean * of_mean / ((*square * of_square).sqrt() + EPSILON);
        }
    }
}
