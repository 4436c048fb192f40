#![doc = include_str!("../README.md")]

mod cup;
mod play;
mod records;
mod session;
mod study;

pub use cup::definition::{
    CupAdjudication, CupClock, CupDefinition, CupFormat, CupLimits, CupSetup, CupTime, Participant,
};
pub use cup::error::CupError;
pub use cup::file::CupReader;
pub use cup::meeting::{GameScore, Meeting};
pub use cup::run::{Cup, CupState};
pub use cup::table::{HeadToHead, Rating, Standings, StandingsRow};
pub use play::adjudicate::{Adjudication, Adjudicator};
pub use play::book::best_setups;
pub use play::chosen::{ChosenSetUps, choose_setups};
pub use play::clock::TimeControl;
pub use play::entrant::{ChoiceError, Entrant, NotStarted, NothingToArrange};
pub use play::matches::{GivenUp, Match, MatchError, MatchProgress};
pub use play::ordered::run_in_order;
pub use play::ranking::{GamesWon, games_won};
pub use play::referee::{Ending, Interruption, PlayedMove, Recorder, Terms, play, play_on};
pub use play::setups::{RankedSetUp, rank_setups};
pub use play::tournament::{
    Pairing, PlayedPairings, Tournament, adjusted_standing, pairings, read_pairings,
    seed_of_pairing, standing,
};
pub use play::tournament_report::{MeanRate, StandingReport, TournamentReport, TournamentTerms};
pub use records::archive::{UnparsedGame, find_games, game_of, read_games};
pub use records::chain::LineChain;
pub use records::draft::{Draft, OutputError};
pub use records::game_files::{GameFiles, TimedDecision};
pub use records::lost_details::LostDetails;
pub use records::notes::{Comment, Notes, Variation};
pub use records::output::{Output, ResumedGame};
pub use records::person_name::{LongName, PersonName};
pub use records::players::RatedPlayer;
pub use records::record::{FORMAT, GameRecord, MatchHeader, VERSION};
pub use records::recorded_game::{GameEntry, RecordedGame};
pub use records::replayer::CheckLevel;
pub use records::results::{MissingResults, ReadPairs, Results, ResultsError, read_pairs};
pub use records::room::{
    ROOM_FORMAT, ROOM_VERSION, RoomEnd, RoomEndReason, RoomPlayer, RoomRoll, RoomStep,
};
pub use records::stream::GameStream;
pub use records::writer::{MixedPlayers, RecordWriter, move_list_of, record_of, write_records};
pub use session::clocks::clock_text;
pub use session::entry::{SessionEntry, SessionEvent};
pub use session::file::{SessionError, SessionFile};
pub use session::refusal::Refusal;
pub use session::settings::{SessionClock, SessionSettings};
pub use session::state::{NextEntry, Session};
pub use session::table::{SessionEnding, SessionGame};
pub use study::bench::{BenchError, BenchResult, Signatures};
pub use study::calibration::{
    Bin, Calibration, CalibrationError, CalibrationSettings, WorstEstimate,
};
pub use study::candidates::{
    Candidate, Candidates, ComparisonResult, DEFAULT_ERROR_RATE, NoCandidates,
};
pub use study::comparison::{ComparedMove, ComparisonReport, PairedDifference};
pub use study::error_rate::{ErrorRate, NoErrorRate};
pub use study::graph::Graph;
pub use study::luck::LuckMeter;
pub use study::marks::{GRADES, LuckMark, Mark};
pub use study::position_report::{
    AnalysisError, PositionReport, ScoredMove, ScoredRoll, ScoredTurn,
};
pub use study::regret::{Loss, PositionSource, Regret, RegretSettings};
pub use study::regret_report::{LossReport, RegretReference, RegretReport};
pub use study::review::{Review, ReviewedDecision, Totals};
pub use study::review_report::{LostByFault, ReviewReport, ReviewedMove, ReviewedPlayer};
pub use study::reviewer::{MissingValue, ReviewProgress, Reviewer};
pub use study::rollout::{Rollout, RolloutResult, StoppingRule};
pub use study::series::{PlayerReview, Series, SeriesTally};
pub use study::speed::{RANDOM_GAME, Speed, SpeedSettings};
pub use study::stored::{
    ComparisonTerms, RolloutTerms, StoredComparison, StoredError, StoredResult, load_rollout,
    save_rollout,
};
pub use wurfel_statistics::{
    Adjusted, AdjustedRate, AgentReport, AgentTally, AnchoredRating, Bootstrap, CandidateSelection,
    Clusters, ConfidenceSequence, Control, Decimal, EloDifference, EloModel, Encounter, Estimate,
    FaultReport, FixedSampleTest, Interval, LuckAdjusted, MatchReport, MatchTally, Pentanomial,
    PlayedGames, PlayedRate, PlayedReport, Ratings, Score, ScoreReport, SearchFigure, Searches,
    SetUpReport, SetUps, SimulatedTest, Sprt, SprtError, SprtReport, SprtSimulation, SprtVerdict,
    StoppingAdjusted, Summary, Tally, Timing, Wins, anchored_ratings, default_resamples,
    fault_warning, wilson_interval,
};
