//! Repeated measurements of one cost, and what may be said about them.
//!
//! A sample is a cost: less is better. Other work on the machine only ever adds to it, so the fastest tenth
//! (`p10`) is what the code costs, and the distance of the median from it is the noise.

/// Measurements of the same thing.
#[derive(Debug, Default)]
pub(crate) struct Samples(Vec<f64>);

impl Samples {
    pub(crate) fn push(&mut self, cost: f64) {
        let at = self.0.partition_point(|known| *known < cost);
        self.0.insert(at, cost);
    }

    pub(crate) fn median(&self) -> f64 {
        self.quantile(1, 2)
    }

    pub(crate) fn p10(&self) -> f64 {
        self.quantile(1, 10)
    }

    /// The sample below which `part` of `whole` lie; without samples there is no such number.
    fn quantile(&self, part: usize, whole: usize) -> f64 {
        let last = self.0.len().saturating_sub(1);
        self.0.get(last * part / whole).copied().unwrap_or(f64::NAN)
    }
}

#[test]
fn quantiles_are_samples_in_any_order() {
    let mut samples = Samples::default();
    assert!(samples.median().is_nan());
    for cost in [5.0, 1.0, 9.0, 3.0, 7.0, 2.0, 8.0, 4.0, 6.0, 10.0, 11.0] {
        samples.push(cost);
    }
    assert_eq!((samples.p10(), samples.median()), (2.0, 6.0));
}
