//! The experiments of the papers: what their authors write, and what a run leaves behind. Definitions are
//! not planned, because that opens networks and tablebases.

use wurfel_lab::testkit::{read_experiment, resume};

use super::checks::{one_line, text, with_files};

/// The line between the three files in an input: the definition, the paper's figures and a result.
const NEXT: &str = "\n=====\n";

pub fn fuzz(input: &[u8]) {
    let text = text(input);
    let mut files = text.splitn(3, NEXT);
    let [definition, figures, result] = [(); 3].map(|()| files.next().unwrap_or_default());
    read_experiment(definition, figures, result).iter().for_each(one_line);
}

pub fn fuzz_progress(input: &[u8]) {
    with_files(&[("progress.jsonl", input)], |folder| {
        resume(folder).err().iter().for_each(one_line);
    });
}
