//! The marks of moves and rolls, and the grades of players.

/// How bad a move was, by the win probability that it lost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// At least 0.02.
    Doubtful,
    /// At least 0.04.
    Error,
    /// At least 0.08.
    Blunder,
}

impl Mark {
    /// All marks with the smallest loss that earns each of them, worst first.
    pub const BOUNDS: [(Mark, f64); 3] =
        [(Mark::Blunder, 0.08), (Mark::Error, 0.04), (Mark::Doubtful, 0.02)];

    /// The mark of a move that lost this much; `None` for a good move.
    ///
    /// ```
    /// use wurfel_arena::Mark;
    ///
    /// assert_eq!(Mark::of(0.01), None);
    /// assert_eq!(Mark::of(0.05).map(Mark::symbol), Some("?"));
    /// ```
    pub fn of(lost: f64) -> Option<Self> {
        Self::BOUNDS.into_iter().find(|&(_, least)| lost >= least).map(|(mark, _)| mark)
    }

    /// The symbol behind a move: `?!`, `?`, `??`.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Doubtful => "?!",
            Self::Error => "?",
            Self::Blunder => "??",
        }
    }
}

/// How lucky a roll was, by the win probability that it brought.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LuckMark {
    /// At least 0.3.
    VeryLucky,
    /// At least 0.15.
    Lucky,
    /// At most −0.15.
    Unlucky,
    /// At most −0.3.
    VeryUnlucky,
}

impl LuckMark {
    /// The mark of a roll with this luck; `None` for an ordinary roll.
    pub fn of(luck: f64) -> Option<Self> {
        match luck {
            0.3.. => Some(Self::VeryLucky),
            0.15.. => Some(Self::Lucky),
            ..=-0.3 => Some(Self::VeryUnlucky),
            ..=-0.15 => Some(Self::Unlucky),
            _ => None,
        }
    }

    /// The symbol behind a roll: `++`, `+`, `-`, `--`.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::VeryLucky => "++",
            Self::Lucky => "+",
            Self::Unlucky => "-",
            Self::VeryUnlucky => "--",
        }
    }
}

/// The grades, each with the largest mean loss of a decision that still earns it.
///
/// The names follow those of GNU Backgammon; the bounds are this project's own.
pub const GRADES: [(&str, f64); 6] = [
    ("flawless", 0.001),
    ("expert", 0.006),
    ("advanced", 0.015),
    ("intermediate", 0.03),
    ("casual", 0.06),
    ("beginner", f64::INFINITY),
];

/// The grade of a player with this error rate.
pub(crate) fn grade(error_rate: f64) -> &'static str {
    GRADES.iter().find(|(_, most)| error_rate <= *most).map_or("", |(name, _)| name)
}
