//! Adam, the optimiser of learned evaluations (D. P. Kingma and J. Ba, "Adam: a method for
//! stochastic optimization", 2015).

/// The moving averages of the gradients of all parameters.
pub(crate) struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

impl Adam {
    pub fn new(numbers: usize) -> Self {
        Self { mean: vec![0.0; numbers], square: vec![0.0; numbers], steps: 0 }
    }

    /// Makes one step with learning rate `rate`. Each block of parameters comes with the sums of
    /// its gradients over `count` samples, which are cleared.
    pub fn step<'a>(
        &mut self,
        blocks: impl Iterator<Item = (&'a mut [f32], &'a mut [f32])>,
        count: usize,
        rate: f32,
    ) {
        const KEEP: (f32, f32) = (0.9, 0.999);
        self.steps += 1;
        let grown = (1.0 - KEEP.0.powi(self.steps), 1.0 - KEEP.1.powi(self.steps));
        let mut moments = self.mean.iter_mut().zip(&mut self.square);
        for (numbers, gradients) in blocks {
            let places = numbers.iter_mut().zip(gradients).zip(&mut moments);
            for ((number, gradient), (mean, square)) in places {
                let mean_gradient = std::mem::take(gradient) / count as f32;
                *mean += (1.0 - KEEP.0) * (mean_gradient - *mean);
                *square += (1.0 - KEEP.1) * (mean_gradient * mean_gradient - *square);
                let deviation = (*square / grown.1).sqrt() + 1e-8;
                *number -= rate * (*mean / grown.0) / deviation;
            }
        }
    }
}
