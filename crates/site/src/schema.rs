//! The schemas of the messages that the site receives and sends, and of the library's reports
//! (feature `schema`).
//!
//! `cargo xtask schemas` writes them into the documents. They are derived from the types that are
//! serialised, so that a field has one name, one type and one description everywhere. Only this file
//! knows which types there are; an ordinary build has neither it nor the crate that derives.

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};
use wurfel::SolutionReport;
use wurfel_arena::{
    ComparisonReport, GameRecord, MatchHeader, MatchReport, PositionReport, RegretReport,
    ReviewReport, SprtReport, TournamentReport,
};

use crate::analysis::{AnalysisReply, Question};
use crate::games::SiteShown;
use crate::http::answers::ProblemReport;
use crate::http::routes::QrRequest;
use crate::http::sockets::PresenceReport;
use crate::puzzles::Puzzle;
use crate::qr::Qr;
use crate::record::RoomRecord;
use crate::registry::{JoinRequest, PlayerAction};
use crate::review::{self, ReviewView};
use crate::rollouts::{self, RolloutReply};
use crate::room::{GameRequest, OpenGame, View};
use crate::runs::{MatchScore, Run};
use crate::store::Listed;

/// Calls the generator for each of the types.
macro_rules! schemas {
    ($settings:expr, $($type:ty),+ $(,)?) => {{
        let mut generator = generator($settings);
        $(generator.subschema_for::<$type>();)+
        generator.take_definitions(true)
    }};
}

fn generator(settings: SchemaSettings) -> SchemaGenerator {
    let place = |settings: &mut SchemaSettings| {
        settings.definitions_path = "/components/schemas".into();
    };
    settings.with(place).into_generator()
}

/// The messages of clients, those to clients, and the reports of the library: three lists of schemas by
/// name.
pub fn schemas() -> [Map<String, Value>; 3] {
    let settings = SchemaSettings::draft2020_12;
    let received = schemas!(
        settings().for_deserialize(),
        GameRequest,
        PlayerAction,
        JoinRequest,
        Question,
        rollouts::RolloutRequest,
        review::Request,
        QrRequest,
    );
    let sent = schemas!(
        settings().for_serialize(),
        ProblemReport<'_>,
        SiteShown,
        wurfel::Scene,
        View,
        RoomRecord,
        PresenceReport,
        Listed,
        OpenGame,
        AnalysisReply,
        RolloutReply<'_>,
        Puzzle,
        review::Archive,
        ReviewView,
        Run,
        MatchScore,
        Qr,
    );
    let reports = schemas!(
        settings().for_serialize(),
        MatchHeader,
        GameRecord,
        MatchReport,
        SprtReport,
        TournamentReport,
        RegretReport,
        PositionReport,
        SolutionReport,
        ReviewReport,
        ComparisonReport,
    );
    [received, sent, reports]
}
