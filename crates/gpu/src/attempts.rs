//! Tries one interface to devices after the other. The framework panics where there is no device.

use std::any::Any;
use std::error::Error;
use std::fmt;
use std::panic::{self, AssertUnwindSafe};

/// Why there is no device: for each interface that was tried, its name and what the framework said.
/// Displays as one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoDevice(Vec<(&'static str, String)>);

impl fmt::Display for NoDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no device was found")?;
        for (n, (interface, reason)) in self.0.iter().enumerate() {
            write!(f, "{} {interface}: {reason}", if n == 0 { ":" } else { ";" })?;
        }
        Ok(())
    }
}

impl Error for NoDevice {}

/// The name of an interface to devices, and something that needs one.
pub type Attempt<'a, T> = (&'static str, &'a dyn Fn() -> Box<T>);

/// The result of the first attempt that finds a device.
pub fn first<T: ?Sized>(attempts: &[Attempt<'_, T>]) -> Result<Box<T>, NoDevice> {
    let mut reason = vec![];
    for (interface, begin) in attempts {
        match begun(begin) {
            Ok(begun) => return Ok(begun),
            Err(error) => reason.push((*interface, error)),
        }
    }
    Err(NoDevice(reason))
}

/// The result of `begin`, or the message of a panic, as the framework panics where there is no
/// device.
fn begun<T>(begin: impl FnOnce() -> T) -> Result<T, String> {
    let report = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let begun = panic::catch_unwind(AssertUnwindSafe(begin));
    panic::set_hook(report);
    begun.map_err(|panic| message(&*panic))
}

/// The beginning of the first line of a panic's message.
fn message(panic: &(dyn Any + Send)) -> String {
    const MAX_LENGTH: usize = 200;
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default();
    let line = text.lines().next().unwrap_or_default();
    if line.is_empty() {
        "it does not say why".to_owned()
    } else {
        line.chars().take(MAX_LENGTH).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_of_each_interface_why_it_has_no_device() {
        let none: Attempt<'_, str> = ("none", &|| panic!("no adapter {}\nand more", 7));
        let silent: Attempt<'_, str> = ("silent", &|| panic::panic_any(3));
        let success: Attempt<'_, str> = ("found", &|| "a device".into());
        assert_eq!(first(&[none, success, silent]).as_deref(), Ok("a device"));
        let error = first(&[none, silent]).map(drop).map_err(|error| error.to_string());
        let reason = "no device was found: none: no adapter 7; silent: it does not say why";
        assert_eq!(error, Err(reason.to_owned()));
        let long: Attempt<'_, str> = ("long", &|| panic!("{}", "ä".repeat(1000)));
        assert!(first(&[long]).is_err_and(|error| error.to_string().chars().count() < 300));
    }
}
