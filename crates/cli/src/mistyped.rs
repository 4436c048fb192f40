//! What is wrong with a command line, said in one line.
//!
//! The parser's own messages take several lines, give several hints, and speak of the types of
//! numbers. Here each kind of mistake has one sentence in the form of all other messages: what was
//! wrong, and what was expected. It costs a sentence for each kind; kinds that are not listed fall
//! back on the words of the parser.

use std::error::Error;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgAction, Command};
use wurfel_core::UnknownName;

/// The program with values that may begin with a minus sign, so that a negative number is refused
/// with the range that was expected, and not as an unknown option.
pub fn with_negative_numbers(program: Command) -> Command {
    let takes_value = |action: &ArgAction| matches!(action, ArgAction::Set | ArgAction::Append);
    program
        .mut_args(|arg| {
            let takes_value = takes_value(arg.get_action());
            arg.allow_negative_numbers(takes_value)
        })
        .mut_subcommands(with_negative_numbers)
}

/// Whether the only mistake is `--help` after the command `help`, which the parser takes for the name
/// of a command.
pub fn wants_help_of_help(error: &clap::Error) -> bool {
    error.kind() == ErrorKind::InvalidSubcommand
        && all(error, ContextKind::InvalidSubcommand).iter().any(|it| it == "--help" || it == "-h")
}

/// Says in one line, without `error:`, what is wrong with the command line.
pub fn message(error: &clap::Error, program: &Command) -> String {
    let text = error.to_string();
    let usage = text.lines().find_map(|line| line.trim().strip_prefix("Usage: ")).unwrap_or("");
    // The usage begins with the names of the commands that were given.
    let (mut command, mut called) = (program, program.get_name().to_owned());
    for word in usage.split(' ').skip(1) {
        let Some(next) = command.find_subcommand(word) else { break };
        (command, called) = (next, format!("{called} {word}"));
    }
    let one = |kind| all(error, kind).into_iter().next().unwrap_or_default();
    let named = || name(&one(ContextKind::InvalidArg));
    let value = || one(ContextKind::InvalidValue).escape_debug().to_string();
    match error.kind() {
        ErrorKind::ValueValidation => {
            let expected = error.source().map(ToString::to_string).unwrap_or_default();
            let (named, value) = (named(), value());
            // Some parsers quote what they have read.
            if expected.contains(&format!("'{value}'")) {
                format!("{named}: {expected}")
            } else {
                format!("{named} '{value}': {expected}")
            }
        }
        ErrorKind::InvalidValue => {
            let (named, value) = (named(), value());
            let known = all(error, ContextKind::ValidValue).join(", ");
            match (value.as_str(), known.as_str()) {
                ("", "") => format!("{named}: expected a value, found none"),
                ("", known) => format!("{named}: expected one of {known}, found none"),
                (value, known) => format!("{named} '{value}': expected one of {known}"),
            }
        }
        ErrorKind::UnknownArgument => {
            let given = one(ContextKind::InvalidArg);
            if given.starts_with('-') {
                let options: Vec<String> = command
                    .get_arguments()
                    .filter_map(|arg| Some(format!("--{}", arg.get_long()?)))
                    .collect();
                // A single letter is near to every other.
                let near = options.iter().map(String::as_str).filter(|_| given.starts_with("--"));
                let near: Vec<&str> = near.collect();
                UnknownName::listed("option", &given, &near, &format!("{called} --help"))
                    .to_string()
            } else {
                format!("unexpected argument '{}': expected `{usage}`", given.escape_debug())
            }
        }
        ErrorKind::InvalidSubcommand => {
            let names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
            let given = one(ContextKind::InvalidSubcommand);
            UnknownName::listed("command", &given, &names, &format!("{called} --help")).to_string()
        }
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let names = command.get_subcommands().map(Command::get_name);
            let names: Vec<&str> = names.filter(|&name| name != "help").collect();
            format!("missing command after `{called}`: expected one of {}", names.join(", "))
        }
        ErrorKind::InvalidUtf8 => {
            let text = std::env::args_os().find(|text| text.to_str().is_none()).unwrap_or_default();
            format!("argument '{}': expected text in UTF-8", text.display())
        }
        ErrorKind::MissingRequiredArgument => {
            let missing = all(error, ContextKind::InvalidArg).join(" and ");
            format!("missing {missing}: expected `{usage}`")
        }
        ErrorKind::ArgumentConflict => {
            let others: Vec<String> =
                all(error, ContextKind::PriorArg).iter().map(|arg| name(arg)).collect();
            let (named, others) = (named(), others.join(" and "));
            if named == others {
                format!("{named} is given twice: expected it once")
            } else if named.is_empty() || others.is_empty() {
                words_of_the_parser(&text)
            } else {
                format!("{named} cannot be used with {others}: expected one of them")
            }
        }
        ErrorKind::TooManyValues => {
            format!("unexpected value '{}' for {}: expected no more", value(), named())
        }
        _ => words_of_the_parser(&text),
    }
}

/// The strings that an error holds of a kind.
fn all(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => vec![],
    }
}

/// An option without the name of its value (`--pairs` for `--pairs <PAIRS>`); an argument as a word
/// (`shell` for `<SHELL>`).
fn name(arg: &str) -> String {
    if arg.starts_with('-') {
        return arg.split([' ', '=', '[']).next().unwrap_or(arg).to_owned();
    }
    let word = arg.split_once(['>', ']']).map_or(arg, |(word, _)| word);
    word.trim_start_matches(['<', '[']).to_lowercase()
}

/// The parser's message in one line.
fn words_of_the_parser(text: &str) -> String {
    let lines = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    let words: Vec<&str> = lines
        .filter(|line| {
            let is_hint = line.starts_with("tip:") || line.starts_with("For more information");
            !line.is_empty() && !is_hint
        })
        .collect();
    let words = words.join(" ");
    format!("{} (try --help)", words.strip_prefix("error: ").unwrap_or(&words))
}
