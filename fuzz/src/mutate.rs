//! Inputs made from a corpus by random mutation.
//!
//! The input of an execution depends on the corpus, the seed and the number of the execution and
//! on nothing else. So a run can be resumed at any number, shared out among machines, and an
//! execution that killed the process can be made again from its number alone.

use std::collections::BTreeSet;
use std::ops::Range;

use wurfel_core::Random;

/// The longest input in bytes; a corpus file may be longer.
const MAX_LENGTH: usize = 64 << 10;
/// Maximum number of tokens that are taken from a corpus.
const MAX_TOKENS: usize = 4096;

/// What parsers of numbers and texts often get wrong.
const TOKENS: [&[u8]; 36] = [
    b"0",
    b"-0",
    b"-1",
    b"1",
    b"00",
    b"127",
    b"128",
    b"255",
    b"256",
    b"65535",
    b"65536",
    b"2147483647",
    b"2147483648",
    b"4294967295",
    b"4294967296",
    b"9223372036854775807",
    b"18446744073709551615",
    b"18446744073709551616",
    b"1e308",
    b"1e309",
    b"-1e-400",
    b"nan",
    b"NaN",
    b"inf",
    b"null",
    b"true",
    b"{}",
    b"[]",
    b"\"\"",
    b"\\u0000",
    b"\n",
    b"\r\n",
    b"\0",
    "\u{feff}".as_bytes(),
    "é：；（）先手胜".as_bytes(),
    b"\xff",
];

/// Numbers for binary formats.
const NUMBERS: [u64; 10] =
    [0, 1, 0x7f, 0x80, 0xff, 0xffff, 0x7fff_ffff, 0xffff_ffff, 0x7fff_ffff_ffff_ffff, u64::MAX];

/// A corpus, and the inputs that are made from it.
pub struct Mutator {
    corpus: Vec<Vec<u8>>,
    tokens: Vec<Vec<u8>>,
    seed: u64,
}

impl Mutator {
    /// Over these files; without any, over an empty one.
    pub fn new(mut corpus: Vec<Vec<u8>>, seed: u64) -> Self {
        if corpus.is_empty() {
            corpus.push(vec![]);
        }
        let mut tokens: BTreeSet<Vec<u8>> = TOKENS.map(<[u8]>::to_vec).into();
        for file in &corpus {
            for word in file.split(|byte| !byte.is_ascii_alphanumeric()) {
                if (1..=24).contains(&word.len()) && tokens.len() < MAX_TOKENS {
                    tokens.insert(word.to_vec());
                }
            }
        }
        Self { corpus, tokens: tokens.into_iter().collect(), seed }
    }

    /// The input of an execution: first every file of the corpus, then mutations.
    pub fn input(&self, execution: u64) -> Vec<u8> {
        if let Some(file) = self.corpus.get(usize::try_from(execution).unwrap_or(usize::MAX)) {
            return file.clone();
        }
        let mut random = Random::new(Random::seed_for(self.seed, &[execution]));
        let mut input = random.pick(&self.corpus).clone();
        // One change finds the plain mistakes, many at once those that need two.
        for _ in 0..1 << random.below(4) {
            self.mutate(&mut input, &mut random);
        }
        input.truncate(MAX_LENGTH);
        input
    }

    fn mutate(&self, input: &mut Vec<u8>, random: &mut Random) {
        let place = random.below(input.len() as u32 + 1) as usize;
        match random.below(12) {
            0 => {
                if let Some(byte) = input.get_mut(place) {
                    *byte ^= 1 << random.below(8);
                }
            }
            1 => {
                if let Some(byte) = input.get_mut(place) {
                    *byte = random.bits() as u8;
                }
            }
            2 => drop(input.drain(some_range(input.len(), random))),
            3 => {
                let copy = input[some_range(input.len(), random)].to_vec();
                input.splice(place..place, copy);
            }
            4 => {
                let from = input[some_range(input.len(), random)].to_vec();
                let end = (place + from.len()).min(input.len());
                input.splice(place..end, from);
            }
            5 => drop(input.splice(place..place, random.pick(&self.tokens).iter().copied())),
            6 | 7 => {
                let word = word_at(input, place);
                input.splice(word, random.pick(&self.tokens).iter().copied());
            }
            8 => {
                let other = random.pick(&self.corpus);
                let part = other[some_range(other.len(), random)].to_vec();
                let end = (place + part.len() * random.below(2) as usize).min(input.len());
                input.splice(place..end, part);
            }
            9 => {
                // The beginning of one file and the end of another.
                let other = random.pick(&self.corpus);
                let cut = random.below(other.len() as u32 + 1) as usize;
                input.truncate(place);
                input.extend(&other[cut..]);
            }
            10 => {
                let number = random.pick(&NUMBERS).wrapping_add(random.below(3) as u64);
                let bytes = &number.to_le_bytes()[..1 << random.below(4)];
                let end = (place + bytes.len()).min(input.len());
                input.splice(place..end, bytes.iter().copied());
            }
            _ => {
                let lines: Vec<&[u8]> = input.split_inclusive(|&byte| byte == b'\n').collect();
                let mut lines = lines;
                if lines.len() > 1 {
                    let (one, other) = (
                        random.below(lines.len() as u32) as usize,
                        random.below(lines.len() as u32) as usize,
                    );
                    if random.below(2) == 0 {
                        lines.swap(one, other);
                    } else {
                        lines.insert(one, lines[other]);
                    }
                    *input = lines.concat();
                }
            }
        }
    }
}

/// A range within this many bytes, most often a short one.
fn some_range(length: usize, random: &mut Random) -> Range<usize> {
    let start = random.below(length as u32 + 1) as usize;
    let most = (length - start).min(1 << random.below(12));
    start..start + random.below(most as u32 + 1) as usize
}

/// The letters and digits around a place.
fn word_at(input: &[u8], place: usize) -> Range<usize> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric();
    let before = input[..place].iter().rev().take_while(|byte| is_word(byte)).count();
    let after = input[place..].iter().take_while(|byte| is_word(byte)).count();
    place - before..place + after
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corpus_comes_first_and_the_same_number_gives_the_same_input() {
        let mutator = Mutator::new(vec![b"one 1\ntwo 2\n".to_vec(), vec![]], 7);
        assert_eq!(mutator.input(0), b"one 1\ntwo 2\n");
        assert_eq!(mutator.input(1), b"");
        let inputs: BTreeSet<Vec<u8>> = (2..1002).map(|number| mutator.input(number)).collect();
        assert!(inputs.len() > 600, "{} different inputs", inputs.len());
        assert_eq!(mutator.input(500), mutator.input(500));
        assert!(inputs.iter().any(|input| input.windows(3).any(|part| part == b"nan")));
    }

    #[test]
    fn no_corpus_is_like_an_empty_file() {
        let mutator = Mutator::new(vec![], 1);
        assert!((0..1000).map(|number| mutator.input(number)).any(|input| !input.is_empty()));
    }
}
