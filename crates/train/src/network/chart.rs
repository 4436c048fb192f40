//! Charts of a training run as SVG: losses, learning rates and strength by round.

use std::fmt::Write;

use wurfel_arena::Interval;

use super::curve::CurvePoint;
use super::metrics::{Hyperbola, Rate, Round};

/// The maximum number of points of a curve; more could not be told apart.
const POINTS: usize = 600;
const COLOURS: [&str; 5] = ["#2b5fb3", "#c8372d", "#3c8d40", "#8a5bb0", "#b07a1e"];
/// The variance below which paper `policy-value-network` calls its loss stable (figure 4).
const STABLE: f64 = 0.01;

/// How the points of a curve are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Line,
    Dashed,
    Dots,
}

/// A curve with its name.
struct Curve {
    name: String,
    points: Vec<(f64, f64)>,
    /// The ends of intervals, each at its place: drawn as a bar.
    bars: Vec<(f64, Interval)>,
    style: Style,
}

impl Curve {
    fn new(name: &str, style: Style, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.to_owned(), points, bars: vec![], style }
    }

    fn line(name: &str, points: Vec<(f64, f64)>) -> Self {
        Self::new(name, Style::Line, points)
    }

    /// Adds a point with its interval.
    fn add(&mut self, x: f64, y: f64, interval: Interval) {
        self.points.push((x, y));
        self.bars.push((x, interval));
    }
}

/// Curves over one pair of axes.
struct Panel<'a> {
    x: &'static str,
    y: &'a str,
    curves: Vec<Curve>,
}

/// Draws the losses with a fitted hyperbola, and their variance (figure 4 of the paper).
pub fn losses(rounds: &[Round]) -> String {
    let learned: Vec<&Round> = rounds.iter().filter(|round| round.loss > 0.0).collect();
    let over = |value: fn(&Round) -> f32| -> Vec<(f64, f64)> {
        learned.iter().map(|round| (round.round as f64, f64::from(value(round)))).collect()
    };
    let mut curves = vec![
        Curve::line("loss", over(|round| round.loss)),
        Curve::line("policy", over(|round| round.policy_loss)),
        Curve::line("value", over(|round| round.value_loss)),
        Curve::line("entropy", over(|round| round.entropy)),
    ];
    let numbers: Vec<f64> = learned.iter().map(|round| f64::from(round.loss)).collect();
    if let Some(fit) = Hyperbola::fit(&numbers) {
        let points = learned.iter().enumerate();
        let points = points.map(|(t, round)| (round.round as f64, fit.at(t as f64))).collect();
        curves.push(Curve::new("hyperbola", Style::Dashed, points));
    }
    let variance = over(|round| round.variance);
    let ends = variance.first().into_iter().chain(variance.last());
    let bound = ends.map(|&(round, _)| (round, STABLE)).collect();
    let variances =
        vec![Curve::line("variance", variance), Curve::new("stable below", Style::Dashed, bound)];
    image(&[
        Panel { x: "round", y: "loss", curves },
        Panel { x: "round", y: "variance of the loss", curves: variances },
    ])
}

/// Draws the learning rate, and the losses by learning rate (figure 5 of the paper).
pub fn rates(rounds: &[Round]) -> String {
    let learned = || rounds.iter().filter(|round| round.loss > 0.0);
    let rate = |round: &Round| f64::from(round.learning_rate);
    let curve = learned().map(|round| (round.steps as f64, rate(round))).collect();
    let dots = learned().map(|round| (rate(round), f64::from(round.loss))).collect();
    let dots = Curve::new("loss", Style::Dots, dots);
    image(&[
        Panel { x: "step", y: "learning rate", curves: vec![Curve::line("rate", curve)] },
        Panel { x: "learning rate", y: "loss", curves: vec![dots] },
    ])
}

/// Draws win rates with their intervals by the number of games, with the luck taken off where it was
/// measured; `None` before the first evaluation.
pub fn strength(rounds: &[Round]) -> Option<String> {
    let measured =
        || rounds.iter().filter_map(|round| Some((round.games as f64, round.evaluation.as_ref()?)));
    let mut curves: Vec<Curve> = vec![];
    for (games, strength) in measured() {
        for won in strength.against_best.iter().chain(&strength.opponents) {
            let place = curves.iter().position(|curve| curve.name == won.opponent);
            let place = place.unwrap_or_else(|| {
                curves.push(Curve::line(&won.opponent, vec![]));
                curves.len() - 1
            });
            let Rate { win_rate, interval: Interval { low, high } } = won.rate();
            let interval = Interval { low: 100.0 * low, high: 100.0 * high };
            curves[place].add(games, 100.0 * win_rate, interval);
        }
    }
    (!curves.is_empty()).then(|| image(&[Panel { x: "games", y: "win rate in %", curves }]))
}

