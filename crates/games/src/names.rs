//! The error for unknown names, which suggests the name that was perhaps meant.

/// A name that is not in the list of known names. It is displayed as one line, with the nearest
/// known name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown {what} '{name}': {hint}")]
pub struct UnknownName {
    what: String,
    name: String,
    hint: String,
}

impl UnknownName {
    /// The error for `name`, which was given as a `what`; `known` lists the valid names.
    pub fn new(what: &str, name: &str, known: &[&str]) -> Self {
        // A name of which at least half is right is near enough to be a typing mistake.
        let near = |&&known: &&&str| strsim::damerau_levenshtein(name, known) * 2 <= known.len();
        let begun = known.iter().find(|known| name.len() > 1 && known.starts_with(name));
        let similar = known
            .iter()
            .filter(near)
            .min_by_key(|&&known| strsim::damerau_levenshtein(name, known));
        let nearest = begun.or(similar);
        let hint = match nearest {
            Some(nearest) => format!("did you mean '{nearest}'?"),
            None if known.is_empty() => "there are none here".to_owned(),
            None => format!("expected one of {}", known.join(", ")),
        };
        Self { what: what.to_owned(), name: name.chars().take(40).collect(), hint }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_offered() {
        let known = ["depth", "eval"];
        let error = |name| UnknownName::new("option", name, &known).to_string();
        assert_eq!(error("detph"), "unknown option 'detph': did you mean 'depth'?");
        assert_eq!(error("ev"), "unknown option 'ev': did you mean 'eval'?");
        assert_eq!(error("colour"), "unknown option 'colour': expected one of depth, eval");
    }
}
