//! The referee's helper at a real table: it turns what is typed into entries of a session, and
//! shows the new state. All rules of a session are those of [`wurfel_arena::Session`].

mod console;
mod records;
mod show;
mod thinking;
mod trial;
mod typed;
mod world;

#[cfg(test)]
mod tests;

pub use console::{Console, Players, Typing};
pub use show::left_over;
pub use world::{Input, RealWorld, World};
