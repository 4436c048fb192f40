//! Pictures of a board for all games: a game says what stands on each square, and this module draws
//! it, as text for a terminal and as SVG.

use std::fmt::Write;

use crate::Side;

/// The contents of a picture of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagram {
    /// The names of the columns, left to right.
    pub columns: Vec<String>,
    /// The names of the rows, top to bottom.
    pub rows: Vec<String>,
    /// The squares, row by row from the top left.
    pub squares: Vec<DiagramSquare>,
    /// One line of text under the board: who is to move and what was rolled.
    pub caption: String,
    /// How pieces are drawn.
    pub style: Style,
}

/// How pieces are drawn in an image.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    /// Red and blue tiles with their labels on them, such as cubes with numbers.
    #[default]
    Tiles,
    /// White and black glyphs: the label is the symbol of the piece.
    Glyphs,
}

/// One square of a [`Diagram`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DiagramSquare {
    /// The piece on the square, if there is one.
    pub piece: Option<Piece>,
    /// Whether the square is drawn in the darker colour.
    pub dark: bool,
    /// The side whose goal the square is, if it is one.
    pub goal: Option<Side>,
    /// Whether the piece on the square may move now.
    pub movable: bool,
}

/// What stands on a [`DiagramSquare`]: a chess piece, a cube.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The side that the piece belongs to.
    pub side: Side,
    /// What is drawn on the piece: `4`, `♞`.
    pub label: String,
    /// The one character that stands for the piece in plain text: `D`, `n`.
    pub letter: char,
}

/// Terminal escape codes: one for the pieces of each side, one for faint text, and one that ends
/// the colouring.
struct Ink {
    sides: [&'static str; 2],
    faint: &'static str,
    off: &'static str,
}

const PLAIN: Ink = Ink { sides: ["", ""], faint: "", off: "" };
const COLOURED: Ink = Ink { sides: ["\x1b[1;31m", "\x1b[1;34m"], faint: "\x1b[2m", off: "\x1b[0m" };

impl Diagram {
    /// The board as lines of text. Pieces that may move are in parentheses and an empty goal is
    /// shown as `*`; with `colour`, the pieces have terminal colours.
    pub fn text(&self, colour: bool) -> String {
        let ink = if colour { COLOURED } else { PLAIN };
        let margin = self.rows.iter().map(String::len).max().unwrap_or(0);
        let mut out = String::new();
        for (row, name) in self.squares.chunks(self.columns.len()).zip(&self.rows) {
            let _ = write!(out, "{name:>margin$} ");
            for square in row {
                let (open, close) = if square.movable { ('(', ')') } else { (' ', ' ') };
                let _ = match &square.piece {
                    Some(piece) => {
                        let paint = ink.sides[piece.side.index()];
                        write!(out, "{open}{paint}{}{}{close}", piece.letter, ink.off)
                    }
                    None => {
                        let empty = if square.goal.is_some() { '*' } else { '.' };
                        write!(out, " {}{empty}{} ", ink.faint, ink.off)
                    }
                };
            }
            out.truncate(out.trim_end().len());
            out.push('\n');
        }
        let _ = write!(out, "{:margin$} ", "");
        for name in &self.columns {
            let _ = write!(out, " {name} ");
        }
        out.truncate(out.trim_end().len());
        let _ = write!(out, "\n{}\n", self.caption);
        out
    }

    /// The board as a stand-alone SVG image.
    pub fn svg(&self) -> String {
        const CELL: usize = 64;
        const MARGIN: usize = 28;
        let (columns, rows) = (self.columns.len(), self.rows.len());
        let width = MARGIN + columns * CELL + MARGIN / 2;
        let height = MARGIN / 2 + rows * CELL + MARGIN + 24;
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" font-family=\"Helvetica, Arial, sans-serif\" \
             text-anchor=\"middle\" role=\"img\">\n<title>{}</title>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#fbfaf7\"/>\n",
            escaped(&self.caption)
        );
        for (n, square) in self.squares.iter().enumerate() {
            let (x, y) = (MARGIN + n % columns * CELL, MARGIN / 2 + n / columns * CELL);
            let _ = writeln!(out, "{}", square.svg(x, y, CELL, self.style));
        }
        let label = |out: &mut String, x: usize, y: usize, size: usize, text: &str| {
            let text = escaped(text);
            let _ = writeln!(
                out,
                "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"#5c5a55\">{text}</text>"
            );
        };
        for (row, name) in self.rows.iter().enumerate() {
            label(&mut out, MARGIN / 2, MARGIN / 2 + row * CELL + CELL / 2 + 5, 14, name);
        }
        let under = MARGIN / 2 + rows * CELL + 18;
        for (column, name) in self.columns.iter().enumerate() {
            label(&mut out, MARGIN + column * CELL + CELL / 2, under, 14, name);
        }
        label(&mut out, width / 2, under + 26, 15, &self.caption);
        out.push_str("</svg>\n");
        out
    }
}

