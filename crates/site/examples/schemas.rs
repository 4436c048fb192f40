//! Prints the schemas of what the site receives and sends and of the library's reports, for
//! `cargo xtask schemas`.

#![allow(clippy::print_stdout, reason = "what it prints is read by another program")]

fn main() {
    println!("{}", serde_json::json!(wurfel_site::schema::schemas()));
}
