//! Both sides, in turns.

use std::io;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::client::Session;
use crate::find::Found;
use crate::load::{Call, Server};
use crate::process;

/// How much is measured.
pub(crate) struct Plan {
    pub(crate) rounds: u32,
    pub(crate) calls: u32,
    pub(crate) starts: u32,
    /// How long nothing is asked.
    pub(crate) idle: Duration,
}

/// A server somebody names, and what to call there.
pub(crate) struct Own {
    pub(crate) command: Vec<String>,
    pub(crate) params: String,
}

/// The same measured twice.
pub(crate) struct Pair<T> {
    pub(crate) bare: T,
    pub(crate) through: T,
}

/// What was seen of one kind of call.
pub(crate) struct Seen {
    pub(crate) name: String,
    pub(crate) server: Server,
    /// How long each call took, one after the other.
    pub(crate) alone: Pair<Vec<Duration>>,
    /// How long a call took in each round with [`AT_ONCE`] of them in flight.
    pub(crate) together: Pair<Vec<Duration>>,
    /// The same with a program in between that only copies bytes.
    pub(crate) pumped: Pumped,
    /// How long the gateway itself ran for each call, one after the other.
    pub(crate) cpu: Option<Duration>,
}

/// What was seen behind a pump.
#[derive(Default)]
pub(crate) struct Pumped {
    pub(crate) alone: Vec<Duration>,
    pub(crate) together: Vec<Duration>,
}

/// The same server three times.
struct Sides {
    bare: Session,
    through: Session,
    pumped: Session,
}

/// Everything that was seen.
pub(crate) struct All {
    pub(crate) calls: Vec<Seen>,
    /// From the start of a server to its answer to the handshake.
    pub(crate) starts: Pair<Vec<Duration>>,
    /// Bytes of memory the gateway keeps when the load is over.
    pub(crate) memory: Option<u64>,
    /// How long it runs while nothing is asked.
    pub(crate) idle: Option<Duration>,
}

pub(crate) fn all(found: &Found, own: Option<&Own>, plan: &Plan) -> io::Result<All> {
    let child = [found.child.as_str(), "child"];
    let mut sides = Sides::start(found, &child)?;
    let mut calls = Vec::new();
    for call in [
        Call::sized("1 kB", 1_000, 1),
        Call::sized("100 kB", 100_000, 10),
    ] {
        calls.push(sides.measure(&call, plan)?);
    }
    // What it gives back, it gives back at once; the moment is for what is still under way.
    sleep(MOMENT);
    let memory = process::memory(sides.through.pid());
    let idle = idle_cpu(sides.through.pid(), plan.idle);
    if let Some(minimal) = &found.minimal {
        let mut sides = Sides::start(found, &[minimal.as_str()])?;
        calls.push(sides.measure(&Call::minimal(), plan)?);
    }
    if let Some(everything) = &found.everything {
        calls.push(warmed(found, everything, Call::everything(), plan)?);
    }
    if let Some(Own { command, params }) = own {
        calls.push(warmed(found, command, Call::of(params), plan)?);
    }
    Ok(All {
        calls,
        starts: starts(found, &child, plan)?,
        memory,
        idle,
    })
}

/// A server that may compile itself while it runs.
fn warmed(found: &Found, command: &[String], mut call: Call, plan: &Plan) -> io::Result<Seen> {
    let command: Vec<&str> = command.iter().map(String::as_str).collect();
    let mut sides = Sides::start(found, &command)?;
    if sides.warm(&call, plan)? > SLOW {
        call.share *= SLOW_SHARE;
    }
    sides.measure(&call, plan)
}

/// How long a process runs while nothing is asked of it.
fn idle_cpu(pid: u32, idle: Duration) -> Option<Duration> {
    let before = process::cpu(pid)?;
    sleep(idle);
    Some(Duration::from_nanos(
        process::cpu(pid)?.checked_sub(before)?,
    ))
}

impl Sides {
    fn start(found: &Found, server: &[&str]) -> io::Result<Self> {
        Ok(Self {
            bare: Session::start(server)?,
            through: Session::start(&through(found, server))?,
            pumped: Session::start(&[&[found.child.as_str(), "pump", "--"], server].concat())?,
        })
    }

