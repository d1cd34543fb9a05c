//! The programs that are measured, and those that measure.

use std::env;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where they are.
pub(crate) struct Found {
    pub(crate) breakfall: PathBuf,
    pub(crate) peer: PathBuf,
}

impl Found {
    /// Builds Breakfall, so that what is measured is never older than the sources, and installs the peer unless it is there.
    pub(crate) fn all(breakfall: Option<&Path>, may_install: bool) -> Result<Self, Box<dyn Error>> {
        has("wrk", "wrk", may_install)?;
        has("nginx", "nginx-light", may_install)?;
        let breakfall = match breakfall {
            Some(breakfall) => breakfall.to_owned(),
            None => built()?,
        };
        if !breakfall.is_file() {
            return Err(format!("there is no {}", breakfall.display()).into());
        }
        Ok(Self {
            breakfall,
            peer: peer()?,
        })
    }
}

/// A package of the system is somebody else's property: only with consent, else say what to type.
fn has(program: &str, package: &str, may_install: bool) -> Result<(), Box<dyn Error>> {
    let is_there = |program: &str| {
        let paths = env::var_os("PATH").unwrap_or_default();
        env::split_paths(&paths).any(|path| path.join(program).is_file())
    };
    if is_there(program) {
        return Ok(());
    }
    let apt = [
        "apt-get",
        "install",
        "-y",
        "--no-install-recommends",
        package,
    ];
    if may_install {
        let mut install = Command::new(apt[0]);
        // The report is on the standard output.
        install.args(&apt[1..]).stdout(Stdio::null()).status()?;
        if is_there(program) {
            return Ok(());
        }
    }
    let apt = apt.join(" ");
    Err(format!("missing: {program}; install it with:  {apt}   (or let --yes do it)").into())
}

fn built() -> Result<PathBuf, Box<dyn Error>> {
    let mut build = cargo();
    build.args(["build", "--locked", "-p", "breakfall-cli"]);
    if !cfg!(debug_assertions) {
        build.arg("--release");
    }
    if !build.current_dir(ROOT).status()?.success() {
        return Err("breakfall does not build".into());
    }
    Ok(env::current_exe()?.with_file_name("breakfall"))
}

/// Installed beside everything else that is built, in the version that was looked at.
fn peer() -> Result<PathBuf, Box<dyn Error>> {
    let root = Path::new(ROOT).join("target/bench");
    let peer = root.join("bin/mcp-proxy");
    if !peer.is_file() {
        let mut install = cargo();
        install.args(["install", "--locked", "--no-default-features"]);
        install.args(["--version", PEER, "mcp-proxy", "--root"]);
        if !install.arg(&root).status()?.success() {
            return Err("mcp-proxy cannot be installed".into());
        }
    }
    Ok(peer)
}

fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// The version of `mcp-proxy`. Its features are off: none of them is on the way of a call.
pub(crate) const PEER: &str = "0.6.0";
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
