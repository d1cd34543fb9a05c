//! Another configuration while we serve: a good one takes the place of the old one, a bad one is told and changes
//! nothing.

use std::fs;
use std::path::{Path, PathBuf};

use super::house::Served;
use super::site::Site;
use super::watch::Watch;
use super::{Control, Source};
use crate::config::Config;
use crate::front::http::Handle;

/// Reads the file again whenever it changes or somebody asks for it, for ever.
pub(super) async fn run(source: &Source, served: &Served, handle: &Handle, control: &Control) {
    let file = source.file.as_path();
    let mut watch = Watch::new();
    let mut seen = contents(file, served);
    loop {
        watch.only(
            files(file, &served.site().config)
                .iter()
                .map(PathBuf::as_path),
        );
        let is_asked = tokio::select! {
            () = watch.changed() => false,
            () = control.reloads() => true,
        };
        let now = contents(file, served);
        // Others may live in the same directory.
        if is_asked || now != seen {
            again(source, served, handle);
            seen = contents(file, served);
        }
    }
}

fn again(source: &Source, served: &Served, handle: &Handle) {
    let before = served.site();
    let mut config = match Config::load(&source.file) {
        Ok(config) => config,
        Err(problems) => {
            return tracing::error!("{OLD}\n{}", problems.render(false, WIDTH).trim_end());
        }
    };
    for note in &config.notes {
        tracing::warn!("{note}");
    }
    if let Some(listen) = &source.listen {
        config.listen = listen.clone();
    }
    let is_moved = config.listen != before.config.listen;
    match Site::new(config, Some(&before), &served.keepers) {
        Ok(site) => {
            let listen = site.config.listen.clone();
            handle.apply(&site.settings());
            served.swap(site);
            tracing::info!("the configuration was read again and is in use");
            if is_moved {
                tracing::warn!(
                    "'listen' is {listen} now, which takes effect when the gateway is started again"
                );
            }
        }
        Err(error) => tracing::error!("{OLD}: {error}; {}", error.fix()),
    }
}

/// What a configuration consists of.
fn files(file: &Path, config: &Config) -> Vec<PathBuf> {
    let tls = config.tls.iter();
    let tls = tls.flat_map(|tls| [tls.cert.clone(), tls.key.clone()]);
    [file.to_owned()].into_iter().chain(tls).collect()
}

/// What is in its files, as far as they can be read.
fn contents(file: &Path, served: &Served) -> Vec<Option<Vec<u8>>> {
    let files = files(file, &served.site().config);
    files.iter().map(|file| fs::read(file).ok()).collect()
}

const OLD: &str = "the new configuration is refused, and the old one stays in use";

/// The width of problems in a log.
const WIDTH: usize = 100;
