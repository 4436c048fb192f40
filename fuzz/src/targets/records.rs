//! Games that were written down: whatever form they are in, what is read can be written as lines
//! of JSON and as a move list and is then read as the same.

use wurfel_agents::{Catalogued, UseGame};
use wurfel_arena::{find_games, game_of, move_list_of, read_games, write_records};
use wurfel_core::{Transcript, decode};
use wurfel_games::einstein::Einstein;
use wurfel_games::{Playable, ReadGame, RecordForm};

use super::checks::{every_game, one_line};

pub fn fuzz(input: &[u8]) {
    let text = match decode(input) {
        Ok(text) => text,
        Err(error) => return one_line(&error),
    };
    if let Err(error) = game_of(&text) {
        one_line(&error);
    }
    every_game(&Read(&text));
}

#[derive(Clone)]
struct Read<'a>(&'a str);

impl UseGame for Read<'_> {
    type Output = ();

    fn with<G: Catalogued>(self, rules: &G) {
        let reader = match find_games(rules, self.0) {
            Ok(reader) => reader,
            Err(error) => return one_line(&error),
        };
        let mut games = vec![];
        for unread in reader.take(8) {
            match unread.read() {
                Ok(game) => games.push(game),
                Err(error) => one_line(&error),
            }
        }
        for stored in &games {
            let _ = stored.entry();
            let list = move_list_of(&stored.game);
            let again = read_games(rules, &list).unwrap_or_else(|why| panic!("{list}: {why}"));
            assert_eq!(again.len(), 1, "{list}");
            assert_eq!(again[0].game.now(), stored.game.now(), "{list}");
            assert_eq!(again[0].game.decisions(), stored.game.decisions(), "{list}");
            assert_eq!(again[0].game.result, stored.game.result, "{list}");
        }
        if let Ok(written) = write_records(&games)
            && !games.is_empty()
        {
            let again =
                read_games(rules, &written).unwrap_or_else(|why| panic!("{written}: {why}"));
            assert_eq!(again.len(), games.len(), "{written}");
            for (again, stored) in again.iter().zip(&games) {
                assert_eq!(again.game.start(), stored.game.start(), "{written}");
                assert_eq!(again.game.decisions(), stored.game.decisions(), "{written}");
                assert_eq!(again.game.result, stored.game.result, "{written}");
                assert_eq!(again.game.event_info, stored.game.event_info, "{written}");
                assert_eq!(again.failure, stored.failure, "{written}");
            }
        }
    }
}

/// A record that can be written strictly is read again as the same game.
pub fn fuzz_wtn(input: &[u8]) {
    let Ok(text) = decode(input) else { return };
    let form = Einstein::RECORDS.first().expect("the form of the Chinese championship");
    let _ = (form.recognises)(&text);
    let records = (form.split)(&text);
    let whole: String = records.iter().map(|(_, record)| *record).collect();
    assert_eq!(whole, text, "something is in no record");
    for (line, record) in records {
        match (form.read)(record, line) {
            Err(error) => one_line(&error),
            Ok(ReadGame { game, assumed }) => {
                assumed.iter().for_each(one_line);
                wtn_again(form, &game);
            }
        }
    }
}

fn wtn_again(form: &RecordForm<Einstein>, game: &Transcript<Einstein>) {
    assert!(!(form.file_name)(game).contains(['/', '\\', '\0']), "a path as a file's name");
    match (form.write)(game) {
        Err(error) => one_line(&error),
        Ok(written) => {
            let again = (form.read)(&written, 1);
            let again = again.unwrap_or_else(|why| panic!("{written}: {why}")).game;
            assert_eq!(again.start(), game.start(), "{written}");
            assert_eq!(again.decisions(), game.decisions(), "{written}");
            assert_eq!(again.result, game.result, "{written}");
        }
    }
}
