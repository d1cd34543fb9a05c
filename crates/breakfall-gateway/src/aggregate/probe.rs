//! Asks a server that did not answer again, and tells clients when it is back.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;

use super::Aggregate;
use super::gather::{ListRetry, PartOutcome, PartReply, read};
use super::list::{ListMethod, ListPage};

impl Aggregate {
    /// A server did not answer. Starts a probe, unless one is running.
    pub(super) fn missed(&self, at: usize, again: &ListRetry) {
        let member = self.member(at);
        member.miss(again.list, again.frame.clone());
        if member.begin_probe() {
            let (many, again) = (Arc::downgrade(&self.0), again.clone());
            drop(tokio::spawn(async move {
                let mut pause = FIRST_PROBE_PAUSE;
                loop {
                    sleep(pause).await;
                    pause = (2 * pause).min(MAX_PROBE_PAUSE);
                    let many = many.upgrade().map(Aggregate);
                    let is_over = again.asking.client.is_closed();
                    let Some(many) = many.filter(|_| !is_over) else {
                        return;
                    };
                    if many.probe(at, &again).await && many.member(at).end_probe() {
                        return;
                    }
                }
            }));
        }
    }

    /// Requests all lists the server did not return; true if it has answered for all of them.
    async fn probe(&self, at: usize, again: &ListRetry) -> bool {
        let member = self.member(at);
        for (list, frame) in member.missing() {
            let question = self.ask(at, frame.clone(), &again.asking);
            let said = question.answer.await;
            let said = said.unwrap_or_else(|_| Err("it does not answer".into()));
            match read(PartOutcome::Replied(said)) {
                PartReply::Result(frame) => {
                    let page =
                        ListPage::read(self.view(at), list, frame.body().unwrap_or_default());
                    match page {
                        Some(mut page) => member.learn(list, &mut page, 0),
                        None => member.found(list),
                    }
                }
                // An error is an answer, too; the client sees it with the next list.
                PartReply::Unknown => member.found(list),
                PartReply::Lost(_) | PartReply::Late(_) => return false,
            }
            self.announce(&ListRetry {
                list,
                ..again.clone()
            });
        }
        true
    }

    /// Announces a changed list because a server is back, or was late.
    pub(super) fn announce(&self, again: &ListRetry) {
        let Some(what) = changed(again.list) else {
            return;
        };
        if again.is_modern {
            return self.announce_in_streams(what);
        }
        let note = format!(r#"{{"jsonrpc":"2.0","method":"notifications/{what}/list_changed"}}"#);
        // The client may be gone.
        let _ = again.asking.client.notify_unrelated(note.into_bytes());
    }
}

/// The part of the notification's name that says which list changed.
fn changed(list: ListMethod) -> Option<&'static str> {
    match list {
        ListMethod::Tools => Some("tools"),
        ListMethod::Prompts => Some("prompts"),
        ListMethod::Resources | ListMethod::Templates => Some("resources"),
        ListMethod::Tasks => None,
    }
}

/// The first pause; it doubles each time.
const FIRST_PROBE_PAUSE: Duration = Duration::from_secs(2);
const MAX_PROBE_PAUSE: Duration = Duration::from_mins(1);
