//! The graph of a reviewed game: the win probability after each move, as text and as SVG.

use std::fmt::Write;

use wurfel_core::{BySide, Game, Side};

use crate::study::marks::Mark;
use crate::study::review::Review;

/// The win probability of the **first side** through a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Graph {
    /// For each decision the value before the roll, after the best move, and after the move that
    /// was made, and the move's mark.
    turns: Vec<(f64, f64, f64, Option<Mark>)>,
    last: f64,
    sides: BySide<String>,
}

/// The size of the graph as text: its rows, and below, the largest number of columns.
const ROWS: usize = 11;
const COLUMNS: usize = 72;

impl Graph {
    /// The graph of a game, with the names of the sides.
    pub fn new<G: Game>(review: &Review<G>, sides: BySide<String>) -> Self {
        let turn = |decided: &crate::study::review::ReviewedDecision<G>| {
            let first = |value: f64| match decided.side() {
                Side::First => value,
                Side::Second => 1.0 - value,
            };
            let best = decided.best();
            let before = decided.before.unwrap_or(best);
            (first(before), first(best), first(decided.made()), Mark::of(decided.lost()))
        };
        Self { turns: review.decisions.iter().map(turn).collect(), last: review.last, sides }
    }

    /// The value before each roll, and the final one.
    fn values(&self) -> Vec<f64> {
        self.turns.iter().map(|turn| turn.0).chain([self.last]).collect()
    }

    /// The graph as text, under the name of the first side, with a column for each decision or, in
    /// a long game, for several.
    pub fn text(&self) -> String {
        let values = self.values();
        let step = values.len().div_ceil(COLUMNS).max(1);
        let shown: Vec<f64> = values.chunks(step).map(|chunk| chunk[chunk.len() - 1]).collect();
        let mut out = format!("{}'s win probability\n", self.sides[Side::First]);
        for row in 0..ROWS {
            let level = ROWS - 1 - row;
            let name =
                if level.is_multiple_of(5) { format!("{:3} %", 10 * level) } else { String::new() };
            let _ = write!(out, "{name:>5} |");
            for value in &shown {
                let here = (value * (ROWS - 1) as f64).round() as usize == level;
                out.push(if here {
                    '*'
                } else if level == 5 {
                    '-'
                } else {
                    ' '
                });
            }
            out.truncate(out.trim_end().len());
            out.push('\n');
        }
        out
    }

    /// The graph as a stand-alone SVG image. The line steps with each roll (luck) and falls with
    /// each error, which is marked by a dot, larger for a worse error.
    pub fn svg(&self) -> String {
        const LEFT: f64 = 52.0;
        const TOP: f64 = 34.0;
        const HEIGHT: f64 = 240.0;
        let turns = self.turns.len().max(1) as f64;
        let step = (720.0 / turns).clamp(4.0, 36.0);
        let (width, right) = (LEFT + step * turns + 24.0, LEFT + step * turns);
        let x = |place: f64| LEFT + step * place;
        let y = |value: f64| TOP + HEIGHT * (1.0 - value);
        let names = self.sides.clone().map(|name| escape(&name));
        let (first, second) = (&names[Side::First], &names[Side::Second]);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {bottom:.0}\" \
             width=\"{width:.0}\" height=\"{bottom:.0}\" font-family=\"Helvetica, Arial, sans-serif\" \
             font-size=\"12\" role=\"img\">\n<title>Win probability of {first} against {second}</title>\n\
             <rect width=\"{width:.0}\" height=\"{bottom:.0}\" fill=\"#fbfaf7\"/>\n\
             <text x=\"{LEFT}\" y=\"20\" font-size=\"14\" fill=\"#3a3936\">Win probability of {first}</text>\n",
            bottom = TOP + HEIGHT + 44.0,
        );
        // Writing into memory cannot fail.
        for quarter in 0..=4 {
            let value = f64::from(quarter) / 4.0;
            let (y, shade) = (y(value), if quarter == 2 { "#9a958a" } else { "#ddd7c9" });
            let _ = writeln!(
                out,
                "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right:.1}\" y2=\"{y:.1}\" stroke=\"{shade}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#5c5a55\">{:.0} %</text>",
                LEFT - 6.0,
                y + 4.0,
                100.0 * value
            );
        }
        let (mut line, mut dots) = (String::new(), String::new());
        for (place, &(before, best, made, mark)) in self.turns.iter().enumerate() {
            let place = place as f64;
            let (roll, mv) = (x(place + 0.4), x(place + 0.8));
            let _ = write!(
                line,
                "{:.1},{:.1} {roll:.1},{:.1} {mv:.1},{:.1} ",
                x(place),
                y(before),
                y(best),
                y(made)
            );
            if let Some(mark) = mark {
                let radius = match mark {
                    Mark::Doubtful => 2.5,
                    Mark::Error => 4.0,
                    Mark::Blunder => 5.5,
                };
                let _ = writeln!(
                    dots,
                    "<circle cx=\"{mv:.1}\" cy=\"{:.1}\" r=\"{radius}\" fill=\"#c8372d\"/>",
                    y(made)
                );
            }
            if (place as usize + 1).is_multiple_of(5) {
                let _ = writeln!(
                    out,
                    "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#5c5a55\">{}</text>",
                    x(place),
                    TOP + HEIGHT + 18.0,
                    place + 1.0
                );
            }
        }
        let _ = write!(line, "{:.1},{:.1}", x(self.turns.len() as f64), y(self.last));
        let _ = writeln!(
            out,
            "<polyline points=\"{line}\" fill=\"none\" stroke=\"#2b5fb3\" stroke-width=\"1.8\" stroke-linejoin=\"round\"/>"
        );
        out + &dots + "</svg>\n"
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
