//! A hundred clients of both eras in front of servers that crash, hang, flood and lie, for as long as is wanted.
//!
//! `./check` runs it for half a minute, `./check soak` for ten. `SOAK_SEED` draws other calls, and the same ones again: each
//! client makes the calls of its seed in their order, however long it lasts. `SOAK_SECONDS` says how long.

mod answer;
mod clients;
mod moves;
mod servers;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use answer::Outcome;
use clients::{ClientFront, SoakClient};
use servers::{SoakPlaces, SoakServers};

/// What was asked for.
#[derive(Debug, Clone, Copy)]
struct SoakPlan {
    seed: u64,
    time: Duration,
}

impl SoakPlan {
    fn of_environment() -> Self {
        let number = |name: &str, default| {
            let text = std::env::var(name).ok();
            text.map_or(default, |text| text.parse().expect("a number"))
        };
        Self {
            seed: number("SOAK_SEED", 20),
            time: Duration::from_secs(number("SOAK_SECONDS", 30)),
        }
    }
}

/// What all clients found.
#[derive(Default)]
struct SoakResults {
    outcomes: BTreeMap<String, u64>,
    violations: Vec<String>,
    /// Of each call with a key: what its caller was told.
    told: BTreeMap<String, Outcome>,
}

#[test]
fn every_request_is_answered_once_and_nothing_is_executed_twice_or_left_behind() {
    let plan = SoakPlan::of_environment();
    let replay = format!(
        "SOAK_SEED={} SOAK_SECONDS={} ./check soak",
        plan.seed,
        plan.time.as_secs()
    );
    println!("soak: {replay}");
    let mut servers = SoakServers::start();
    let places = servers.places();
    // Pools, caches and allocators fill before anything is measured.
    let mut results = SoakResults::default();
    run(&places, plan.seed, &mut results, |made| {
        made < WARM_UP_CALLS
    });
    let before = servers.settled(None);
    let end = end_of(plan.time);
    run(&places, plan.seed ^ MAIN_RUN, &mut results, |_| !end());
    let after = servers.settled(Some(before));
    println!("soak: before {before:?}, after {after:?}");
    for (outcome, count) in &results.outcomes {
        println!("soak: {count:>7} {outcome}");
    }
    results.violations.extend(after.grown_since(before));
    results
        .violations
        .extend(servers.executed_wrongly(&results.told));
    results.violations.extend(servers.end());
    let violations = &results.violations;
    let first = &violations[..violations.len().min(MAX_SHOWN)];
    assert!(
        violations.is_empty(),
        "{} violations; the same calls again: {replay}\n{}",
        violations.len(),
        first.join("\n")
    );
}

/// Lets all clients make calls, as long as they may; they leave afterwards.
fn run(
    places: &SoakPlaces,
    seed: u64,
    results: &mut SoakResults,
    may_go_on: impl Fn(u64) -> bool + Sync,
) {
    let all = Mutex::new(results);
    thread::scope(|scope| {
        let clients = (0..CLIENTS).map(|number| {
            let (all, may_go_on) = (&all, &may_go_on);
            let work = move || {
                let mut client = SoakClient::new(seed, number, places);
                while may_go_on(client.made()) {
                    client.step();
                }
                client.leave();
                let mut all = all.lock().expect("no client panics with it");
                client.report(&mut all);
            };
            let thread = thread::Builder::new().stack_size(STACK_BYTES);
            (
                number,
                thread
                    .spawn_scoped(scope, work)
                    .expect("the system has threads left"),
            )
        });
        let clients: Vec<_> = clients.collect();
        for (number, client) in clients {
            if client.join().is_err() {
                let front = ClientFront::of(number);
                let mut all = all.lock().expect("no client panics with it");
                all.violations
                    .push(format!("client {number} ({front:?}) panicked, see above"));
            }
        }
    });
}

/// Whether a time has passed.
#[expect(
    clippy::disallowed_methods,
    reason = "a soak lasts as long as the clock says"
)]
fn end_of(time: Duration) -> impl Fn() -> bool + Sync {
    let start = Instant::now();
    move || start.elapsed() >= time
}

const CLIENTS: usize = 100;
/// Calls of each client before anything is measured.
const WARM_UP_CALLS: u64 = 5;
/// Makes the keys and the calls of the main run differ from those of the warm-up.
const MAIN_RUN: u64 = 1 << 40;
const STACK_BYTES: usize = 1 << 20;
/// How many violations are printed.
const MAX_SHOWN: usize = 20;
