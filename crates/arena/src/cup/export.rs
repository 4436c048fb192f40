//! Standings and crosstable as text, CSV, Markdown and LaTeX.
//!
//! All forms but CSV show the same cells. CSV is for programs: it has more columns, whole numbers and
//! no rounding.

use wurfel_statistics::{Decimal, Interval, fault_warning};

use crate::records::cell::text_cell;

use super::definition::CupFormat;
use super::table::{HeadToHead, Rating, Standings, StandingsRow};

/// A table of texts: the heads of its columns, and its rows.
struct Cells {
    heads: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// The number of columns on the left with names, which are aligned left; all others hold numbers.
const NAMES: usize = 1;

/// A number of points, with halves written as `½`.
fn points(number: f64) -> String {
    let whole = number.floor();
    match (whole > 0.0, number > whole) {
        (true, true) => format!("{whole}½"),
        (false, true) => "½".to_owned(),
        _ => format!("{whole}"),
    }
}

/// A win rate with half the width of its interval, in per cent.
fn rate(HeadToHead { rate, interval, .. }: &HeadToHead) -> String {
    format!("{:.1} ±{:.1}", 100.0 * rate, 50.0 * (interval.high - interval.low))
}

impl Standings {
    /// The text for the results of the row's participant against one other participant.
    fn cell(&self, against: &HeadToHead) -> String {
        match self.format {
            CupFormat::RoundRobin | CupFormat::Gauntlet => rate(against),
            CupFormat::Tcga => against.won.to_string(),
            CupFormat::Ccgc | CupFormat::Swiss | CupFormat::Knockout => {
                let others = against.games as f64 - against.points;
                format!("{}:{}", points(against.points), points(others))
            }
        }
    }

    /// The columns between the name and the crosstable: heading and text.
    fn figures(&self, row: &StandingsRow) -> Vec<(&'static str, String)> {
        let or_none = |points_of: Option<f64>| points_of.map_or("–".to_owned(), points);
        let mut figures = vec![];
        match self.format {
            CupFormat::Swiss => {
                figures.push(("match points", or_none(row.match_points)));
                figures.push(("Buchholz", or_none(row.buchholz)));
            }
            CupFormat::Ccgc => figures.push(("match points", or_none(row.match_points))),
            CupFormat::Knockout => {
                let round = row.out.map_or("–".to_owned(), |round| round.to_string());
                figures.push(("out in round", round));
            }
            CupFormat::RoundRobin | CupFormat::Gauntlet | CupFormat::Tcga => {}
        }
        let of_hundred = format!("{:.1}", 100.0 * row.rate);
        let interval = format!("{:.1}–{:.1}", 100.0 * row.interval.low, 100.0 * row.interval.high);
        figures.push(("points", points(row.points)));
        figures.push(("games", row.games.to_string()));
        figures.push(("won", row.won.to_string()));
        figures.push(("drawn", row.drawn.to_string()));
        figures.push(("lost", row.lost.to_string()));
        figures.push(("faults", row.faults.to_string()));
        figures.push(("%", of_hundred));
        figures.push(("95 %", interval));
        if self.faults() > 0 {
            let rate = row.played.map_or(row.rate, |played| played.rate);
            figures.push(("% without faults", format!("{:.1}", 100.0 * rate)));
        }
        if let Some(Rating { elo, interval: Interval { low, high } }) = row.rating {
            let [elo, low, high] = [elo, low, high].map(Decimal);
            figures.push(("Elo", format!("{elo:+.0}")));
            figures.push(("Elo, 95 %", format!("{low:+.0} to {high:+.0}")));
        }
        figures
    }

    /// The games that were lost by a fault.
    fn faults(&self) -> u64 {
        self.rows.iter().map(|row| row.faults).sum()
    }

    fn cells(&self, with_crosstable: bool) -> Cells {
        let figures = self.rows.first().map(|row| self.figures(row)).unwrap_or_default();
        let heads = ["participant", "rank"].into_iter().map(str::to_owned);
        let mut heads: Vec<String> =
            heads.chain(figures.iter().map(|(head, _)| (*head).to_owned())).collect();
        if with_crosstable {
            heads.extend((1..=self.rows.len()).map(|column| column.to_string()));
        }
        let row = |row: &StandingsRow| {
            let mut cells = vec![row.name.clone(), row.rank.to_string()];
            cells.extend(self.figures(row).into_iter().map(|(_, text)| text));
            if with_crosstable {
                let cell = |against: &Option<HeadToHead>| {
                    against.as_ref().map_or("–".to_owned(), |against| self.cell(against))
                };
                cells.extend(row.against.iter().map(cell));
            }
            cells
        };
        Cells { heads, rows: self.rows.iter().map(row).collect() }
    }

