//! What people and proxies send to the site, and what it keeps of a game.

use wurfel_site::testkit;

use super::checks::text;

/// A record of a room or a request for one, then what people do in it, a line each.
pub fn fuzz_rooms(input: &[u8]) {
    testkit::play_room(&text(input));
}

pub fn fuzz(input: &[u8]) {
    testkit::read_message(input);
    testkit::read_headers(input);
}
