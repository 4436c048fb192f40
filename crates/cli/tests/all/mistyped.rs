//! What the program says of mistyped command lines: one line that quotes the input, names the option
//! and says what was expected.

use crate::program::wurfel;

const POSITION: &str = "5/5/2C2/5/2cba_r";

/// Command lines, in which `P` stands for a position, and the messages after `error: `.
const MISTYPED: &[(&str, &str)] = &[
    // Whole numbers.
    (
        "match champion random --pairs -1",
        "--pairs '-1': expected a whole number from 1 to 1,099,511,627,776",
    ),
    (
        "match champion random --pairs 0",
        "--pairs '0': expected a whole number from 1 to 1,099,511,627,776",
    ),
    (
        "match champion random --pairs 99999999999999999999999999",
        "--pairs '99999999999999999999999999': expected a whole number from 1 to 1,099,511,627,776",
    ),
    ("match champion random --pairs", "--pairs: expected a value, found none"),
    ("match champion random --depth -3", "--depth '-3': expected a whole number from 1 to 64"),
    ("analyse P --depth 65", "--depth '65': expected a whole number from 1 to 64"),
    ("analyse P --depth=-3", "--depth '-3': expected a whole number from 1 to 64"),
    (
        "analyse P --nodes 1.5",
        "--nodes '1.5': expected a whole number from 1 to 18,446,744,073,709,551,615",
    ),
    ("play --seed x", "--seed 'x': expected a whole number from 0 to 18,446,744,073,709,551,615"),
    ("positions --pieces -3", "--pieces '-3': expected a whole number from 2 to 64"),
    ("serve --port 65536", "--port '65536': expected a whole number from 0 to 65,535"),
    ("serve --jobs 0", "--jobs '0': expected a whole number from 1 to 1,024"),
    (
        "replay x --number 0",
        "--number '0': expected a whole number from 1 to 18,446,744,073,709,551,615",
    ),
    ("referee A B --games 101", "--games '101': expected a whole number from 1 to 100"),
    ("perft -1", "depth '-1': expected a whole number from 1 to 14"),
    ("perft 300", "depth '300': expected a whole number from 1 to 14"),
    // Decimal numbers.
    ("rollout P --se -1", "--se '-1': expected a number from 0.000001 to 1"),
    ("rollout P --se x", "--se 'x': expected a number from 0.000001 to 1"),
    (
        "rollout P --moves 2 --error-rate 0.7",
        "--error-rate '0.7': expected a number from 0.000001 to 0.5",
    ),
    (
        "train fit x --out y --learning-rate -1",
        "--learning-rate '-1': expected a number from 0.000001 to 1",
    ),
    (
        "train values --out y --learning-rate nan",
        "--learning-rate 'nan': expected a number from 0 to 1",
    ),
    ("bench --seconds x", "--seconds 'x': expected a number from 0 to 3,600"),
    ("sprt a b --elo1 x", "--elo1 'x': expected a number from -1,000 to 1,000"),
    ("sprt a b --alpha 1.5", "--alpha '1.5': expected a number from 0.000000001 to 1"),
    ("sprt --simulate 5 --gain 0", "--gain '0': expected a number from 1 to 1,000"),
    (
        "sprt --simulate 5 --shares -1",
        "--shares '-1': expected five numbers separated by commas, none below 0, the first and the last above \
         0",
    ),
    // Times, addresses and names.
    (
        "match a b --time -5s",
        "--time '-5s': expected a time from 0.001ms to 1440m, such as 100ms or 2s",
    ),
    ("solve P --time 5", "--time '5': expected a time from 0.001ms to 1440m, such as 100ms or 2s"),
    ("serve --host here", "--host 'here': expected an address such as 127.0.0.1 or ::1"),
    ("completions tcsh", "shell 'tcsh': expected one of bash, elvish, fish, powershell, zsh"),
    ("engine --protocol ugl", "--protocol 'ugl': expected one of ugi, course, json"),
    ("sprt a b --model elo", "--model: unknown model 'elo': expected logistic or normalised"),
    (
        "reproduce all --scale 1001",
        "--scale: scale '1001': expected tiny, quick, full, decide or a factor of full above 0 and at most 1000",
    ),
    // Options and commands.
    ("matc", "unknown command 'matc': did you mean 'match'?"),
    ("zzzz", "unknown command 'zzzz': expected one that `wurfel --help` lists"),
    ("train fitt", "unknown command 'fitt': did you mean 'fit'?"),
    (
        "network",
        "missing command after `wurfel network`: expected one of info, planes, policy, seal",
    ),
    ("match a b --pair 2", "unknown option '--pair': did you mean '--pairs'?"),
    ("match a b --zzz=2", "unknown option '--zzz': expected one that `wurfel match --help` lists"),
    ("engine -x", "unknown option '-x': expected one that `wurfel engine --help` lists"),
    (
        "analyse --xyzzyx=3",
        "unknown option '--xyzzyx': expected one that `wurfel analyse --help` lists",
    ),
    ("match a b c", "unexpected argument 'c': expected `wurfel match [OPTIONS] <ONE> <OTHER>`"),
    ("match a", "missing <OTHER>: expected `wurfel match <ONE> <OTHER>`"),
    (
        "train fit",
        "missing --out <OUT> and <POSITIONS>...: expected `wurfel train fit --out <OUT> <POSITIONS>...`",
    ),
    ("games --json --json", "--json is given twice: expected it once"),
    ("games --json=3", "unexpected value '3' for --json: expected no more"),
    (
        "play --level Expert --agent random",
        "--level cannot be used with --agent: expected one of them",
    ),
    // Positions and experiments.
    (
        "analyse garbage",
        "position 'garbage': character 1 is 'g', expected A-F (red), a-f (blue) or a number of empty \
         squares on square 1 of row 5",
    ),
    (
        "reproduce nothing",
        "unknown experiment 'nothing': expected one that `wurfel reproduce list` lists",
    ),
];

#[test]
fn what_was_mistyped_is_told_in_one_line() {
    let mut wrong = vec![];
    for (line, message) in MISTYPED {
        let words: Vec<String> = line
            .split(' ')
            .map(|word| if word == "P" { POSITION } else { word }.replace('_', " "))
            .collect();
        let run = wurfel(&words.iter().map(String::as_str).collect::<Vec<_>>());
        let expected = format!("error: {message}\n");
        if (run.code, run.err.as_str(), run.out.as_str()) != (2, &expected, "") {
            wrong.push(format!("wurfel {line}: {}\n{}{}", run.code, run.err, run.out));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.concat());
}
