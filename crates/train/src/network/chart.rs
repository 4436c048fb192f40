//! Charts of a training run as SVG: losses, learning rates and strength by round.

use std::ops::Range;

use plotters::coord::Shift;
use plotters::prelude::*;
use wurfel_arena::Interval;

use super::error::RunError;
use super::metrics::{CurvePoint, Hyperbola, Rate, Round};

/// The maximum number of points of a curve; more could not be distinguished.
const POINTS: usize = 600;
const COLOURS: [RGBColor; 5] = [
    RGBColor(43, 95, 179),
    RGBColor(200, 55, 45),
    RGBColor(60, 141, 64),
    RGBColor(138, 91, 176),
    RGBColor(176, 122, 30),
];
const PAPER: RGBColor = RGBColor(251, 250, 247);
const INK: RGBColor = RGBColor(58, 57, 54);
const GRID: RGBColor = RGBColor(221, 215, 201);
const TEXT: u32 = 14;
const WIDTH: u32 = 760;
const HEIGHT: u32 = 280;
/// The space on the right for the names of the curves.
const NAMES: u32 = 170;
/// The variance below which paper `policy-value-network` calls its loss stable (figure 4).
const STABLE: f64 = 0.01;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type DrawResult = Result<(), Box<dyn std::error::Error>>;

/// How the points of a curve are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Line,
    Dashed,
    Dots,
}

struct Curve {
    name: String,
    points: Vec<(f64, f64)>,
    /// The lower and upper ends of intervals, each at its x; they are drawn as bars.
    bars: Vec<(f64, Interval)>,
    style: Style,
}

impl Curve {
    /// A curve through these points, without points of a loss that has overflowed.
    fn new(name: &str, style: Style, mut points: Vec<(f64, f64)>) -> Self {
        points.retain(|(across, up)| across.is_finite() && up.is_finite());
        Self { name: name.to_owned(), points, bars: vec![], style }
    }