/// Draws ratings with their intervals by the number of games; `None` without any.
pub fn elo(points: &[CurvePoint], anchor: &str) -> Option<String> {
    let mut curve = Curve::line("Elo", vec![]);
    for point in points {
        curve.add(point.games as f64, point.elo, point.interval);
    }
    let y = format!("Elo above {anchor}, 95 % intervals");
    (!points.is_empty()).then(|| image(&[Panel { x: "games", y: &y, curves: vec![curve] }]))
}

/// Panels one below the other.
fn image(panels: &[Panel<'_>]) -> String {
    const WIDTH: f64 = 760.0;
    const HEIGHT: f64 = 280.0;
    let height = HEIGHT * panels.len() as f64;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         width=\"{WIDTH}\" height=\"{height}\" font-family=\"Helvetica, Arial, sans-serif\" \
         font-size=\"12\" fill=\"#5c5a55\" role=\"img\">\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#fbfaf7\"/>\n"
    );
    for (place, panel) in panels.iter().enumerate() {
        panel.draw(HEIGHT * place as f64, &mut out);
    }
    out + "</svg>\n"
}

/// The smallest and the largest of the numbers, moved apart if they are equal.
fn ends(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let (least, most) =
        numbers.fold((f64::MAX, f64::MIN), |(least, most), x| (least.min(x), most.max(x)));
    if most > least { (least, most) } else { (least - 0.5, least + 0.5) }
}

impl Panel<'_> {
    // Writing into memory cannot fail.
    fn draw(&self, top: f64, out: &mut String) {
        let (left, right, upper, lower) = (64.0, 590.0, top + 16.0, top + 236.0);
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        if points().next().is_none() {
            return;
        }
        let across = ends(points().map(|point| point.0));
        let bars = || self.curves.iter().flat_map(|curve| &curve.bars);
        let heights = bars().flat_map(|(_, interval)| [interval.low, interval.high]);
        let up = ends(points().map(|point| point.1).chain(heights));
        let x = |value: f64| left + (right - left) * (value - across.0) / (across.1 - across.0);
        let y = |value: f64| lower - (lower - upper) * (value - up.0) / (up.1 - up.0);
        for quarter in 0..=4 {
            let share = f64::from(quarter) / 4.0;
            let (h, v) = (across.0 + share * (across.1 - across.0), up.0 + share * (up.1 - up.0));
            let _ = writeln!(
                out,
                "<line x1=\"{left}\" y1=\"{0:.1}\" x2=\"{right}\" y2=\"{0:.1}\" stroke=\"#ddd7c9\"/>\
                 <text x=\"{1}\" y=\"{2:.1}\" text-anchor=\"end\">{3}</text>\
                 <text x=\"{4:.1}\" y=\"{5}\" text-anchor=\"middle\">{6}</text>",
                y(v),
                left - 6.0,
                y(v) + 4.0,
                number(v),
                x(h),
                lower + 16.0,
                number(h)
            );
        }
        let _ = writeln!(
            out,
            "<text x=\"{0}\" y=\"{1}\" text-anchor=\"end\">{2}</text>\
             <text x=\"{3}\" y=\"{4}\" fill=\"#3a3936\">{5}</text>",
            right,
            lower + 32.0,
            self.x,
            left,
            upper - 4.0,
            escaped(self.y)
        );
        for (place, curve) in self.curves.iter().enumerate() {
            let colour = COLOURS[place % COLOURS.len()];
            let step = curve.bars.len().div_ceil(POINTS).max(1);
            for (across, Interval { low, high }) in curve.bars.iter().step_by(step) {
                let _ = writeln!(
                    out,
                    "<path d=\"M{0:.1},{1:.1}V{2:.1}m-3,0h6M{0:.1},{1:.1}m-3,0h6\" fill=\"none\" \
                     stroke=\"{colour}\" stroke-opacity=\"0.6\"/>",
                    x(*across),
                    y(*low),
                    y(*high)
                );
            }
            let step = curve.points.len().div_ceil(POINTS).max(1);
            let shown = curve.points.iter().step_by(step);
            let shown = shown.map(|&(across, up)| (x(across), y(up)));
            if curve.style == Style::Dots {
                for (x, y) in shown {
                    let _ = writeln!(
                        out,
                        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2\" fill=\"{colour}\"/>"
                    );
                }
            } else {
                let path: Vec<String> = shown.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
                let dashes =
                    if curve.style == Style::Dashed { " stroke-dasharray=\"6 4\"" } else { "" };
                let _ = writeln!(
                    out,
                    "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" \
                     stroke-width=\"1.6\"{dashes}/>",
                    path.join(" ")
                );
            }
            let _ = writeln!(
                out,
                "<text x=\"{}\" y=\"{}\" fill=\"{colour}\" font-size=\"11\">{}</text>",
                right + 10.0,
                upper + 10.0 + 16.0 * place as f64,
                escaped(&curve.name)
            );
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// A number with three significant digits.
fn number(value: f64) -> String {
    match value.abs() {
        100.0.. => format!("{value:.0}"),
        10.0.. => format!("{value:.1}"),
        0.1.. => format!("{value:.2}"),
        0.0 => "0".into(),
        _ => format!("{value:.1e}"),
    }
}
