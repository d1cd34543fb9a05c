//! Defects a relay might have, planted right behind the shipped one: its peers see what they would see of a broken relay.

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream};

/// A defect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// Every third answer comes twice.
    AnswersTwice,
    /// Every third answer is lost.
    LosesAnswers,
    /// Cancellations are not passed on.
    LosesCancellations,
    /// Every third call is made twice.
    SendsTwice,
}

impl Flaw {
    /// How often a line of the relay arrives.
    fn copies(self, line: &str, count: usize) -> usize {
        let is_answer = line.contains(r#""result""#) || line.contains(r#""error""#);
        let is_third = is_answer && count.is_multiple_of(3);
        match self {
            Self::AnswersTwice => 1 + usize::from(is_third),
            Self::LosesAnswers => usize::from(!is_third),
            Self::LosesCancellations => usize::from(!line.contains("notifications/cancelled")),
            Self::SendsTwice => {
                1 + usize::from(line.contains("tools/call") && count.is_multiple_of(3))
            }
        }
    }
}

/// The far end of a relay's stream, with a defect in between.
pub(crate) fn behind(relay: DuplexStream, flaw: Flaw) -> DuplexStream {
    let (near, far) = tokio::io::duplex(1 << 20);
    let (from_relay, mut to_relay) = tokio::io::split(relay);
    let (mut from_far, mut to_far) = tokio::io::split(near);
    tokio::spawn(async move {
        let mut lines = BufReader::new(from_relay).lines();
        let mut count = 0;
        while let Ok(Some(line)) = lines.next_line().await {
            count += 1;
            for _ in 0..flaw.copies(&line, count) {
                // The receiver may be gone.
                let _ = to_far.write_all(format!("{line}\n").as_bytes()).await;
            }
        }
        let _ = to_far.shutdown().await;
    });
    tokio::spawn(async move {
        let _ = tokio::io::copy(&mut from_far, &mut to_relay).await;
        let _ = to_relay.shutdown().await;
    });
    far
}
