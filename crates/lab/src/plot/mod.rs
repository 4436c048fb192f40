//! The plot of an experiment: our figures with their intervals and the paper's beside them, as SVG.
//!
//! It is drawn on a white panel of its own, so that one file is legible on light and dark pages.
//! Rows with long labels become horizontal bars. Figures along a setting of the grid become lines
//! over its values, which are evenly spaced, because settings such as 1, 4 and 8 seconds, or names,
//! have no common scale.

mod bars;
pub(crate) mod definition;
mod lines;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::LabError;
use crate::checks::fits;
use crate::definition::Definition;
use crate::results::{Figures, ResultCell, ResultTable};

use definition::{PlotDefinition, PlotKind};

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type DrawResult = Result<(), Box<dyn std::error::Error>>;

/// Colours that people with any colour vision can distinguish (M. Okabe and K. Ito, 2008), without
/// the yellow, which is faint on white.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(90, 90, 90),
];

const INK: RGBColor = RGBColor(32, 32, 32);
const FAINT: RGBColor = RGBColor(216, 216, 216);
const TEXT: i32 = 12;
const WIDTH: u32 = 900;

fn colour(number: usize) -> RGBColor {
    COLOURS[number % COLOURS.len()]
}

/// Writes a text at a point, with the given horizontal anchor.
fn write(area: &Area<'_>, text: &str, at: (i32, i32), h: HPos, size: i32) -> DrawResult {
    // The library reduces sizes by this factor.
    let size = f64::from(size) * 1.24;
    let style = ("sans-serif", size).into_font().color(&INK).pos(Pos::new(h, VPos::Center));
    area.draw(&Text::new(text.to_owned(), at, style))?;
    Ok(())
}

/// An estimate of the width of a text, in pixels; the library cannot measure text without a font.
fn width(text: &str) -> i32 {
    (text.chars().count() as f64 * f64::from(TEXT) * 0.58).ceil() as i32
}

/// The places of the entries of a legend, in lines from `top` on, and where the legend ends.
fn places(entries: &[String], top: i32) -> (Vec<(i32, i32)>, i32) {
    let (mut x, mut y) = (16, top);
    let mut places = vec![];
    for entry in entries {
        let wide = width(entry) + 34;
        if x > 16 && x + wide > WIDTH as i32 {
            (x, y) = (16, y + 20);
        }
        places.push((x, y));
        x += wide;
    }
    (places, y + 20)
}

/// A title with the names of series below it, and the place where the plot below them begins.
struct Head<'a> {
    title: &'a str,
    entries: Vec<String>,
    /// The number of series; the entry after them is the paper's.
    series: usize,
    places: Vec<(i32, i32)>,
    end: i32,
}

impl<'a> Head<'a> {
    fn new(title: &'a str, names: Vec<String>, paper: bool) -> Self {
        let (series, mut entries) = (names.len(), names);
        entries.extend(paper.then(|| "the paper".to_owned()));
        let (places, end) = places(&entries, 48);
        Self { title, entries, series, places, end: end + 8 }
    }

    /// Begins an image whose part below the head has this height, and draws the head.
    fn draw<'s>(
        &self,
        svg: &'s mut String,
        height: i32,
    ) -> Result<Area<'s>, Box<dyn std::error::Error>> {
        let size = (WIDTH, (self.end + height) as u32);
        let area = SVGBackend::with_string(svg, size).into_drawing_area();
        write(&area, self.title, (16, 22), HPos::Left, TEXT + 3)?;
        for (number, (entry, &(x, y))) in self.entries.iter().zip(&self.places).enumerate() {
            let point = (x + 6, y);
            if number < self.series {
                area.draw(&Circle::new(point, 5, colour(number).filled()))?;
            } else {
                area.draw(&Circle::new(point, 5, INK.stroke_width(2)))?;
            }
            write(&area, entry, (x + 18, y), HPos::Left, TEXT)?;
        }
        Ok(area)
    }
}

/// The contents of a plot, whatever its form.
struct Picture<'a> {
    title: &'a str,
    plot: &'a PlotDefinition,
    cells: Vec<&'a ResultCell>,
    paper: &'a Figures,
    /// The paper's figures for these cells.
    figures: Vec<f64>,
}

impl<'a> Picture<'a> {
    fn new(
        title: &'a str,
        plot: &'a PlotDefinition,
        cells: Vec<&'a ResultCell>,
        paper: &'a Figures,
    ) -> Self {
        let figures =
            cells.iter().filter_map(|cell| paper.value(&cell.row, &cell.column)).collect();
        Self { title, plot, cells, paper, figures }
    }

    /// The head over series with these names.
    fn head(&self, names: Vec<String>) -> Head<'a> {
        Head::new(self.title, names, !self.figures.is_empty())
    }

    /// The title of the axis of values.
    fn axis(&self) -> String {
        self.plot.y.clone().unwrap_or_else(|| self.plot.columns.join(", "))
    }

    /// The range of all figures with some margin; it includes 0 if `from_zero`.
    fn range(&self, from_zero: bool) -> (f64, f64) {
        let (mut low, mut high) = if from_zero { (0.0, 0.0) } else { (f64::MAX, f64::MIN) };
        let ends = self.cells.iter().flat_map(|cell| [cell.bounds().0, cell.bounds().1]);
        for value in ends.chain(self.figures.iter().copied()) {
            (low, high) = (f64::min(low, value), f64::max(high, value));
        }
        if low >= high {
            (low, high) = (low - 0.5, high + 0.5);
        }
        let air = 0.04 * (high - low);
        (if from_zero && low == 0.0 { 0.0 } else { low - air }, high + air)
    }
}

