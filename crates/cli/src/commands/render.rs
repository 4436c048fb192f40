//! `wurfel render`: pictures of positions.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use serde::Serialize;
use wurfel_core::files::write_whole;

use crate::batch::{Answer, PositionArgs, answer_each};
use crate::new_file::expect_picture;
use crate::{Done, terminal};

/// Draws a position as text or as an SVG image
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  wurfel render 'ABC2/DE3/F3f/3ed/2cba r 4 1'\n  \
    wurfel render 'ABC2/DE3/F3f/3ed/2cba r 4 1' -o start.svg")]
pub struct Render {
    #[command(flatten)]
    query: PositionArgs,
    /// Write an SVG image to this file
    #[arg(short, long)]
    output: Option<PathBuf>,
}

/// A position, drawn in both formats.
#[derive(Serialize)]
struct Picture {
    position: String,
    text: String,
    svg: String,
    #[serde(skip)]
    coloured: String,
}

impl Answer for Picture {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let colour = terminal::colours();
        out.write_all(if colour { &self.coloured } else { &self.text }.as_bytes())
    }
}

impl Render {
    /// Draws the positions and writes the answers to `out`.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let Self { query, output } = self;
        let game = query.form.game()?;
        if output.is_some() && query.position == "-" {
            bail!("-o takes one position: for many use --json, which has an svg for each");
        }
        output.as_deref().map_or(Ok(()), expect_picture)?;
        let quiet = &mut io::sink() as &mut dyn Write;
        let out = if output.is_some() && !query.form.json { quiet } else { out };
        answer_each(game, &query.position, &query.form, out, |position| {
            let diagram = position.diagram();
            let svg = diagram.svg();
            if let Some(path) = &output {
                write_whole(path, &svg).context("cannot write the picture")?;
            }
            let position = position.to_string();
            Ok(Picture { position, text: diagram.text(false), svg, coloured: diagram.text(true) })
        })?;
        Ok(Done::All)
    }
}
