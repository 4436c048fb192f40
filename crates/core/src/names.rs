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

/// How many letters of an unknown name are examined and shown.
const MAX_SHOWN: usize = 40;

impl UnknownName {
    /// The error for `name`, which was meant to be a `what`, such as an agent; `known` lists the
    /// valid names.
    pub fn new(what: &str, name: &str, known: &[&str]) -> Self {
        Self::unless_near(what, name, known, || match known {
            [] => "there are none here".to_owned(),
            known => format!("expected one of {}", known.join(", ")),
        })
    }

    /// The same for a long list: when no name is near, the error names the `command` that shows the
    /// list.
    pub fn listed(what: &str, name: &str, known: &[&str], command: &str) -> Self {
        Self::unless_near(what, name, known, || format!("expected one that `{command}` lists"))
    }

    fn unless_near(what: &str, name: &str, known: &[&str], far: impl Fn() -> String) -> Self {
        // A long text that somebody sent is not a name, and the edit distance would take memory for
        // each letter of it.
        let shown: String = name.chars().take(MAX_SHOWN).collect();
        let name = shown.as_str();
        // A name that is at least half right is near enough to be a typing mistake.
        let near = |&&known: &&&str| strsim::damerau_levenshtein(name, known) * 2 <= known.len();
        let begun = known.iter().find(|known| name.len() > 1 && known.starts_with(name));
        let similar = known
            .iter()
            .filter(near)
            .min_by_key(|&&known| strsim::damerau_levenshtein(name, known));
        let nearest = begun.or(similar);
        let hint = match nearest {
            Some(nearest) => format!("did you mean '{nearest}'?"),
            None => far(),
        };
        Self { what: what.to_owned(), name: name.escape_debug().to_string(), hint }
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
        let error = |name| UnknownName::listed("option", name, &known, "help").to_string();
        assert_eq!(error("detph"), "unknown option 'detph': did you mean 'depth'?");
        assert_eq!(error("colour"), "unknown option 'colour': expected one that `help` lists");
    }

    /// Found by the fuzz target `specs`: a name with a line break made two lines of the message. In
    /// another case, comparing a guest's name of 8 MB with every known name took a gigabyte of
    /// memory.
    #[test]
    fn whatever_the_name_is_the_message_is_a_short_line() {
        let error = UnknownName::new("agent", "one\ntwo", &["random"]).to_string();
        assert_eq!(error, r"unknown agent 'one\ntwo': expected one of random");
        let error = UnknownName::new("agent", &"x".repeat(100_000_000), &["random"]).to_string();
        assert!(error.len() < 100, "{error}");
    }
}