/// A number beside an axis whose steps are `step` apart.
fn tick(value: f64, step: f64) -> String {
    let places = (-step.log10().floor()).clamp(0.0, 9.0) as usize;
    format!("{value:.places$}")
}

/// About `count` round numbers in a range, and the distance between them.
fn ticks((low, high): (f64, f64), count: f64) -> (Vec<f64>, f64) {
    let rough = (high - low) / count;
    let power = 10f64.powf(rough.log10().floor());
    let step =
        [1.0, 2.0, 5.0, 10.0].into_iter().find(|n| n * power >= rough).unwrap_or(10.0) * power;
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    ((first..=last).map(|n| n as f64 * step).collect(), step)
}

/// The plot of a table; `None` where the definition asks for none, its cells were not measured, or
/// it goes along a setting and the cells were read from a file, which does not have their settings.
/// Fails when the library refuses to draw it.
pub(crate) fn plot(
    definition: &Definition,
    table: &ResultTable,
    paper: &Figures,
) -> Result<Option<String>, LabError> {
    let Some(plot) = &definition.plot else { return Ok(None) };
    let shown = |cell: &&ResultCell| {
        let row = plot.rows.as_ref().is_none_or(|pattern| fits(pattern, &cell.row).is_some());
        row && plot.columns.iter().any(|pattern| fits(pattern, &cell.column).is_some())
    };
    let cells: Vec<&ResultCell> = table.cells().iter().filter(shown).collect();
    let along_setting = plot.kind == PlotKind::Lines && plot.x != "row";
    if cells.is_empty() || along_setting && !cells.iter().any(|cell| cell.at.contains_key(&plot.x))
    {
        return Ok(None);
    }
    let title = plot.title.as_ref().unwrap_or(&definition.title);
    let mut svg = String::new();
    let picture = Picture::new(title, plot, cells, paper);
    let result = match plot.kind {
        PlotKind::Bars => bars::draw(&mut svg, &picture),
        PlotKind::Lines => lines::draw(&mut svg, &picture),
    };
    result.map_err(|error| LabError::Input(format!("the picture: {error}")))?;
    Ok(Some(on_a_panel(&svg)))
}

/// The plot on a white panel, which scales with its page.
fn on_a_panel(svg: &str) -> String {
    let Some(end) = svg.find("<svg").and_then(|at| Some(at + svg[at..].find('>')? + 1)) else {
        return svg.to_owned();
    };
    let panel = "\n<rect width=\"100%\" height=\"100%\" rx=\"12\" fill=\"#ffffff\"/>";
    format!("{}{panel}{}", &svg[..end], &svg[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers_within_the_range() {
        let shown = |range, count| -> Vec<String> {
            let (ticks, step) = ticks(range, count);
            ticks.into_iter().map(|value| tick(value, step)).collect()
        };
        assert_eq!(shown((0.0, 1.04), 5.0), ["0.0", "0.5", "1.0"]);
        assert_eq!(shown((0.42, 0.71), 6.0), ["0.45", "0.50", "0.55", "0.60", "0.65", "0.70"]);
        assert_eq!(shown((-3.0, 45_000.0), 4.0), ["0", "20000", "40000"]);
    }

    #[test]
    fn ours_and_the_papers_figures_are_in_the_picture() {
        let head = "title = 'Rates <1 s'\npaper = 'p'\nsection = '§1'\nkind = 'replicated'\n\
            game = 'einstein'\nclaim = 'c'\nreading = 'r'\nfull_hours = 0.1\n";
        let at = |ms: &str, row: &str, value: f64| {
            let cell = ResultCell::new(row, "rate", value).within(value - 0.05, value + 0.05);
            cell.at(&crate::grid::GridPoint(vec![("ms".into(), ms.into())]))
        };
        let table = ResultTable::new(vec![at("1", "1 ms", 0.5), at("4", "4 ms", 0.7)]);
        let paper = Figures::read("paper.csv", "row,column,value\n4 ms,rate,0.6\n").unwrap();
        for kind in ["lines", "bars"] {
            let text = format!("{head}[plot]\nkind = '{kind}'\nx = 'ms'\ncolumns = ['rate']\n");
            let definition = Definition::read("p/t", &text).unwrap();
            let svg = plot(&definition, &table, &paper).unwrap().unwrap();
            assert!(svg.contains("Rates &lt;1 s") && svg.contains("the paper"), "{svg}");
            // At least one point of ours in the legend, and a ring of the paper's there and in the
            // plot.
            assert!(svg.matches("<circle").count() >= 3, "{svg}");
            let other = ResultTable::new(vec![ResultCell::new("1 ms", "other", 1.0)]);
            assert_eq!(plot(&definition, &other, &paper).unwrap(), None);
        }
    }
}
