//! What the benches share: how long they run, and the table of ratios to a reference of the same run.

use std::time::{Duration, Instant};

use criterion::Criterion;

pub(crate) fn criterion() -> Criterion {
    Criterion::default()
        .sample_size(60)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args()
}

/// Whether the table is wanted: under `cargo test` the benches only have to run.
pub(crate) fn is_bench() -> bool {
    std::env::args().any(|arg| arg == "--bench")
}

pub(crate) fn head() {
    println!(
        "\n{:<40} {:>9} {:>9} {:>7}",
        "", "ours", "reference", "ratio"
    );
}

/// Times two pieces of code in turns, so that whatever else the machine does hits both, and compares medians.
pub(crate) fn row(name: &str, ours: impl Fn(), reference: impl Fn()) {
    const ROUNDS: usize = 301;
    const CALLS: u32 = 200;
    let time = |code: &dyn Fn()| {
        let begun = Instant::now();
        for _ in 0..CALLS {
            code();
        }
        begun.elapsed() / CALLS
    };
    let (mut mine, mut theirs) = (Vec::with_capacity(ROUNDS), Vec::with_capacity(ROUNDS));
    for _ in 0..ROUNDS {
        mine.push(time(&ours));
        theirs.push(time(&reference));
    }
    mine.sort();
    theirs.sort();
    let (mine, theirs) = (mine[ROUNDS / 2], theirs[ROUNDS / 2]);
    let ratio = mine.as_secs_f64() / theirs.as_secs_f64();
    let micros = |time: Duration| format!("{:.2} µs", time.as_secs_f64() * 1e6);
    println!(
        "{name:<40} {:>9} {:>9} {ratio:>6.2}x",
        micros(mine),
        micros(theirs)
    );
}
