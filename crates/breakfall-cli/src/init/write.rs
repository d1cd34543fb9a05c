//! Writes a file whole or not at all, after a copy of the old one was made.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, chown};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::client_file::ClientFile;
use crate::report::{CommandError, io_reason};

/// Replaces the text of a file, and returns where the old one is kept.
///
/// # Errors
/// When the file changed since it was read, or cannot be written; then it is untouched. Or when the change may not survive a
/// crash of the machine.
pub(super) fn replace(file: &ClientFile, text: &str) -> Result<PathBuf, CommandError> {
    let shown = file.path.display();
    let failed = |error: io::Error| {
        let message = format!("cannot write {shown}: {}", io_reason(&error));
        CommandError::input(message).hint("nothing was changed")
    };
    // A link stays one.
    let path = file.path.canonicalize().map_err(failed)?;
    let is_same = fs::read(&path).map_err(failed)? == file.text.as_bytes();
    if !is_same {
        let message = format!("{shown} was changed by another program meanwhile");
        return Err(CommandError::input(message).hint("run this again"));
    }
    let backup = back_up(&path, &file.text).map_err(failed)?;
    replace_atomically(&path, text).map_err(failed)?;
    sync_folder(&path).map_err(|error| {
        let reason = io_reason(&error);
        let message = format!("{shown} was changed, but its directory cannot be synced: {reason}");
        let hint = "if the machine crashes now, the file may be the one before; that is also in";
        CommandError::input(message).hint(format!("{hint} {}", backup.display()))
    })?;
    Ok(backup)
}

/// Writes the old text into a new file beside the old one, with the same mode.
fn back_up(path: &Path, text: &str) -> io::Result<PathBuf> {
    let time = Timestamp::now().strftime("%Y%m%d-%H%M%S").to_string();
    let mut number = 1;
    loop {
        let more = if number > 1 {
            format!("-{number}")
        } else {
            String::new()
        };
        let backup = beside(path, &format!("backup-{time}{more}"));
        match write_new(&backup, path, text) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
            Ok(()) => return Ok(backup),
        }
    }
}

fn replace_atomically(path: &Path, text: &str) -> io::Result<()> {
    let temporary = beside(path, &format!("{}.tmp", std::process::id()));
    let replaced = write_new(&temporary, path, text).and_then(|()| fs::rename(&temporary, path));
    if replaced.is_err() {
        // It may not be there.
        let _ = fs::remove_file(&temporary);
    }
    replaced
}

/// The new name survives a crash only once the directory is written.
fn sync_folder(path: &Path) -> io::Result<()> {
    path.parent()
        .map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

/// Writes a new file with the mode and owner of another.
fn write_new(path: &Path, like: &Path, text: &str) -> io::Result<()> {
    let metadata = fs::metadata(like)?;
    let mut options = OpenOptions::new();
    // Until it has its mode, only its owner may read it.
    let mut file = options
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)?;
    // Only an administrator may give a file away; for others it is theirs already.
    let _ = chown(path, Some(metadata.uid()), Some(metadata.gid()));
    file.set_permissions(Permissions::clone(&metadata.permissions()))?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{ending}"));
    path.with_file_name(name)
}
