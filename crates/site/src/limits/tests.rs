//! Tests of the limits of clients.

use super::*;
use std::time::Duration;

fn gate(limits: Limits) -> Arc<Gate> {
    Arc::new(Gate::new(limits))
}

#[test]
fn a_class_has_room_for_everybody_and_one_visitor_has_the_default() {
    assert_eq!(Limits::for_class(1), Limits::default());
    let class = Limits::for_class(40);
    assert_eq!((class.connections_each, class.new_per_minute), (320, Some(160)));
    assert_eq!((class.requests_per_second, class.people), (400.0, 40));
    assert!(Limits::for_class(1000).connections >= 16_000);
}

#[tokio::test]
async fn a_connection_too_many_waits_for_another_to_end() {
    let gate = gate(Limits { connections_each: 1, ..Limits::default() });
    let client = "10.0.0.1".parse().unwrap();
    let first = gate.enter(client).unwrap();
    assert!(gate.enter(client).is_none());
    let others: Vec<_> = (1..WAITING_EACH).map(|_| gate.wait(client).unwrap()).collect();
    let later = tokio::spawn({
        let gate = Arc::clone(&gate);
        async move { gate.enter_later(client).await.is_some() }
    });
    while gate.clients().known[&client].waiting < WAITING_EACH {
        tokio::task::yield_now().await;
    }
    // One more may not even wait.
    assert!(gate.enter_later(client).await.is_none());
    assert!(gate.is_crowded(client));
    drop((first, others));
    assert!(later.await.unwrap());
}

#[test]
fn requests_come_back_with_time_and_one_client_does_not_use_up_the_others() {
    let gate = gate(Limits { requests_per_second: 2.0, burst: 4.0, ..Limits::default() });
    let [one, other] = ["10.0.0.1", "10.0.0.2"].map(|text| text.parse().unwrap());
    let now = Instant::now();
    let allowed: Vec<bool> = (0..6).map(|_| gate.allows(one, 1.0, now)).collect();
    assert_eq!(allowed, [true, true, true, true, false, false]);
    assert!(gate.allows(other, 1.0, now));
    let later = now + Duration::from_secs(1);
    let allowed: Vec<bool> = (0..3).map(|_| gate.allows(one, 1.0, later)).collect();
    assert_eq!(allowed, [true, true, false]);
}

#[test]
fn connections_are_counted_while_they_last() {
    let gate = gate(Limits { connections: 3, connections_each: 2, ..Limits::default() });
    let [one, other] = ["10.0.0.1", "10.0.0.2"].map(|text| text.parse().unwrap());
    let passes = [gate.enter(one), gate.enter(one)];
    assert!(passes.iter().all(Option::is_some) && gate.enter(one).is_none());
    let third = gate.enter(other);
    assert!(third.is_some() && gate.enter(other).is_none());
    drop(passes);
    assert!(gate.enter(one).is_some());
    assert_eq!(gate.clients().known.len(), 1);
}

#[test]
fn clients_are_networks_and_few_are_remembered() {
    let client = |text: &str| client(text.parse().unwrap());
    assert_eq!(client("2001:db8::1"), client("2001:db8::ffff"));
    assert_ne!(client("2001:db8::1"), client("2001:db8:1::1"));
    assert_eq!(client("::ffff:10.0.0.1"), client("10.0.0.1"));
    let gate = gate(Limits::default());
    let mut now = Instant::now();
    for number in 0..3 * MAX_CLIENTS as u32 {
        now += Duration::from_millis(10);
        gate.allows(IpAddr::V4(number.into()), 1.0, now);
    }
    assert!(gate.clients().known.len() <= MANY_CLIENTS);
}

#[test]
fn only_codes_that_no_game_has_are_counted() {
    let gate = gate(Limits::default());
    let [one, other] = ["10.0.0.1", "10.0.0.2"].map(|text| text.parse().unwrap());
    let now = Instant::now();
    for _ in 0..100 {
        gate.guess(one, now).unwrap();
        gate.guessed(one);
    }
    let tried = (0..100).filter(|_| gate.guess(one, now).is_ok()).count();
    assert_eq!(tried, 10);
    assert_eq!(gate.guess(one, now).unwrap_err().as_secs(), 30);
    assert!(gate.guess(other, now).is_ok());
    assert!(gate.guess(one, now + Duration::from_secs(31)).is_ok());
}

#[test]
fn new_games_are_counted_by_minute_and_day() {
    let limits = Limits { new_per_minute: Some(3), new_per_day: Some(5), ..Limits::default() };
    let gate = gate(limits);
    let [one, other] = ["10.0.0.1", "10.0.0.2"].map(|text| text.parse().unwrap());
    let mut now = Instant::now();
    let opened = |now| (0..4).filter(|_| gate.open(one, now).is_ok()).count();
    assert_eq!(opened(now), 3);
    let refused = gate.open(one, now).unwrap_err();
    assert_eq!(refused.to_string(), "at most 3 new games a minute, try again later");
    // One of three games a minute comes back after a third of a minute.
    assert_eq!(refused.wait.as_secs_f64().round() as u32, 20);
    assert!(gate.open(other, now).is_ok());
    now += Duration::from_mins(1);
    assert_eq!(opened(now), 2);
    let refused = gate.open(one, now).unwrap_err();
    assert_eq!(refused.to_string(), "at most 5 new games a day, try again later");
    now += Duration::from_hours(24);
    assert_eq!(opened(now), 3);
    let free = Limits { new_per_minute: None, new_per_day: None, ..limits };
    let gate = Gate::new(free);
    assert!((0..1000).all(|_| gate.open(one, now).is_ok()));
}