    /// Calls a server until it is as quick as it gets, or until there has been time enough: many compile themselves while
    /// they run, and each of the three would be measured at another stage of that. Gives what a call takes on average.
    fn warm(&mut self, call: &Call, plan: &Plan) -> io::Result<Duration> {
        let mut mean = Duration::ZERO;
        for session in [&mut self.bare, &mut self.through, &mut self.pumped] {
            let begun = Instant::now();
            let mut made = 0;
            while made < WARM * plan.calls && begun.elapsed() < LONGEST_WARM {
                session.call(call)?;
                made += 1;
            }
            mean = begun.elapsed() / made.max(1);
        }
        Ok(mean)
    }

    fn measure(&mut self, call: &Call, plan: &Plan) -> io::Result<Seen> {
        let calls = (plan.calls / call.share).max(1);
        let mut seen = Seen {
            name: call.name.clone(),
            server: call.server,
            alone: Pair::default(),
            together: Pair::default(),
            pumped: Pumped::default(),
            cpu: None,
        };
        let mut ran = Some(0);
        // The first round warms up.
        for round in 0..=plan.rounds {
            let is_counted = round > 0;
            let bare = alone(&mut self.bare, call, calls)?;
            let before = process::cpu(self.through.pid());
            let through = alone(&mut self.through, call, calls)?;
            let after = process::cpu(self.through.pid());
            let pumped = alone(&mut self.pumped, call, calls)?;
            let pumped_together = together(&mut self.pumped, call, calls)?;
            let together = Pair {
                bare: together(&mut self.bare, call, calls)?,
                through: together(&mut self.through, call, calls)?,
            };
            if is_counted {
                seen.alone.bare.extend(bare);
                seen.alone.through.extend(through);
                seen.together.bare.push(together.bare);
                seen.together.through.push(together.through);
                seen.pumped.alone.extend(pumped);
                seen.pumped.together.push(pumped_together);
                ran = ran
                    .zip(after)
                    .zip(before)
                    .map(|((ran, after), before)| ran + (after - before));
            }
        }
        let count = u64::from(plan.rounds) * u64::from(calls);
        seen.cpu = ran.map(|ran| Duration::from_nanos(ran / count));
        Ok(seen)
    }
}

impl<T> Default for Pair<Vec<T>> {
    fn default() -> Self {
        Self {
            bare: Vec::new(),
            through: Vec::new(),
        }
    }
}

fn alone(session: &mut Session, call: &Call, calls: u32) -> io::Result<Vec<Duration>> {
    rest();
    (0..calls).map(|_| session.call(call)).collect()
}

/// The time for one call, when many are under way.
fn together(session: &mut Session, call: &Call, calls: u32) -> io::Result<Duration> {
    let calls = calls * 4;
    rest();
    Ok(session.flood(call, calls, AT_ONCE)? / calls)
}

/// Lets the machine come to rest. Where the system has put the programs of one side, and which cores are awake, would
/// decide how fast the next side is.
fn rest() {
    sleep(REST);
}

fn starts(found: &Found, child: &[&str], plan: &Plan) -> io::Result<Pair<Vec<Duration>>> {
    let start = |command: &[&str]| {
        let begun = Instant::now();
        let session = Session::start(command)?;
        let took = begun.elapsed();
        drop(session);
        io::Result::Ok(took)
    };
    let mut all = Pair::default();
    let through = through(found, child);
    for _ in 0..plan.starts {
        all.bare.push(start(child)?);
        all.through.push(start(&through)?);
    }
    Ok(all)
}

fn through<'a>(found: &'a Found, server: &[&'a str]) -> Vec<&'a str> {
    [
        &[found.breakfall.as_str(), "run", "--wire-only", "--"],
        server,
    ]
    .concat()
}

/// How many calls are in flight where many are.
pub(crate) const AT_ONCE: u32 = 8;
/// How many times the calls of a round warm a server that somebody names, and how long at most.
const WARM: u32 = 10;
const LONGEST_WARM: Duration = Duration::from_secs(2);
/// Some servers people run are slow: from here on, fewer calls.
const SLOW: Duration = Duration::from_millis(1);
const SLOW_SHARE: u32 = 10;
const MOMENT: Duration = Duration::from_millis(300);
/// Long enough for cores to fall asleep.
const REST: Duration = Duration::from_millis(20);
