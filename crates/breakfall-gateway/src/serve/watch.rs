//! Sees files change. Directories are watched, not files: editors write a new file and rename it, and a mounted
//! secret is a link that is turned to another directory.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use notify::event::{AccessKind, AccessMode};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout_at};

/// Watches the directories of some files.
pub(super) struct Watch {
    watcher: Option<RecommendedWatcher>,
    watched: BTreeSet<PathBuf>,
    changes: mpsc::Receiver<()>,
}

impl Watch {
    pub(super) fn new() -> Self {
        // One is enough to know that there was some.
        let (tell, changes) = mpsc::channel(1);
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            if event.is_ok_and(|event| is_change(event.kind)) {
                // Full: somebody is about to look anyway.
                let _ = tell.try_send(());
            }
        });
        if let Err(error) = &watcher {
            tracing::warn!("files cannot be watched here ({error}); a SIGHUP reads them again");
        }
        Self {
            watcher: watcher.ok(),
            watched: BTreeSet::new(),
            changes,
        }
    }

    /// From now on these files are watched, and no others.
    pub(super) fn only<'a>(&mut self, files: impl IntoIterator<Item = &'a Path>) {
        let Some(watcher) = &mut self.watcher else {
            return;
        };
        let wanted: BTreeSet<PathBuf> = files.into_iter().map(folder).collect();
        for gone in self.watched.difference(&wanted) {
            // It may be gone altogether.
            let _ = watcher.unwatch(gone);
        }
        for new in wanted.difference(&self.watched) {
            if let Err(error) = watcher.watch(new, RecursiveMode::NonRecursive) {
                let place = new.display();
                tracing::warn!("{place} cannot be watched ({error}); a SIGHUP reads it again");
            }
        }
        self.watched = wanted;
    }

    /// Waits until something changed and nothing has for a moment.
    pub(super) async fn changed(&mut self) {
        if self.changes.recv().await.is_none() {
            return std::future::pending().await;
        }
        let latest = Instant::now() + LONGEST;
        loop {
            let quiet = (Instant::now() + QUIET).min(latest);
            match timeout_at(quiet, self.changes.recv()).await {
                Ok(Some(())) => {}
                Ok(None) | Err(_) => return,
            }
        }
    }
}

fn folder(file: &Path) -> PathBuf {
    match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// Looking at a file is no change of it, or we would look for ever.
fn is_change(kind: EventKind) -> bool {
    let is_written = kind == EventKind::Access(AccessKind::Close(AccessMode::Write));
    is_written || !kind.is_access()
}

/// How long nothing may change before we look: a file may be written in several pieces.
const QUIET: Duration = Duration::from_millis(200);
/// How long we put it off at most, in a directory that never rests.
const LONGEST: Duration = Duration::from_secs(2);
