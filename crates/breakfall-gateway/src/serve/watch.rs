//! Watches files for changes. It watches their directories: editors rename a new file over the old one, and a mounted
//! secret is a symbolic link that is replaced.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use notify::event::{AccessKind, AccessMode};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout_at};

/// Watches the directories of some files.
pub(super) struct FileWatch {
    watcher: Option<RecommendedWatcher>,
    watched: BTreeSet<PathBuf>,
    changes: mpsc::Receiver<()>,
}

impl FileWatch {
    pub(super) fn new() -> Self {
        // One waiting event is enough.
        let (tell, changes) = mpsc::channel(1);
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            if event.is_ok_and(|event| is_change(event.kind)) {
                // When full, a change is already waiting.
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

    /// Watches these files, and no others.
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

    /// Waits for a change, and then until none has followed for a moment.
    pub(super) async fn changed(&mut self) {
        if self.changes.recv().await.is_none() {
            return std::future::pending().await;
        }
        let latest = Instant::now() + MAX_DEBOUNCE;
        loop {
            let quiet = (Instant::now() + DEBOUNCE).min(latest);
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

/// Reads are not changes: each reload would cause the next.
fn is_change(kind: EventKind) -> bool {
    let is_written = kind == EventKind::Access(AccessKind::Close(AccessMode::Write));
    is_written || !kind.is_access()
}

/// The pause that ends a change: a file may be written in several steps.
const DEBOUNCE: Duration = Duration::from_millis(200);
/// The longest delay, in a directory with constant changes.
const MAX_DEBOUNCE: Duration = Duration::from_secs(2);
