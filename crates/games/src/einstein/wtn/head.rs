//! The header of a WTN record: who plays which colour, who moves first, who has won, when and where.
//!
//! Written strictly it is `#[WTN][name R][name B][先手胜][time place][event]`, and the first name is that
//! of the side that moves first. Programs also write `[红方:name][蓝方:name][红方先手][蓝方胜]…`, leave out
//! the colours or write them without a space, and put other words where the result belongs.

use wurfel_core::{BySide, EventInfo, Scanner, Side, TextError, TextPosition};

use super::verdict::{Label, first_mover, labelled};
use super::{half_width, side};

/// The contents of a header.
#[derive(Default)]
pub(super) struct Head {
    /// Where the header begins.
    place: Option<TextPosition>,
    players: [Player; 2],
    /// The side that moves first, where a field of its own says so.
    first: Option<Side>,
    /// The text in the result's field, and its place.
    pub result: Option<(TextPosition, String)>,
    pub event_info: EventInfo,
}

/// A player's field.
#[derive(Clone, Default)]
struct Player {
    /// The name, without a label and a colour that stands apart from it.
    name: String,
    label: Option<Label>,
    /// The colour that follows the name as a word of its own.
    colour: Option<Side>,
    /// The name without its last letter, and the colour that this letter would be.
    glued: Option<(String, Side)>,
}

impl Player {
    fn new(field: &str) -> Self {
        let mut player = Self { name: field.to_owned(), ..Self::default() };
        let Some(last) = field.chars().next_back() else { return player };
        let before = &field[..field.len() - last.len_utf8()];
        if let Some(colour) = side(half_width(last)) {
            if before.is_empty() || before.ends_with([' ', '\u{3000}']) {
                return Self { name: before.trim().to_owned(), colour: Some(colour), ..player };
            }
            let is_capital = half_width(last).is_ascii_uppercase();
            player.glued = is_capital.then(|| (before.to_owned(), colour));
        }
        if let Some((label, name)) = labelled(field) {
            return Self { name: name.to_owned(), label: Some(label), ..Self::default() };
        }
        player
    }

    /// The colour, where the field names one beyond doubt.
    fn colour(&self) -> Option<Side> {
        match self.label {
            Some(Label::Colour(side)) => Some(side),
            _ => self.colour,
        }
    }
}

/// What a header and the moves say together.
pub(super) struct Sides {
    /// The side that moves first.
    pub first: Side,
    /// The names of the players.
    pub names: BySide<String>,
    /// Whether the header says that the other side moves first.
    pub is_doubtful: bool,
}

impl Head {
    /// Reads the header, which begins with `#` or at once with a bracket; a missing one is empty.
    pub fn read(scanner: &mut Scanner<'_>) -> Result<Self, TextError> {
        let mut head = Self { place: Some(scanner.place()), ..Self::default() };
        match scanner.peek() {
            Some('#') => _ = scanner.next_char(),
            Some('[') => {}
            _ => return Ok(head),
        }
        let mut fields = vec![];
        while matches!(scanner.peek(), Some('[' | ' ')) {
            if scanner.next_char() == Some(' ') {
                continue;
            }
            let place = scanner.place();
            let field = scanner.take_while(|character| !matches!(character, '[' | ']' | '\n'));
            if scanner.peek() != Some(']') {
                return Err(scanner.wrong("']'"));
            }
            scanner.next_char();
            fields.push((place, field.trim()));
        }
        if !matches!(scanner.peek(), None | Some(';' | '\r' | '\n')) {
            return Err(scanner.wrong("'[' or the end of the header"));
        }
        let tag = |field: &str| field.chars().map(half_width).collect::<String>();
        let mut fields = fields.into_iter().peekable();
        fields.next_if(|(_, field)| tag(field).eq_ignore_ascii_case("WTN"));
        for player in &mut head.players {
            *player = Player::new(fields.next().map_or("", |(_, field)| field));
        }
        head.first = fields
            .next_if(|(_, field)| first_mover(field).is_some())
            .and_then(|(_, field)| first_mover(field));
        head.result = fields.next().map(|(place, field)| (place, field.to_owned()));
        let words = fields.next().map_or("", |(_, field)| field);
        let begins_with_digit =
            |word: &&str| word.starts_with(|character: char| character.is_ascii_digit());
        let time: Vec<&str> = words.split_whitespace().take_while(begins_with_digit).collect();
        let place: Vec<&str> = words.split_whitespace().skip(time.len()).collect();
        let event = fields.next().map_or("", |(_, field)| field);
        head.event_info =
            EventInfo { time: time.join(" "), place: place.join(" "), event: event.to_owned() };
        Ok(head)
    }

    /// Who moves first, and who is who. `moved` is the side of the first move, if there is one.
    ///
    /// # Errors
    /// When both players have the same colour.
    pub fn sides(&self, moved: Option<Side>) -> Result<Sides, TextError> {
        let mut players = self.players.clone();
        separate(&mut players, moved);
        let [one, other] = players;
        let colour = match [one.colour(), other.colour()] {
            [Some(one), Some(other)] if one == other => {
                let place = self.place.unwrap_or(TextPosition::line(1));
                return Err(place.wrong("both players have the same colour"));
            }
            [one, other] => one.or(other.map(|side| !side)),
        };
        // The first field names who moves first, unless its label says otherwise or only the colour.
        let place_of_first = match [one.label, other.label] {
            [Some(Label::Mover(number)), _] => Some(number),
            [_, Some(Label::Mover(number))] => Some(1 - number),
            [Some(Label::Colour(_)), _] | [_, Some(Label::Colour(_))] => None,
            [None, None] => Some(0),
        };
        let by_place = place_of_first
            .and_then(|place| colour.map(|side| if place == 0 { side } else { !side }));
        let stated = self.first.or(by_place);
        let first = moved.or(stated).unwrap_or(Side::First);
        let of_one = colour.unwrap_or(if place_of_first == Some(1) { !first } else { first });
        let names = BySide::new(one.name, other.name);
        Ok(Sides {
            first,
            names: if of_one == Side::First { names } else { names.swapped() },
            is_doubtful: stated.is_some_and(|stated| stated != first),
        })
    }
}

/// Takes letters at the end of names as colours if both players then have different ones and the first
/// is that of the side which moves first. Otherwise they belong to the names: `USTB`.
fn separate(players: &mut [Player; 2], moved: Option<Side>) {
    if players.iter().any(|player| player.label.is_some()) {
        return;
    }
    let colour = |player: &Player| player.colour.or(player.glued.as_ref().map(|(_, side)| *side));
    let [one, other] = [&players[0], &players[1]].map(colour);
    if one.is_some() && other == one.map(|side| !side) && moved.is_none_or(|side| one == Some(side))
    {
        for player in players {
            if let Some((name, colour)) = player.glued.take() {
                (player.name, player.colour) = (name.trim().to_owned(), Some(colour));
            }
        }
    }
}
