//! An engine for programs that analyse many positions at once, by the JSON protocol.
//!
//! The reader checks each query and puts its positions into a queue. Threads take them from there,
//! each with an agent of its own, and answer when they are done. Nothing else is shared, so an
//! answer does not depend on what is analysed at the same time.

mod prepare;
mod queue;
mod slot;
mod task;

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use wurfel_protocol::json::{Action, DoneReply, NoResults, Query, RefusalReply, Reply, Request};
use wurfel_protocol::{Line, Lines, MAX_LINE};

use prepare::Preparer;
use queue::{Queue, Ticket};
use slot::AgentSlot;

use super::{Options, driver, send};

/// Serves a driver until the end of its input, and then finishes the remaining requests. Fails when
/// the options name no game or no agent of this game, or the input cannot be read.
pub fn drive_json(options: Options, threads: usize) -> anyhow::Result<()> {
    let mut preparer = Preparer::new(options);
    // The settings of the command are checked like a query that names nothing.
    preparer.prepare(&Query::default()).map_err(|refusal| anyhow::anyhow!(refusal.error))?;
    let stops: Vec<Arc<AtomicBool>> = (0..threads).map(|_| Arc::default()).collect();
    let queue = Queue::new(&stops);
    thread::scope(|scope| {
        for (number, stop) in stops.into_iter().enumerate() {
            let queue = &queue;
            scope.spawn(move || work(number, stop, queue));
        }
        scope.spawn(|| queue.watch());
        let _closing = queue.closing();
        read(&mut preparer, &queue)?;
        // What was asked for is still answered, if there is anybody who reads the answers.
        if queue.is_busy() {
            thread::spawn(|| {
                driver::wait_until_gone();
                super::end(&io::ErrorKind::BrokenPipe.into());
            });
        }
        Ok::<_, io::Error>(())
    })?;
    Ok(())
}

/// Analyses positions until there are no more.
fn work(number: usize, stop: Arc<AtomicBool>, queue: &Queue) {
    let mut slot = AgentSlot::new(stop);
    while let Some((work, cleared)) = queue.next(number) {
        slot.clear(cleared);
        work(&mut slot);
    }
}

/// Reads requests and carries them out until the end of the input.
fn read(preparer: &mut Preparer, queue: &Queue) -> io::Result<()> {
    let mut lines = Lines::new(io::stdin());
    while let Some(line) = lines.next_line()? {
        let input = match line {
            Line::Text(line) if line.trim().is_empty() => continue,
            Line::Text(line) => Request::read(&line),
            Line::TooLong => {
                let error = format!("expected a line of at most {MAX_LINE} bytes");
                Err(RefusalReply { id: None, error, field: None })
            }
        };
        let obeyed = input.and_then(|(request, warnings)| {
            for warning in warnings {
                send(&Reply::Warning(warning));
            }
            obey(request, preparer, queue)
        });
        if let Err(refusal) = obeyed {
            send(&Reply::Refused(refusal));
        }
    }
    Ok(())
}

fn obey(request: Request, preparer: &mut Preparer, queue: &Queue) -> Result<(), RefusalReply> {
    let (id, action) = match request {
        Request::Query(query) => {
            for job in preparer.prepare(&query)? {
                queue.add(query.priority, job);
            }
            return Ok(());
        }
        Request::Action { id, action } => (id, action),
        _ => return Err(unknown(None)),
    };
    let (mut name, mut version) = (None, None);
    match &action {
        Action::QueryVersion => {
            name = Some("wurfel".to_owned());
            version = Some(env!("CARGO_PKG_VERSION").to_owned());
        }
        Action::ClearCache => {
            preparer.forget();
            queue.forget();
        }
        Action::Terminate { terminate_id, turn_numbers } => {
            end(queue, |ticket| ticket.id == *terminate_id, turn_numbers.as_deref());
        }
        Action::TerminateAll { turn_numbers } => end(queue, |_| true, turn_numbers.as_deref()),
        _ => return Err(unknown(Some(id))),
    }
    send(&Reply::Done(DoneReply { id, action, name, version }));
    Ok(())
}

/// The answer to a request of a newer protocol than this engine's.
fn unknown(id: Option<String>) -> RefusalReply {
    RefusalReply { id, error: "this engine does not know the request".to_owned(), field: None }
}

/// Ends the positions for which `meant` is true, for all turns or only for these.
fn end(queue: &Queue, meant: impl Fn(&Ticket) -> bool, turns: Option<&[usize]>) {
    let ended =
        queue.end(|ticket| meant(ticket) && turns.is_none_or(|turns| turns.contains(&ticket.turn)));
    for Ticket { id, turn } in ended {
        send(&Reply::NoResults(NoResults::new(id, turn)));
    }
}
