//! Everybody in turns, so that whatever else the machine does hits all of them.

use std::error::Error;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;

use crate::answer::{BIG, SMALL};
use crate::find::Found;
use crate::http::Place;
use crate::sides::{self, Side};
use crate::wrk::{self, Seen};

/// How much is measured.
pub(crate) struct Plan {
    pub(crate) rounds: u32,
    pub(crate) time: Duration,
}

/// What was seen of one kind of load, in each round.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) size: usize,
    pub(crate) connections: u32,
    pub(crate) direct: Vec<Seen>,
    pub(crate) nginx: Vec<Seen>,
    /// Breakfall in front of the same server.
    pub(crate) remote: Vec<Seen>,
    /// Breakfall in front of a child.
    pub(crate) child: Vec<Seen>,
    /// The peer in front of a child.
    pub(crate) peer: Vec<Seen>,
    /// Breakfall in front of the same server, with all it does to a call.
    pub(crate) judged: Vec<Seen>,
    /// The same, with calls that fail; only where results are small, as failures are.
    pub(crate) failing: Vec<Seen>,
    /// Another Breakfall, if one was named.
    pub(crate) before: Option<Earlier>,
}

/// What was seen of another Breakfall in the same run: over HTTP, in front of a child, judging, failing.
#[derive(Debug)]
pub(crate) struct Earlier {
    pub(crate) remote: Vec<Seen>,
    pub(crate) child: Vec<Seen>,
    pub(crate) judged: Vec<Seen>,
    pub(crate) failing: Vec<Seen>,
}

/// Everything that was seen.
#[derive(Debug)]
pub(crate) struct All {
    pub(crate) cases: Vec<Case>,
    /// Bytes of memory of Breakfall before the load and after it.
    pub(crate) before: Option<u64>,
    pub(crate) after: Option<u64>,
    /// How many calls the Breakfall that judges has recorded.
    pub(crate) recorded: u64,
}

/// Starts everybody, has each called in turn, and ends them.
pub(crate) fn all(
    found: &Found,
    before: Option<&Path>,
    directory: &Path,
    plan: &Plan,
) -> Result<All, Box<dyn Error>> {
    let direct = Side::direct()?;
    let server = direct.place.address;
    let nginx = Side::nginx(directory, server)?;
    let breakfall = Side::breakfall(&found.breakfall, directory, server)?;
    let peer = Side::peer(&found.peer, directory)?;
    let judging = Side::judging(&found.breakfall, directory, server)?;
    let child = Place {
        path: "/mcp/child",
        ..breakfall.place.clone()
    };
    let sides = [&direct, &nginx, &breakfall, &peer, &judging].map(|side| side.place.clone());
    let [direct, nginx, remote, peer, judged] = sides;
    let called = Called::greeted([direct, nginx, remote, child, peer, judged])?;
    let earlier = before.map(|breakfall| Before::start(breakfall, directory, server));
    let earlier = earlier.transpose()?;
    std::thread::sleep(MOMENT);
    let before = breakfall.memory();
    let mut cases = Vec::new();
    for size in [SMALL, BIG] {
        for connections in [1, 8, 64] {
            let earlier = earlier.as_ref();
            cases.push(called.case(directory, size, connections, plan, earlier)?);
        }
    }
    // What was measured last was still what was meant to be.
    called.failing.fail_once(SMALL)?;
    std::thread::sleep(MOMENT);
    Ok(All {
        cases,
        before,
        after: breakfall.memory(),
        recorded: recorded(directory)?,
    })
}

/// Another Breakfall, with directories of its own.
struct Before {
    _sides: [Side; 2],
    places: [Place; 3],
    failing: Place,
    told: usize,
}

impl Before {
    fn start(
        breakfall: &Path,
        directory: &Path,
        server: SocketAddr,
    ) -> Result<Self, Box<dyn Error>> {
        let directory = directory.join("before");
        std::fs::create_dir_all(&directory)?;
        let wire = Side::breakfall(breakfall, &directory, server)?;
        let judging = Side::judging(breakfall, &directory, server)?;
        let child = Place {
            path: "/mcp/child",
            ..wire.place.clone()
        };
        let mut places = [wire.place.clone(), child, judging.place.clone()];
        for place in &mut places {
            place.greet()?;
            place.try_once(SMALL)?;
            place.try_once(BIG)?;
        }
        let failing = Place {
            tool: "fail",
            ..places[2].clone()
        };
        Ok(Self {
            _sides: [wire, judging],
            places,
            told: failing.fail_once(SMALL)?,
            failing,
        })
    }
}

/// Who is called.
struct Called {
    /// The server, nginx, Breakfall, Breakfall in front of a child, the peer, Breakfall that judges.
    places: [Place; 6],
    /// The last of them again, with a tool that fails.
    failing: Place,
    /// Bytes of what is told of that.
    told: usize,
}

impl Called {
    /// Says hello to everybody, and sees that each does what is measured.
    fn greeted(mut places: [Place; 6]) -> io::Result<Self> {
        for place in &mut places {
            place.greet()?;
            place.try_once(SMALL)?;
            place.try_once(BIG)?;
        }
        let [.., judged] = &places;
        let failing = Place {
            tool: "fail",
            ..judged.clone()
        };
        Ok(Self {
            told: failing.fail_once(SMALL)?,
            places,
            failing,
        })
    }

    fn case(
        &self,
        directory: &Path,
        size: usize,
        connections: u32,
        plan: &Plan,
        before: Option<&Before>,
    ) -> io::Result<Case> {
        let run = |place: &Place, least: usize| {
            wrk::run(directory, place, size, least, connections, plan.time)
        };
        let mut seen = [const { Vec::new() }; 6];
        let mut failing = Vec::new();
        let mut earlier = [const { Vec::new() }; 4];
        for _ in 0..plan.rounds {
            for (place, seen) in self.places.iter().zip(&mut seen) {
                seen.push(run(place, size)?);
            }
            if size == SMALL {
                // All are told as the first was; its id alone was shorter, and it had a head of its own.
                failing.push(run(&self.failing, self.told * 9 / 10)?);
            }
            let Some(before) = before else { continue };
            let [remote, child, judged, failed] = &mut earlier;
            for (place, seen) in before.places.iter().zip([remote, child, judged]) {
                seen.push(run(place, size)?);
            }
            if size == SMALL {
                failed.push(run(&before.failing, before.told * 9 / 10)?);
            }
        }
        let before = before.map(|_| {
            let [remote, child, judged, failing] = earlier;
            Earlier {
                remote,
                child,
                judged,
                failing,
            }
        });
        let [direct, nginx, remote, child, peer, judged] = seen;
        Ok(Case {
            size,
            connections,
            direct,
            nginx,
            remote,
            child,
            peer,
            judged,
            failing,
            before,
        })
    }
}

/// How many entries the audit trail has had, those that have gone in the meantime among them.
fn recorded(directory: &Path) -> rusqlite::Result<u64> {
    let records = Connection::open(sides::records(directory))?;
    let sql = "SELECT seq FROM chain WHERE place = 'head'";
    let recorded: i64 = records.query_row(sql, [], |row| row.get(0))?;
    Ok(recorded.unsigned_abs())
}

/// What is still under way when a load ends.
const MOMENT: Duration = Duration::from_secs(1);