    /// One line that says what the table shows.
    pub fn caption(&self) -> String {
        let cells = match self.format {
            CupFormat::RoundRobin | CupFormat::Gauntlet => {
                "win rate of the row against the column in per cent, ± half of the 95 % interval"
            }
            CupFormat::Tcga => "games that the row won against the column",
            CupFormat::Ccgc | CupFormat::Swiss | CupFormat::Knockout => {
                "points of the row and of the column"
            }
        };
        let state = if self.complete { "" } else { ", so far" };
        let name = if self.name.is_empty() { String::new() } else { format!("{}: ", self.name) };
        let warning = fault_warning(self.faults(), self.games);
        let warning = warning.map_or(String::new(), |warning| format!(" Warning: {warning}."));
        format!(
            "{name}{} games of {}{state}. Numbered columns: {cells}.{warning}",
            self.games, self.game
        )
    }

    /// The table with aligned columns, for a terminal.
    pub fn text(&self) -> String {
        align(&self.cells(true)) + "\n" + &self.caption() + "\n"
    }

    /// The first `most` rows without the crosstable, for a terminal.
    pub fn short_text(&self, most: usize) -> String {
        let mut cells = self.cells(false);
        cells.rows.truncate(most);
        align(&cells)
    }

    /// The table in Markdown.
    pub fn markdown(&self) -> String {
        let Cells { heads, rows } = self.cells(true);
        let line = |cells: &[String]| {
            let escaped: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
            format!("| {} |\n", escaped.join(" | "))
        };
        let rule: String =
            (0..heads.len()).map(|column| if column < NAMES { "---|" } else { "---:|" }).collect();
        let rows: String = rows.iter().map(|row| line(row)).collect();
        format!("{}|{rule}\n{rows}\n{}\n", line(&heads), self.caption())
    }

    /// The table as a LaTeX `tabular`, which needs no package.
    pub fn latex(&self) -> String {
        let Cells { heads, rows } = self.cells(true);
        let line = |cells: &[String]| {
            let escaped: Vec<String> = cells.iter().map(|cell| in_latex(cell)).collect();
            format!("{} \\\\\n", escaped.join(" & "))
        };
        let columns = "l".repeat(NAMES) + &"r".repeat(heads.len() - NAMES);
        let rows: String = rows.iter().map(|row| line(row)).collect();
        format!(
            "% {}\n\\begin{{tabular}}{{{columns}}}\n\\hline\n{}\\hline\n{rows}\\hline\n\\end{{tabular}}\n",
            self.caption(),
            line(&heads)
        )
    }

    /// Comma-separated values: a row for each participant, with its points and games against each
    /// other one.
    pub fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(vec![]);
        let heads = "rank,participant,agent,match_points,buchholz,out_in_round,points,games,won,drawn,\
            lost,faults,rate,low,high,elo,elo_low,elo_high";
        let mut heads: Vec<String> = heads.split(',').map(str::to_owned).collect();
        for row in &self.rows {
            heads.push(format!("points against {}", row.name));
            heads.push(format!("games against {}", row.name));
        }
        let or_empty =
            |number: Option<f64>| number.map_or(String::new(), |number| number.to_string());
        // Writing into memory cannot fail.
        let _ = writer.write_record(&heads);
        for row in &self.rows {
            let mut cells = vec![
                row.rank.to_string(),
                text_cell(&row.name).into_owned(),
                text_cell(&row.agent).into_owned(),
                or_empty(row.match_points),
                or_empty(row.buchholz),
                or_empty(row.out.map(f64::from)),
                row.points.to_string(),
            ];
            let counts = [row.games, row.won, row.drawn, row.lost, row.faults];
            cells.extend(counts.iter().map(ToString::to_string));
            let rates = [row.rate, row.interval.low, row.interval.high];
            cells.extend(rates.iter().map(ToString::to_string));
            let rating = [
                row.rating.map(|rating| rating.elo),
                row.rating.map(|rating| rating.interval.low),
                row.rating.map(|rating| rating.interval.high),
            ];
            cells.extend(rating.map(or_empty));
            for against in &row.against {
                cells.push(or_empty(against.map(|against| against.points)));
                cells.push(against.map_or(String::new(), |against| against.games.to_string()));
            }
            let _ = writer.write_record(&cells);
        }
        String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
    }
}