impl DiagramSquare {
    fn svg(&self, x: usize, y: usize, size: usize, style: Style) -> String {
        const GOALS: [&str; 2] = ["#f3d3cd", "#ccdcf3"];
        let ground = match (self.goal, self.dark) {
            (Some(side), _) => GOALS[side.index()],
            (None, true) => "#e6e0d2",
            (None, false) => "#f4f0e6",
        };
        let mut out = format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\" fill=\"{ground}\" stroke=\"#b9b3a4\"/>"
        );
        if let Some(piece) = &self.piece {
            let (inset, side) = (size / 8, size - size / 4);
            let ring = if self.movable { " stroke=\"#f2b01e\" stroke-width=\"4\"" } else { "" };
            let (block, text, size_of_text) = match style {
                Style::Tiles => {
                    let blocks = ["#c8372d", "#2b5fb3"];
                    (blocks[piece.side.index()], "font-weight=\"bold\" fill=\"#fff\"", 30)
                }
                Style::Glyphs => {
                    // White pieces are outlined symbols, black ones solid.
                    let pieces = [
                        "fill=\"#fff\" stroke=\"#1c1b19\" stroke-width=\"3\" paint-order=\"stroke\"",
                        "fill=\"#1c1b19\"",
                    ];
                    ("none", pieces[piece.side.index()], 46)
                }
            };
            let _ = write!(
                out,
                "<rect x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\" rx=\"9\" fill=\"{block}\"{ring}/>\
                 <text x=\"{}\" y=\"{}\" font-size=\"{size_of_text}\" {text}>{}</text>",
                x + inset,
                y + inset,
                x + size / 2,
                y + size / 2 + size_of_text * 3 / 8,
                escaped(&piece.label)
            );
        }
        out
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_squares() -> Diagram {
        let piece = Piece { side: Side::First, label: "<1>".into(), letter: 'A' };
        Diagram {
            columns: vec!["a".into(), "b".into()],
            rows: vec!["1".into()],
            squares: vec![
                DiagramSquare { piece: Some(piece), movable: true, ..DiagramSquare::default() },
                DiagramSquare { goal: Some(Side::First), ..DiagramSquare::default() },
            ],
            caption: "A & B".into(),
            style: Style::Tiles,
        }
    }

    #[test]
    fn the_text_marks_goals_and_pieces_that_may_move() {
        assert_eq!(two_squares().text(false), "1 (A) *\n   a  b\nA & B\n");
        assert!(two_squares().text(true).contains("(\x1b[1;31mA\x1b[0m)"));
    }

    #[test]
    fn the_svg_escapes_what_it_is_given() {
        let svg = two_squares().svg();
        assert!(svg.contains("&lt;1&gt;") && svg.contains("A &amp; B"), "{svg}");
        assert_eq!(svg.matches("<rect").count(), 4);
        assert!(svg.contains("#c8372d"), "red: {svg}");
    }

    #[test]
    fn chess_pieces_are_white_and_black() {
        let mut board = Diagram { style: Style::Glyphs, ..two_squares() };
        let svg = board.svg();
        assert!(svg.contains("fill=\"#fff\" stroke") && !svg.contains("#c8372d"), "{svg}");
        if let Some(piece) = &mut board.squares[0].piece {
            piece.side = Side::Second;
        }
        assert!(!board.svg().contains("fill=\"#fff\""));
    }
}
