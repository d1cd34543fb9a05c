//! The load, which `wrk` makes: its script, and what it saw.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::http::Place;

/// What one run saw.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Seen {
    /// How many there were in all.
    pub(crate) calls: f64,
    pub(crate) per_second: f64,
    /// Microseconds.
    pub(crate) median: f64,
    pub(crate) slow: f64,
}

/// Sends calls for a while, so many at once, and fails unless every one had its answer, of so many bytes at least.
pub(crate) fn run(
    directory: &Path,
    place: &Place,
    size: usize,
    least: usize,
    connections: u32,
    time: Duration,
) -> io::Result<Seen> {
    let script = directory.join("call.lua");
    fs::write(&script, lua(place, size))?;
    let output = Command::new("wrk")
        .args(["--threads", "1", "--timeout", "10s"])
        .args(["--connections", &connections.to_string()])
        // Whole seconds are all it takes.
        .args(["--duration", &format!("{}s", time.as_secs().max(1))])
        .arg("--script")
        .arg(&script)
        .arg(format!("http://{}{}", place.address, place.path))
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    seen(&text, least).map_err(|error| {
        let errors = String::from_utf8_lossy(&output.stderr);
        io::Error::other(format!("{error}: {text}{errors}"))
    })
}

/// Each call has an id of its own, as in a session it must. They all have the same length, so that nothing but the id
/// has to be made for each.
fn lua(place: &Place, size: usize) -> String {
    let body = place.call(FIRST_ID, size);
    let head = place.head(body.len());
    let (before, after) = body
        .split_once(&FIRST_ID.to_string())
        .expect("the id is in it");
    format!(
        r#"local id = {FIRST_ID}
local before = {before:?}
local after = {after:?}
function request()
  id = id + 1
  return before .. id .. after
end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format("bench %d %d %d %d %d %d\n", summary.requests, summary.duration, summary.bytes,
    latency:percentile(50), latency:percentile(99), e.connect + e.read + e.write + e.status + e.timeout))
end
"#,
        before = format!("{head}\r\n{before}"),
    )
}

/// Reads what the script says at its end.
fn seen(text: &str, least: usize) -> Result<Seen, &'static str> {
    let line = text.lines().find_map(|line| line.strip_prefix("bench "));
    let numbers: Option<Vec<f64>> = line
        .ok_or("wrk did not say what it saw")?
        .split(' ')
        .map(|number| number.parse().ok())
        .collect();
    let numbers = numbers.ok_or("wrk said something else than numbers")?;
    let &[requests, microseconds, bytes, median, slow, errors] = numbers.as_slice() else {
        return Err("wrk said something else than numbers");
    };
    if requests < 1.0 || microseconds < 1.0 {
        return Err("nothing was answered");
    }
    if errors > 0.0 {
        return Err("some calls failed");
    }
    #[expect(clippy::cast_precision_loss, reason = "sizes are small")]
    if bytes < requests * least as f64 {
        return Err("some answers were too short to be those that are expected");
    }
    Ok(Seen {
        calls: requests,
        per_second: requests / (microseconds / 1e6),
        median,
        slow,
    })
}

/// Followed by a hundred million others of the same length.
const FIRST_ID: u64 = 100_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_wrk_saw_is_read() {
        let text = "Running 1s test\nRequests/sec: 7\nbench 30000 1000000 60000000 180 900 0\n";
        let seen = seen(text, 1000).expect("it is complete");
        assert!((seen.per_second - 30_000.0).abs() < 0.1);
        assert!((seen.median - 180.0).abs() < 0.1 && (seen.slow - 900.0).abs() < 0.1);
    }

    #[test]
    fn a_run_with_failures_is_none() {
        for (line, why) in [
            ("bench 10 1000000 90000 1 2 1", "some calls failed"),
            ("bench 10 1000000 9000 1 2 0", "too short"),
            ("bench 0 1000000 0 0 0 0", "nothing was answered"),
            ("bench 10 1000000", "something else"),
            ("bench a b c d e f", "something else"),
            ("Requests/sec: 3", "did not say"),
        ] {
            let error = seen(line, 1000).expect_err(line);
            assert!(error.contains(why), "{line}: {error}");
        }
    }

    #[test]
    fn the_script_has_the_head_and_the_length_of_what_it_sends() {
        let place = Place {
            address: ([127, 0, 0, 1], 80).into(),
            path: "/mcp",
            tool: "echo",
            session: Some("abc".into()),
        };
        let script = lua(&place, 1000);
        let length = place.call(FIRST_ID, 1000).len();
        assert!(
            script.contains(&format!("Content-Length: {length}\\r\\n\\r\\n{{")),
            "{script}"
        );
        assert!(script.contains("Mcp-Session-Id: abc\\r\\n"), "{script}");
    }
}