/// The table with its columns padded with blanks.
fn align(Cells { heads, rows }: &Cells) -> String {
    let length = |text: &String| text.chars().count();
    let width = |column: usize| {
        let cells = rows.iter().map(|row| length(&row[column]));
        cells.chain([length(&heads[column])]).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    let line = |cells: &Vec<String>| {
        let padded: Vec<String> = cells
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(column, (cell, &width))| {
                let blanks = " ".repeat(width - length(cell));
                if column < NAMES { format!("{cell}{blanks}") } else { format!("{blanks}{cell}") }
            })
            .collect();
        padded.join("  ").trim_end().to_owned() + "\n"
    };
    std::iter::once(heads).chain(rows).map(line).collect()
}

/// A text with the characters escaped that LaTeX would interpret.
fn in_latex(text: &str) -> String {
    text.chars()
        .map(|sign| match sign {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => format!("\\{sign}"),
            '\\' => "\\textbackslash{}".to_owned(),
            '~' => "\\textasciitilde{}".to_owned(),
            '^' => "\\textasciicircum{}".to_owned(),
            '±' => "$\\pm$".to_owned(),
            '½' => "$\\frac12$".to_owned(),
            '–' => "--".to_owned(),
            sign => sign.to_string(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::formats::testkit::{by_seeding, cup, play_all};
    use super::*;

    fn standings(head: &str, count: usize) -> Standings {
        let definition = cup(head, count);
        Standings::new(&definition, &play_all(&definition, by_seeding), true)
    }

    #[test]
    fn points_are_written_in_halves() {
        let texts = [0.0, 0.5, 1.0, 3.5, 12.0].map(points);
        assert_eq!(texts, ["0", "½", "1", "3½", "12"]);
    }

    #[test]
    fn a_swiss_tournament_as_text_markdown_and_latex() {
        let table = standings("name = 'Cup'\nformat = 'swiss'\npairs = 1\nrounds = 1", 3);
        let caption =
            "Cup: 2 games of einstein. Numbered columns: points of the row and of the column.";
        assert_eq!(
            table.text(),
            format!(
                "\
participant  rank  match points  Buchholz  points  games  won  drawn  lost  faults      %       95 %    1  2    3
0               1             1         0       2      2    2      0     0       0  100.0  2.5–100.0    –  –  2:0
2               2             1         0       0      0    0      0     0       0   50.0  0.0–100.0    –  –    –
1               3             0         1       0      2    0      0     2       0    0.0   0.0–97.5  0:2  –    –

{caption}
"
            )
        );
        let markdown = table.markdown();
        assert!(markdown.starts_with("| participant | rank | match points |"), "{markdown}");
        assert_eq!(markdown.lines().nth(1).unwrap().matches("---:").count(), 14);
        let latex = table.latex();
        assert!(latex.contains("\\begin{tabular}{lrrrrrrrrrrrrrr}"), "{latex}");
        assert!(
            latex.contains("95 \\%") && latex.contains("2.5--100.0 & -- & -- & 2:0 \\\\"),
            "{latex}"
        );
    }

    /// Whoever enters a tournament chooses a name, and must not choose what a spreadsheet calculates.
    #[test]
    fn a_name_is_no_formula_in_csv() {
        let mut table = standings("format = 'round-robin'\npairs = 2", 3);
        table.rows[0].name = "=1+1".to_owned();
        let text = table.csv();
        assert!(text.lines().any(|line| line.starts_with("1,'=1+1,")), "{text}");
    }

    /// A program that reads the CSV gets all numbers back.
    #[test]
    fn csv_has_every_number() {
        let table = standings("format = 'round-robin'\npairs = 2", 3);
        let text = table.csv();
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let heads = reader.headers().unwrap().clone();
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        for (row, record) in table.rows.iter().zip(&rows) {
            let field = |name: &str| &record[heads.iter().position(|head| head == name).unwrap()];
            assert_eq!(field("participant"), row.name);
            assert_eq!(field("rate").parse(), Ok(row.rate));
            assert_eq!(field("low").parse(), Ok(row.interval.low));
            assert_eq!(field("won").parse(), Ok(row.won));
            for (other, against) in table.rows.iter().zip(&row.against) {
                let points = field(&format!("points against {}", other.name));
                assert_eq!(points.parse().ok(), against.map(|against| against.points));
            }
        }
        assert_eq!(rows.len(), 3);
    }

    #[test]
    fn names_that_mean_something_to_latex_or_markdown_are_escaped() {
        assert_eq!(in_latex("a_b & 50 % \\x"), "a\\_b \\& 50 \\% \\textbackslash{}x");
        let mut table = standings("format = 'tcga'\npairs = 1", 2);
        table.rows[0].name = "a|b".to_owned();
        assert!(table.markdown().contains("| a\\|b | 1 |"));
    }
}
