//! The scale of a run: from a check that takes seconds to the numbers of the paper.
//!
//! A value of a definition is either plain, and then the same at every scale, or a table with a
//! value for each of `tiny`, `quick` and `full`. A factor multiplies the full counts. Half a search
//! depth or half a list of times has no meaning, so everything that is not a count has its quick
//! value below a factor of 1, and its full value above. To decide claims, games are added to the quick counts, and `decide` may give
//! other values.

use std::fmt;
use std::str::FromStr;

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};

use crate::LabError;

/// The scale of a run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Scale {
    /// Every code path once, in seconds.
    Tiny,
    /// All experiments together in less than 20 minutes on two cores.
    Quick,
    /// The numbers of the paper, or those that the definition states.
    Full,
    /// The full counts times this factor, which is above 0, not 1 and at most [`Scale::MAX_FACTOR`].
    Factor(f64),
    /// As quick, and then as many games as the claims need.
    Decide,
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tiny => f.write_str("tiny"),
            Self::Quick => f.write_str("quick"),
            Self::Full => f.write_str("full"),
            Self::Factor(factor) => write!(f, "{factor}"),
            Self::Decide => f.write_str("decide"),
        }
    }
}

impl FromStr for Scale {
    type Err = LabError;

    fn from_str(text: &str) -> Result<Self, LabError> {
        match text {
            "tiny" => return Ok(Self::Tiny),
            "quick" => return Ok(Self::Quick),
            "full" => return Ok(Self::Full),
            "decide" => return Ok(Self::Decide),
            _ => {}
        }
        match text.parse::<f64>() {
            Ok(1.0) => Ok(Self::Full),
            Ok(factor) if factor > 0.0 && factor <= Self::MAX_FACTOR => Ok(Self::Factor(factor)),
            _ => Err(LabError::Input(format!(
                "scale '{text}': expected tiny, quick, full, decide or a factor of full above 0 and at most {}",
                Self::MAX_FACTOR
            ))),
        }
    }
}

/// A value for each scale.
#[derive(Clone, PartialEq, Debug)]
pub struct Scaled<T> {
    tiny: T,
    quick: T,
    full: T,
    decide: T,
}

impl<T: Clone> Scaled<T> {
    /// The same value at every scale.
    pub fn plain(value: &T) -> Self {
        let copy = || value.clone();
        Self { tiny: copy(), quick: copy(), full: copy(), decide: copy() }
    }
}

impl<T> Scaled<T> {
    /// The value at a scale, where it is not a count.
    pub fn at(&self, scale: Scale) -> &T {
        match scale {
            Scale::Tiny => &self.tiny,
            Scale::Factor(factor) if factor > 1.0 => &self.full,
            Scale::Quick | Scale::Factor(_) => &self.quick,
            Scale::Full => &self.full,
            Scale::Decide => &self.decide,
        }
    }

    /// The value from which a count is computed: that of `full` for a factor.
    pub fn counted(&self, scale: Scale) -> &T {
        match scale {
            Scale::Factor(_) => &self.full,
            _ => self.at(scale),
        }
    }
}

impl Scale {
    /// The largest factor of the full counts.
    pub const MAX_FACTOR: f64 = 1000.0;

    /// The count at this scale, at least 1, given the definition's value for it.
    pub fn count(self, count: u64) -> u64 {
        match self {
            Self::Factor(factor) => ((count as f64 * factor).round() as u64).max(1),
            _ => count.max(1),
        }
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Scaled<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = toml::Value::deserialize(deserializer)?;
        let read = |value: &toml::Value| {
            T::deserialize(value.clone()).map_err(|error| D::Error::custom(error.message()))
        };
        let scales = ["tiny", "quick", "full"];
        let all = ["tiny", "quick", "full", "decide"];
        let table =
            value.as_table().filter(|table| all.iter().any(|scale| table.contains_key(*scale)));
        let Some(table) = table else {
            let [tiny, quick, full, decide] =
                [read(&value)?, read(&value)?, read(&value)?, read(&value)?];
            return Ok(Self { tiny, quick, full, decide });
        };
        if let Some(key) = table.keys().find(|key| !all.contains(&key.as_str())) {
            return Err(D::Error::custom(format!(
                "unknown scale '{key}': expected tiny, quick, full or decide"
            )));
        }
        // A scale that is not given takes the value of the next larger one.
        let at = |from: usize| -> Result<T, D::Error> {
            let given = scales[from..].iter().find_map(|scale| table.get(*scale));
            read(given.ok_or_else(|| D::Error::custom("expected a value for full"))?)
        };
        let decide = table.get("decide").map_or_else(|| at(1), &read)?;
        Ok(Self { tiny: at(0)?, quick: at(1)?, full: at(2)?, decide })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Work {
        pairs: Scaled<u64>,
    }

    fn pairs(text: &str) -> Result<Scaled<u64>, String> {
        toml::from_str::<Work>(text)
            .map(|work| work.pairs)
            .map_err(|error| error.message().to_owned())
    }

    #[test]
    fn a_value_is_plain_or_given_for_scales_and_a_factor_is_one_of_the_full_count() {
        let plain = pairs("pairs = 7").unwrap();
        assert_eq!((plain.at(Scale::Tiny), plain.at(Scale::Full)), (&7, &7));
        let given = pairs("pairs = { tiny = 1, quick = 20, full = 300 }").unwrap();
        let count = |scale: Scale| scale.count(*given.counted(scale));
        assert_eq!([Scale::Tiny, Scale::Quick, Scale::Full].map(count), [1, 20, 300]);
        assert_eq!([0.1, 0.0001, 2.5].map(Scale::Factor).map(count), [30, 1, 750]);
        assert_eq!([0.5, 2.0].map(|factor| given.at(Scale::Factor(factor))), [&20, &300]);
        assert_eq!(count(Scale::Decide), 20);
        let deciding = pairs("pairs = { quick = 20, full = 300, decide = 50 }").unwrap();
        assert_eq!((deciding.at(Scale::Decide), deciding.at(Scale::Factor(0.5))), (&50, &20));
        assert_eq!(pairs("pairs = { full = 3 }").unwrap().at(Scale::Tiny), &3);
    }

    #[test]
    fn an_unknown_or_a_missing_scale_is_refused() {
        assert_eq!(
            pairs("pairs = { small = 1, full = 2 }").unwrap_err(),
            "unknown scale 'small': expected tiny, quick, full or decide"
        );
        assert_eq!(pairs("pairs = { tiny = 1 }").unwrap_err(), "expected a value for full");
    }

    #[test]
    fn scales_are_read_as_they_are_written() {
        for text in ["tiny", "quick", "full", "0.1", "2.5", "decide"] {
            assert_eq!(text.parse::<Scale>().unwrap().to_string(), text);
        }
        for text in ["1", "1.0", "1.00", "1e0"] {
            assert_eq!(text.parse::<Scale>().unwrap(), Scale::Full, "{text}");
        }
        for text in ["", "0", "1001", "-1", "large", "NaN", "inf"] {
            assert!(text.parse::<Scale>().is_err(), "{text}");
        }
    }
}
