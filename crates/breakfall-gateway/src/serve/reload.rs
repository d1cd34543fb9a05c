//! Reloads the configuration: a valid one replaces the old one, an invalid one is logged and changes nothing.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest as _, Sha256};
use tokio::task::spawn_blocking;

use super::site::Site;
use super::state::GatewayState;
use super::watch::FileWatch;
use super::{Control, Source};
use crate::config::{Config, ConfigNote};
use breakfall_mcp::http_server::{McpService, ServerHandle};

/// Reloads whenever a file changes or a reload is asked for, for ever.
pub(super) async fn run(
    source: &Source,
    state: &Arc<GatewayState>,
    server: &ServerHandle,
    mcp: &McpService,
    control: &Control,
) {
    let listens = state.site().config.listen.clone();
    let mut watch = FileWatch::new();
    let mut seen = Vec::new();
    let mut is_first = true;
    loop {
        let files = files(&source.file, &state.site().config);
        watch.only(files.iter().map(PathBuf::as_path));
        let is_asked = if std::mem::take(&mut is_first) {
            false
        } else {
            tokio::select! {
                () = watch.changed() => false,
                () = control.reloads() => true,
            }
        };
        let reload = Reload {
            source: source.clone(),
            state: Arc::clone(state),
            is_asked,
        };
        // A file may be on a network mount that does not answer.
        let Ok(result) = spawn_blocking(move || reload.run(&seen)).await else {
            tracing::error!("{REFUSED}: this is a defect");
            control.has_reloaded(is_asked, false);
            seen = Vec::new();
            continue;
        };
        seen = result.seen;
        let is_taken = result.site.is_some();
        if let Some(site) = result.site {
            let listen = site.config.listen.clone();
            let settings = site.settings();
            server.apply(&settings);
            mcp.apply(&settings);
            state.swap(*site);
            tracing::info!("configuration reloaded");
            if listen != listens {
                tracing::warn!(
                    "'listen' has changed to {listen}, which takes effect at the next start"
                );
            }
        }
        control.has_reloaded(is_asked, is_taken);
    }
}

/// One reload, which reads files and may block.
struct Reload {
    source: Source,
    state: Arc<GatewayState>,
    is_asked: bool,
}

/// The result of a reload.
struct ReloadResult {
    /// The files as they are now.
    seen: Vec<Fingerprint>,
    /// The new site, if there is one.
    site: Option<Box<Site>>,
}

/// The hash of a file; `None` if it cannot be read.
type Fingerprint = Option<[u8; 32]>;

impl Reload {
    fn run(self, seen: &[Fingerprint]) -> ReloadResult {
        let before = self.state.site();
        let now = fingerprints(&files(&self.source.file, &before.config));
        // Another file of the directory may have changed.
        let is_same = if seen.is_empty() {
            self.is_in_use(&before.config)
        } else {
            now == seen
        };
        if is_same && !self.is_asked {
            return ReloadResult {
                seen: now,
                site: None,
            };
        }
        let Some(config) = self.config() else {
            return ReloadResult {
                seen: now,
                site: None,
            };
        };
        let mut seen = fingerprints(&files(&self.source.file, &config));
        // A change of the file since it was read must cause the next reload.
        seen[..1].copy_from_slice(&now[..1]);
        match Site::new(
            config,
            Some(&before),
            &self.state.supervisor,
            &self.state.options,
        ) {
            Ok(site) => ReloadResult {
                seen,
                site: Some(Box::new(site)),
            },
            Err(error) => {
                tracing::error!("{REFUSED}: {error}; {}", error.fix());
                ReloadResult {
                    seen: now,
                    site: None,
                }
            }
        }
    }

    /// Whether the file contains the configuration in use, or cannot be read twice (a pipe). It may have changed between
    /// the start and the first look.
    fn is_in_use(&self, used: &Config) -> bool {
        let file = &self.source.file;
        if !fs::metadata(file).is_ok_and(|file| file.is_file()) {
            return true;
        }
        Config::load(file).is_ok_and(|mut config| {
            if let Some(listen) = &self.source.listen {
                config.listen.clone_from(listen);
            }
            config == *used
        })
    }

    /// The configuration in the file, if it is valid.
    fn config(&self) -> Option<Config> {
        let file = &self.source.file;
        if fs::metadata(file).is_ok_and(|file| !file.is_file()) {
            let file = file.display();
            tracing::error!("{REFUSED}: {file} is not a regular file; put the file back");
            return None;
        }
        let mut config = match Config::load(file) {
            Ok(config) => config,
            Err(problems) => {
                tracing::error!(
                    "{REFUSED}\n{}",
                    problems.render(false, LOG_WIDTH).trim_end()
                );
                return None;
            }
        };
        for ConfigNote { label, text, .. } in &config.notes {
            if *label == "warning" {
                tracing::warn!("{text}");
            } else {
                tracing::info!("{text}");
            }
        }
        if let Some(listen) = &self.source.listen {
            config.listen = listen.clone();
        }
        Some(config)
    }
}

/// The files of a configuration, its own first.
fn files(file: &Path, config: &Config) -> Vec<PathBuf> {
    let tls = config.tls.iter();
    let tls = tls.flat_map(|tls| [tls.cert.clone(), tls.key.clone()]);
    [file.to_owned()].into_iter().chain(tls).collect()
}

fn fingerprints(files: &[PathBuf]) -> Vec<Fingerprint> {
    files.iter().map(|file| fingerprint(file)).collect()
}

/// Hashes a regular file: a device might never end.
fn fingerprint(file: &Path) -> Fingerprint {
    if !fs::metadata(file).ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    let file = File::open(file).ok()?;
    file.take(MAX_FILE_BYTES).read_to_end(&mut bytes).ok()?;
    Some(Sha256::digest(&bytes).into())
}

const REFUSED: &str = "configuration reload failed, the old one stays in use";

/// The width of problems in the log.
const LOG_WIDTH: usize = 100;

/// Larger than any valid file of a configuration.
const MAX_FILE_BYTES: u64 = 4 << 20;
