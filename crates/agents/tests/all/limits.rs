//! Values of options: what is read, and how the range is named in errors.

use std::time::Duration;

use wurfel_agents::{Spec, build, parse_decimal, parse_number, parse_time};
use wurfel_games::einstein::Einstein;

#[test]
fn the_error_names_the_range_of_a_number() {
    assert_eq!(parse_number("7", 1, 1_000_000), Ok(7));
    for wrong in ["", "x", "-1", "0", "1000001", "1.5", "99999999999999999999999"] {
        let error = parse_number(wrong, 1, 1_000_000).unwrap_err().to_string();
        assert_eq!(error, "expected a whole number from 1 to 1,000,000", "{wrong}");
    }
    let error = parse_number("x", 100, u64::MAX).unwrap_err().to_string();
    assert_eq!(error, "expected a whole number from 100 to 18,446,744,073,709,551,615");
    for wrong in ["", "x", "nan", "-0.1", "1.1"] {
        let error = parse_decimal(wrong, 0.000_001, 1.0).unwrap_err().to_string();
        assert_eq!(error, "expected a number from 0.000001 to 1", "{wrong}");
    }
    let error = parse_decimal("x", -1000.0, 0.5).unwrap_err().to_string();
    assert_eq!(error, "expected a number from -1,000 to 0.5");
}

#[cfg(target_os = "linux")]
#[test]
fn amounts_of_memory_are_read() {
    let is_read = |memory: &str| {
        let spec: Spec = format!("cmd:\"./engine\",memory={memory}").parse().unwrap();
        build(&Einstein::default(), &spec).is_ok()
    };
    assert!(["1MB", "2GB", "none"].into_iter().all(is_read));
    let all = u64::MAX.to_string() + "GB";
    for wrong in ["2", "GB", "-1GB", "0MB", "1.5GB", "2gb", "2 GB", "1001GB", &all] {
        assert!(!is_read(wrong), "{wrong}");
    }
}

#[test]
fn times_are_read() {
    assert_eq!(parse_time("100ms"), Ok(Duration::from_millis(100)));
    assert_eq!(parse_time("1.5s"), Ok(Duration::from_millis(1500)));
    assert_eq!(parse_time("2m"), Ok(Duration::from_mins(2)));
    for wrong in ["", "2", "s", "-1s", "nans", "infs", "0s", "1e99s", "2 h"] {
        assert!(parse_time(wrong).is_err(), "{wrong}");
    }
}
