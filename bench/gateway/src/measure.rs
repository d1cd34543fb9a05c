//! Everybody in turns, so that whatever else the machine does hits all of them.

use std::error::Error;
use std::path::Path;
use std::time::Duration;

use crate::answer::{BIG, SMALL};
use crate::find::Found;
use crate::http::Place;
use crate::sides::Side;
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
}

/// Everything that was seen.
#[derive(Debug)]
pub(crate) struct All {
    pub(crate) cases: Vec<Case>,
    /// Bytes of memory of Breakfall before the load and after it.
    pub(crate) before: Option<u64>,
    pub(crate) after: Option<u64>,
}

/// Starts everybody, has each called in turn, and ends them.
pub(crate) fn all(found: &Found, directory: &Path, plan: &Plan) -> Result<All, Box<dyn Error>> {
    let direct = Side::direct()?;
    let server = direct.place.address;
    let nginx = Side::nginx(directory, server)?;
    let breakfall = Side::breakfall(&found.breakfall, directory, server)?;
    let peer = Side::peer(&found.peer, directory)?;
    let child = Place {
        path: "/mcp/child",
        ..breakfall.place.clone()
    };
    let mut places = [
        direct.place.clone(),
        nginx.place.clone(),
        breakfall.place.clone(),
        child,
        peer.place.clone(),
    ];
    for place in &mut places {
        place.greet()?;
        place.try_once(SMALL)?;
        place.try_once(BIG)?;
    }
    std::thread::sleep(MOMENT);
    let before = breakfall.memory();
    let mut cases = Vec::new();
    for size in [SMALL, BIG] {
        for connections in [1, 8, 64] {
            cases.push(case(&places, directory, size, connections, plan)?);
        }
    }
    std::thread::sleep(MOMENT);
    Ok(All {
        cases,
        before,
        after: breakfall.memory(),
    })
}

fn case(
    places: &[Place; 5],
    directory: &Path,
    size: usize,
    connections: u32,
    plan: &Plan,
) -> Result<Case, Box<dyn Error>> {
    let mut seen = [const { Vec::new() }; 5];
    for _ in 0..plan.rounds {
        for (place, seen) in places.iter().zip(&mut seen) {
            seen.push(wrk::run(directory, place, size, connections, plan.time)?);
        }
    }
    let [direct, nginx, remote, child, peer] = seen;
    Ok(Case {
        size,
        connections,
        direct,
        nginx,
        remote,
        child,
        peer,
    })
}

/// What is still under way when a load ends.
const MOMENT: Duration = Duration::from_secs(1);
