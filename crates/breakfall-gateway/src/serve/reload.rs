//! Another configuration while we serve: a good one takes the place of the old one, a bad one is told and changes
//! nothing.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest as _, Sha256};
use tokio::task::spawn_blocking;

use super::house::Served;
use super::site::Site;
use super::watch::Watch;
use super::{Control, Source};
use crate::config::{Config, ConfigNote};
use breakfall_mcp::http_server::Handle;

/// Reads the file again whenever it changes or somebody asks for it, for ever.
pub(super) async fn run(source: &Source, served: &Arc<Served>, handle: &Handle, control: &Control) {
    let listens = served.site().config.listen.clone();
    let mut watch = Watch::new();
    let mut seen = Vec::new();
    let mut is_first = true;
    loop {
        let files = files(&source.file, &served.site().config);
        watch.only(files.iter().map(PathBuf::as_path));
        let is_asked = if std::mem::take(&mut is_first) {
            false
        } else {
            tokio::select! {
                () = watch.changed() => false,
                () = control.reloads() => true,
            }
        };
        let look = Look {
            source: source.clone(),
            served: Arc::clone(served),
            is_asked,
        };
        // A file may be anywhere, also where reading it takes for ever.
        let Ok(looked) = spawn_blocking(move || look.run(&seen)).await else {
            tracing::error!("{OLD}: this is a defect");
            control.has_reloaded(is_asked, false);
            seen = Vec::new();
            continue;
        };
        seen = looked.seen;
        let is_taken = looked.site.is_some();
        if let Some(site) = looked.site {
            let listen = site.config.listen.clone();
            handle.apply(&site.settings());
            served.swap(*site);
            tracing::info!("the configuration was read again and is in use");
            if listen != listens {
                tracing::warn!(
                    "'listen' is {listen} now, which takes effect when the gateway is started again"
                );
            }
        }
        control.has_reloaded(is_asked, is_taken);
    }
}

/// One look at the files, which may take its time.
struct Look {
    source: Source,
    served: Arc<Served>,
    is_asked: bool,
}

/// What came of it.
struct Looked {
    /// What the files are like now.
    seen: Vec<Print>,
    /// What to serve from now on.
    site: Option<Box<Site>>,
}

/// What is in a file, so that a change of it shows; nothing if it cannot be read.
type Print = Option<[u8; 32]>;

impl Look {
    fn run(self, seen: &[Print]) -> Looked {
        let before = self.served.site();
        let now = prints(&files(&self.source.file, &before.config));
        // Others may live in the same directory.
        let is_same = if seen.is_empty() {
            self.is_in_use(&before.config)
        } else {
            now == seen
        };
        if is_same && !self.is_asked {
            return Looked {
                seen: now,
                site: None,
            };
        }
        let Some(config) = self.config() else {
            return Looked {
                seen: now,
                site: None,
            };
        };
        let mut seen = prints(&files(&self.source.file, &config));
        // What has changed since it was read is to show.
        seen[..1].copy_from_slice(&now[..1]);
        match Site::new(
            config,
            Some(&before),
            &self.served.keepers,
            &self.served.options,
        ) {
            Ok(site) => Looked {
                seen,
                site: Some(Box::new(site)),
            },
            Err(error) => {
                tracing::error!("{OLD}: {error}; {}", error.fix());
                Looked {
                    seen: now,
                    site: None,
                }
            }
        }
    }

    /// Whether the file still says what is in use, or is none that could be read twice: it may have been written since it
    /// was read the first time.
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

    /// What the file says now, if that is good.
    fn config(&self) -> Option<Config> {
        let file = &self.source.file;
        if fs::metadata(file).is_ok_and(|file| !file.is_file()) {
            let file = file.display();
            tracing::error!("{OLD}: {file} is no plain file; put the file back in its place");
            return None;
        }
        let mut config = match Config::load(file) {
            Ok(config) => config,
            Err(problems) => {
                tracing::error!("{OLD}\n{}", problems.render(false, WIDTH).trim_end());
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

/// What a configuration consists of, itself first.
fn files(file: &Path, config: &Config) -> Vec<PathBuf> {
    let tls = config.tls.iter();
    let tls = tls.flat_map(|tls| [tls.cert.clone(), tls.key.clone()]);
    [file.to_owned()].into_iter().chain(tls).collect()
}

fn prints(files: &[PathBuf]) -> Vec<Print> {
    files.iter().map(|file| print(file)).collect()
}

/// Only plain files are read, and no more of them than any of ours has: a device never ends.
fn print(file: &Path) -> Print {
    if !fs::metadata(file).ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    let file = File::open(file).ok()?;
    file.take(MOST).read_to_end(&mut bytes).ok()?;
    Some(Sha256::digest(&bytes).into())
}

const OLD: &str = "the new configuration is refused, and the old one stays in use";

/// The width of problems in a log.
const WIDTH: usize = 100;

/// No file of a configuration is bigger, in bytes.
const MOST: u64 = 4 << 20;
