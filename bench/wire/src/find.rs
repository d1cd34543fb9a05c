//! The programs that are measured.

use std::error::Error;
use std::path::Path;
use std::process::Command;

/// Where they are.
pub(crate) struct Found {
    pub(crate) breakfall: String,
    /// This program, which is a server too.
    pub(crate) child: String,
    /// `examples/minimal`, if it was built.
    pub(crate) minimal: Option<String>,
    /// The command of `server-everything`, if the tools of `./check` are installed.
    pub(crate) everything: Option<Vec<String>>,
}

impl Found {
    /// Builds them, so that what is measured is never older than the sources, in the way this program was built.
    pub(crate) fn built() -> Result<Self, Box<dyn Error>> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut build = Command::new(cargo);
        build.args(["build", "--locked", "-p", "breakfall-cli", "-p", "minimal"]);
        if !cfg!(debug_assertions) {
            build.arg("--release");
        }
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        if !build.current_dir(root).status()?.success() {
            return Err("the programs to measure do not build".into());
        }
        let own = std::env::current_exe()?;
        Self::beside(&own.with_file_name("breakfall"))
    }

    /// Takes the breakfall that is given, and `minimal` if it lies beside it.
    pub(crate) fn beside(breakfall: &Path) -> Result<Self, Box<dyn Error>> {
        if !breakfall.is_file() {
            return Err(format!("there is no {}", breakfall.display()).into());
        }
        let minimal = breakfall.with_file_name("minimal");
        let own = std::env::current_exe()?;
        // Beside `target/release` and `target/debug`.
        let target = own.ancestors().nth(2).unwrap_or(&own);
        let everything = target.join(EVERYTHING);
        Ok(Self {
            breakfall: text(breakfall)?,
            child: text(&own)?,
            everything: everything
                .is_file()
                .then(|| Ok::<_, Box<dyn Error>>(vec!["node".to_owned(), text(&everything)?]))
                .transpose()?,
            minimal: minimal.is_file().then(|| text(&minimal)).transpose()?,
        })
    }
}

/// Where `./check` installs it, below the directory of what is built.
const EVERYTHING: &str =
    "tools/servers/node_modules/@modelcontextprotocol/server-everything/dist/index.js";

fn text(path: &Path) -> Result<String, Box<dyn Error>> {
    let text = path.to_str().ok_or("a path that is not UTF-8")?;
    Ok(text.to_owned())
}