    fn line(name: &str, points: Vec<(f64, f64)>) -> Self {
        Self::new(name, Style::Line, points)
    }

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
pub fn losses(rounds: &[Round]) -> Result<String, RunError> {
    let over = |value: fn(&Round) -> Option<f32>| -> Vec<(f64, f64)> {
        let point = |round: &Round| Some((round.round as f64, f64::from(value(round)?)));
        rounds.iter().filter_map(point).collect()
    };
    let mut curves = vec![
        Curve::line("loss", over(|round| round.loss)),
        Curve::line("policy", over(|round| round.policy_loss)),
        Curve::line("value", over(|round| round.value_loss)),
        Curve::line("entropy", over(|round| round.entropy)),
    ];
    let (at, numbers): (Vec<f64>, Vec<f64>) = over(|round| round.loss).into_iter().unzip();
    if let Some(fit) = Hyperbola::fit(&numbers) {
        let points = at.iter().enumerate();
        let points = points.map(|(t, round)| (*round, fit.at(t as f64))).collect();
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
pub fn rates(rounds: &[Round]) -> Result<String, RunError> {
    let rate = |round: &Round| f64::from(round.learning_rate);
    let learned = || rounds.iter().filter(|round| round.has_learned());
    let curve = learned().map(|round| (round.steps as f64, rate(round))).collect();
    let dot = |round: &Round| Some((rate(round), f64::from(round.loss?)));
    let dots = rounds.iter().filter_map(dot).collect();
    let dots = Curve::new("loss", Style::Dots, dots);
    image(&[
        Panel { x: "step", y: "learning rate", curves: vec![Curve::line("rate", curve)] },
        Panel { x: "learning rate", y: "loss", curves: vec![dots] },
    ])
}

/// Draws win rates with their intervals by the number of games, luck-adjusted where luck was
/// measured; `None` before the first evaluation.
pub fn strength(rounds: &[Round]) -> Result<Option<String>, RunError> {
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
    let panel = Panel { x: "games", y: "win rate in %", curves };
    (!panel.curves.is_empty()).then(|| image(&[panel])).transpose()
}

/// Draws ratings with their intervals by the number of games; `None` without any.
pub fn elo(points: &[CurvePoint], anchor: &str) -> Result<Option<String>, RunError> {
    let mut curve = Curve::line("Elo", vec![]);
    for point in points {
        curve.add(point.games as f64, point.elo, point.interval);
    }
    let y = format!("Elo above {anchor}, 95 % intervals");
    let render = || image(&[Panel { x: "games", y: &y, curves: vec![curve] }]);
    (!points.is_empty()).then(render).transpose()
}

/// The image of these panels, one below the other.
fn image(panels: &[Panel<'_>]) -> Result<String, RunError> {
    let mut svg = String::new();
    draw(panels, &mut svg).map_err(|error| RunError::Chart(error.to_string()))?;
    Ok(svg)
}

fn draw(panels: &[Panel<'_>], svg: &mut String) -> DrawResult {
    let size = (WIDTH, HEIGHT * panels.len() as u32);
    let area = SVGBackend::with_string(svg, size).into_drawing_area();
    area.fill(&PAPER)?;
    for (panel, part) in panels.iter().zip(area.split_evenly((panels.len(), 1))) {
        panel.draw(&part)?;
    }
    area.present()?;
    Ok(())
}

/// A range that contains the numbers with some margin, and that is not empty even if they are all
/// equal.
fn range(numbers: impl Iterator<Item = f64>) -> Range<f64> {
    let (least, most) =
        numbers.fold((f64::MAX, f64::MIN), |(least, most), x| (least.min(x), most.max(x)));
    let air = if most > least { 0.03 * (most - least) } else { 0.5 };
    least - air..most + air
}

impl Panel<'_> {
    fn draw(&self, area: &Area<'_>) -> DrawResult {
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        if points().next().is_none() {
            return Ok(());
        }
        let bars = self.curves.iter().flat_map(|curve| &curve.bars);
        let ends = bars.flat_map(|(_, interval)| interval.ends());
        let across = range(points().map(|point| point.0));
        let up = range(points().map(|point| point.1).chain(ends));
        let mut chart = ChartBuilder::on(area)
            .margin(12)
            .margin_right(NAMES)
            .x_label_area_size(40)
            .y_label_area_size(64)
            .build_cartesian_2d(across, up)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(GRID)
            .label_style(("sans-serif", TEXT).into_font().color(&INK))
            .x_labels(6)
            .y_labels(6)
            .x_label_formatter(&|&value| number(value))
            .y_label_formatter(&|&value| number(value))
            .x_desc(self.x)
            .y_desc(self.y)
            .draw()?;
        for (place, curve) in self.curves.iter().enumerate() {
            let colour = COLOURS[place % COLOURS.len()];
            let step = curve.bars.len().div_ceil(POINTS).max(1);
            chart.draw_series(curve.bars.iter().step_by(step).map(
                |&(across, Interval { low, high })| {
                    PathElement::new([(across, low), (across, high)], colour.mix(0.6))
                },
            ))?;
            let step = curve.points.len().div_ceil(POINTS).max(1);
            let shown = curve.points.iter().copied().step_by(step);
            let line = colour.stroke_width(2);
            match curve.style {
                Style::Dots => {
                    chart.draw_series(shown.map(|point| Circle::new(point, 2, colour.filled())))?
                }
                Style::Line => chart.draw_series(LineSeries::new(shown, line))?,
                Style::Dashed => chart.draw_series(DashedLineSeries::new(shown, 6, 4, line))?,
            };
            let at = ((WIDTH - NAMES + 10) as i32, 20 + 16 * place as i32);
            let style = ("sans-serif", TEXT).into_font().color(&colour);
            area.draw(&Text::new(curve.name.clone(), at, style))?;
        }
        Ok(())
    }
}

/// A number beside an axis. Numbers that should be round there are not exactly round in binary.
fn number(value: f64) -> String {
    ((value * 1e9).round() / 1e9 + 0.0).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_round_numbers() {
        let points = vec![(0.0, -159.0), (512.0, 42.0), (16_384.0, 170.0), (9.0, f64::NAN)];
        let svg = image(&[Panel {
            x: "games",
            y: "Elo <1>",
            curves: vec![Curve::line("a & b", points)],
        }])
        .unwrap();
        let texts: Vec<&str> =
            svg.lines().filter(|line| !line.starts_with('<')).map(str::trim).collect();
        for text in ["-100", "0", "100", "5000", "15000", "games", "Elo &lt;1&gt;", "a &amp; b"] {
            assert!(texts.contains(&text), "{text}: {texts:?}");
        }
        assert!(!svg.contains("NaN"));
    }

    #[test]
    fn one_point_has_room_around_it() {
        let svg = losses(&[]).unwrap();
        assert!(svg.starts_with("<svg"));
        let curve = Curve::line("loss", vec![(1.0, 2.0)]);
        let svg = image(&[Panel { x: "round", y: "loss", curves: vec![curve] }]).unwrap();
        assert!(svg.contains("\n2\n") && !svg.contains("NaN"), "{svg}");
    }

    #[test]
    fn numbers_are_as_short_as_they_are() {
        let shown = [-0.0, 0.1 + 0.2, -100.0, 20_000.0, 2e-4, 1e-12].map(number);
        assert_eq!(shown, ["0", "0.3", "-100", "20000", "0.0002", "0"]);
    }
}
