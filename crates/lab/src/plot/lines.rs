//! Figures along a setting: a line for each column and each choice of the other settings.

use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::{
    DrawResult, FAINT, INK, Picture, PlotDefinition, TEXT, WIDTH, colour, tick, ticks, width, write,
};
use crate::results::ResultCell;

const HEIGHT: i32 = 320;

/// Cells that are joined by a line, each with its place on the axis.
struct Series<'a> {
    name: String,
    cells: Vec<(usize, &'a ResultCell)>,
}

/// The series in the order in which they first appear, and the labels along the axis.
fn series<'a>(plot: &PlotDefinition, cells: &[&'a ResultCell]) -> (Vec<Series<'a>>, Vec<String>) {
    let (mut all, mut along): (Vec<Series<'a>>, Vec<String>) = (vec![], vec![]);
    for cell in cells {
        let label = cell.at.get(&plot.x).unwrap_or(&cell.row);
        let place = along.iter().position(|known| known == label).unwrap_or_else(|| {
            along.push(label.clone());
            along.len() - 1
        });
        let mut name = vec![cell.column.clone()];
        if plot.x != "row" {
            let others = cell.at.iter().filter(|(key, _)| **key != plot.x);
            name.extend(others.map(|(key, value)| format!("{key} {value}")));
        }
        let name = name.join(", ");
        match all.iter_mut().find(|known| known.name == name) {
            Some(known) => known.cells.push((place, cell)),
            None => all.push(Series { name, cells: vec![(place, cell)] }),
        }
    }
    (all, along)
}

pub(super) fn draw(svg: &mut String, picture: &Picture<'_>) -> DrawResult {
    let (plot, paper) = (picture.plot, picture.paper);
    let (all, along) = series(plot, &picture.cells);
    let names: Vec<String> = all.iter().map(|series| series.name.clone()).collect();
    let head = picture.head(names);
    let top = head.end;
    let area = head.draw(svg, HEIGHT + 64)?;

    let (left, right, bottom) = (72, WIDTH as i32 - 32, top + HEIGHT);
    let (low, high) = picture.range(false);
    let y = |value: f64| bottom - ((value - low) / (high - low) * f64::from(HEIGHT)) as i32;
    let each = f64::from(right - left) / along.len() as f64;
    let x = |place: usize| left + (each * (place as f64 + 0.5)) as i32;
    let (marks, step) = ticks((low, high), 6.0);
    for mark in marks {
        area.draw(&PathElement::new([(left, y(mark)), (right, y(mark))], FAINT))?;
        write(&area, &tick(mark, step), (left - 8, y(mark)), HPos::Right, TEXT - 1)?;
    }
    // Labels that would overlap are left out at regular distances.
    let widest = along.iter().map(|label| width(label) + 12).max().unwrap_or(1);
    let every = (f64::from(widest) / each).ceil().max(1.0) as usize;
    for (place, label) in along.iter().enumerate().filter(|(place, _)| place % every == 0) {
        area.draw(&PathElement::new([(x(place), bottom), (x(place), bottom + 4)], INK))?;
        write(&area, label, (x(place), bottom + 16), HPos::Center, TEXT - 1)?;
    }
    let axis = picture.axis();
    let words = if plot.x == "row" { axis } else { format!("{axis} by {}", plot.x) };
    write(&area, &words, (i32::midpoint(left, right), bottom + 40), HPos::Center, TEXT)?;
    for (number, series) in all.iter().enumerate() {
        // Series are shifted sideways, so that they do not hide each other's intervals.
        let shift = number as i32 * 6 - (all.len() as i32 - 1) * 3;
        let ink = colour(number);
        let points: Vec<(i32, i32)> =
            series.cells.iter().map(|(place, cell)| (x(*place) + shift, y(cell.value))).collect();
        area.draw(&PathElement::new(points.clone(), ink.stroke_width(2)))?;
        for ((place, cell), point) in series.cells.iter().zip(points) {
            if let Some((low, high)) = cell.interval {
                let whisker = [(point.0, y(low)), (point.0, y(high))];
                area.draw(&PathElement::new(whisker, ink.stroke_width(2)))?;
            }
            area.draw(&Circle::new(point, 4, ink.filled()))?;
            if let Some(figure) = paper.value(&cell.row, &cell.column) {
                let at = (x(*place) + shift, y(figure));
                area.draw(&Circle::new(at, 5, WHITE.filled()))?;
                area.draw(&Circle::new(at, 5, ink.stroke_width(2)))?;
            }
        }
    }
    area.present()?;
    Ok(())
}
