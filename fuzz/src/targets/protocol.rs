//! Lines of the engine protocols in both directions: what is read is written as it was, and every
//! refusal is a line. A stream of any bytes is split into lines of bounded length.

use std::io::Read;

use wurfel_core::decoded;
use wurfel_protocol::ugi::{Command, Reply};
use wurfel_protocol::{Line, Lines, MAX_LINE, course, json};

use super::checks::one_line;

pub fn fuzz(input: &[u8]) {
    let mut lines = Lines::new(input);
    let mut count = 0;
    while let Some(line) = lines.next_line().expect("bytes can be read") {
        count += 1;
        let Line::Text(line) = line else { continue };
        // Bytes that are not UTF-8 become three each.
        assert!(line.len() <= 3 * MAX_LINE && !line.contains('\n'));
        match Command::read(&line) {
            Ok((command, notes)) => {
                assert_eq!(Command::read(&command.to_string()), Ok((command, vec![])));
                for note in &notes {
                    one_line(note);
                }
            }
            Err(error) => one_line(&error),
        }
        match line.parse::<Reply>() {
            // Values are written with six digits.
            Ok(Reply::Info(info)) => {
                let line = Reply::Info(info).to_string();
                assert!(matches!(line.parse(), Ok(Reply::Info(_))));
            }
            Ok(reply) => assert_eq!(reply.to_string().parse(), Ok(reply)),
            Err(error) => one_line(&error),
        }
        match line.parse::<course::Command>() {
            Ok(command) => assert_eq!(command.to_string().parse(), Ok(command)),
            Err(error) => one_line(&error),
        }
        match json::Request::read(&line) {
            Ok((request, _)) => {
                let again = json::Request::read(&request.to_string());
                assert_eq!(again, Ok((request, vec![])));
            }
            Err(refusal) => one_line(&refusal.error),
        }
        match line.parse::<json::Reply>() {
            Ok(reply) => assert_eq!(reply.to_string().parse(), Ok(reply)),
            Err(error) => one_line(&error),
        }
    }
    // A stream that begins with a mark may be UTF-16, or have nothing but the mark.
    let mut text = vec![];
    decoded(input).read_to_end(&mut text).expect("bytes can be read");
    let parts = text.split(|&byte| byte == b'\n').count();
    assert_eq!(count, parts - usize::from(text.is_empty() || text.ends_with(b"\n")));
}
