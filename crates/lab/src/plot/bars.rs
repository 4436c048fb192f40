//! A horizontal bar for each row and column, so that there is space for long labels beside the
//! bars.

use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::{DrawResult, FAINT, INK, Picture, TEXT, WIDTH, colour, tick, ticks, width, write};
use crate::results::ResultCell;

/// The height of a bar, and below, the space between rows.
const BAR: i32 = 16;
const GAP: i32 = 8;

pub(super) fn draw(svg: &mut String, picture: &Picture<'_>) -> DrawResult {
    let (cells, paper) = (&picture.cells, picture.paper);
    let mut rows: Vec<(&str, Vec<&ResultCell>)> = vec![];
    let mut columns: Vec<String> = vec![];
    for cell in cells {
        match rows.iter_mut().find(|(row, _)| *row == cell.row) {
            Some((_, own)) => own.push(cell),
            None => rows.push((&cell.row, vec![cell])),
        }
        if !columns.contains(&cell.column) {
            columns.push(cell.column.clone());
        }
    }
    let head = picture.head(columns.clone());
    let below = cells.len() as i32 * BAR + rows.len() as i32 * GAP + 48;
    let (top, height) = (head.end, head.end + below);
    let area = head.draw(svg, below)?;

    let longest = rows.iter().map(|(row, _)| width(row)).max().unwrap_or(0).min(470);
    let (left, right) = (longest + 28, WIDTH as i32 - 24);
    let (low, high) = picture.range(true);
    let x = |value: f64| left + ((value - low) / (high - low) * f64::from(right - left)) as i32;
    let bottom = height - 44;
    let (marks, step) = ticks((low, high), f64::from(right - left) / 80.0);
    for mark in marks {
        area.draw(&PathElement::new([(x(mark), top), (x(mark), bottom)], FAINT))?;
        write(&area, &tick(mark, step), (x(mark), bottom + 14), HPos::Center, TEXT - 1)?;
    }
    write(&area, &picture.axis(), (i32::midpoint(left, right), bottom + 32), HPos::Center, TEXT)?;
    let mut y = top + GAP / 2;
    for (row, own) in rows {
        let middle = y + own.len() as i32 * BAR / 2;
        write(&area, row, (left - 10, middle), HPos::Right, TEXT - 1)?;
        for cell in own {
            let number = columns.iter().position(|column| *column == cell.column).unwrap_or(0);
            let bar = [(x(0.0_f64.clamp(low, high)), y + 2), (x(cell.value), y + BAR - 2)];
            area.draw(&Rectangle::new(bar, colour(number).mix(0.75).filled()))?;
            let centre = y + BAR / 2;
            if let Some((low, high)) = cell.interval {
                let whisker = [(x(low), centre), (x(high), centre)];
                area.draw(&PathElement::new(whisker, INK.stroke_width(2)))?;
            }
            if let Some(figure) = paper.value(&cell.row, &cell.column) {
                let at = (x(figure), centre);
                area.draw(&Circle::new(at, 5, WHITE.filled()))?;
                area.draw(&Circle::new(at, 5, INK.stroke_width(2)))?;
            }
            y += BAR;
        }
        y += GAP;
    }
    area.present()?;
    Ok(())
}
