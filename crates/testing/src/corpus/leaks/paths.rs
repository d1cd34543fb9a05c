//! Absolute paths, which tell how a machine is laid out and who works on it.

use crate::corpus::plant::{Form, Plant};
use crate::corpus::random::Random;
use crate::corpus::words::{FIRMS, PARTS, person, project, snake};

#[rustfmt::skip]
const FILES: &[&str] = &[
    "config.yaml", "settings.json", "credentials.db", "server.key", "data.sqlite3", "index.js", "main.py",
    "orders.csv", ".env", "app.log", "id_rsa", "docker-compose.yml", "report.final.pdf",
];

/// A directory, and the part of it that is a name.
pub(super) fn unix_directory(random: &mut Random) -> (String, String) {
    let (person, project) = (person(random), project(random));
    let firm = random.pick(FIRMS);
    let part = random.pick(PARTS);
    match random.below(12) {
        0 => (format!("/home/{person}/src/{project}"), person),
        1 => (format!("/Users/{person}/code/{project}"), person),
        2 => (format!("/var/lib/{project}/{part}"), project),
        3 => (
            format!("/srv/{project}/releases/{}", random.number(8)),
            project,
        ),
        4 => (format!("/opt/{firm}/{project}/conf"), project),
        5 => (format!("/usr/local/{firm}/{project}"), project),
        6 => (format!("/etc/{project}"), project),
        7 => (format!("/tmp/{project}-{}", random.hex(8)), project),
        8 => (format!("/root/{project}"), project),
        9 => (format!("/mnt/volumes/{project}"), project),
        10 => (format!("/var/log/{project}"), project),
        _ => (
            format!("/private/var/folders/{}/{project}/T", random.hex(6)),
            project,
        ),
    }
}

pub(super) fn unix(random: &mut Random) -> Plant {
    let (directory, telling) = unix_directory(random);
    let path = format!("{directory}/{}", random.pick(FILES));
    let secret = [path.clone(), directory, telling];
    match random.below(8) {
        0 => Plant::line(
            format!("ENOENT: no such file or directory, open '{path}'"),
            secret,
        ),
        1 => Plant::line(format!("open {path}: permission denied"), secret),
        2 => Plant::line(format!("[Errno 13] Permission denied: '{path}'"), secret),
        3 => Plant::line(
            format!(
                "{path}:{}:{}: unexpected token",
                random.between(1, 400),
                random.between(1, 80)
            ),
            secret,
        ),
        4 => Plant::line(format!("--config={path} is not readable"), secret),
        _ => Plant::word(path, secret),
    }
}

pub(super) fn windows(random: &mut Random) -> Plant {
    let (person, project, drive) = (
        person(random),
        project(random),
        random.pick(&["C", "D", "E"]),
    );
    let slash = random.pick(&["\\", "\\", "\\", "/"]);
    let file = random.pick(FILES);
    let (directory, telling) = match random.below(4) {
        0 => (
            format!("{drive}:{slash}Users{slash}{person}{slash}Documents{slash}{project}"),
            person,
        ),
        1 => (format!("{drive}:{slash}inetpub{slash}{project}"), project),
        2 => (
            format!("{drive}:{slash}ProgramData{slash}{project}{slash}conf"),
            project,
        ),
        _ => (
            format!("{drive}:{slash}build{slash}agent-7{slash}{project}"),
            project,
        ),
    };
    let path = format!("{directory}{slash}{file}");
    let secret = [path.clone(), directory, telling];
    match random.below(5) {
        // Spaces only where quotes say how far it goes.
        0 if slash == "\\" => {
            let spaced = format!("{drive}:\\Program Files\\{}\\{file}", secret[2]);
            let telling = secret[2].clone();
            Plant::line(
                format!("Could not find file '{spaced}'."),
                [spaced, telling],
            )
        }
        1 => Plant::line(format!("Could not find file '{path}'."), secret),
        2 => Plant::line(format!("Access to the path \"{path}\" is denied."), secret),
        _ => Plant::word(path, secret),
    }
}

pub(super) fn share(random: &mut Random) -> Plant {
    let (firm, project) = (random.pick(FIRMS), project(random));
    let server = format!("fs{:02}-{firm}", random.between(1, 40));
    let path = format!(
        "\\\\{server}\\{project}$\\{}\\{}",
        random.pick(PARTS),
        random.pick(FILES)
    );
    let secret = [path.clone(), server, project];
    if random.one_in(3) {
        Plant::line(format!("The network path '{path}' was not found"), secret)
    } else {
        Plant::word(path, secret)
    }
}

pub(super) fn file_url(random: &mut Random) -> Plant {
    let (directory, telling) = unix_directory(random);
    let file = random.pick(FILES);
    let (url, secret) = if random.one_in(3) {
        let person = person(random);
        let directory = format!("C:/Users/{person}/AppData/{}", snake(random));
        (format!("file:///{directory}/{file}"), [directory, person])
    } else {
        (format!("file://{directory}/{file}"), [directory, telling])
    };
    let plant = Plant::word(url, secret);
    if random.one_in(3) {
        plant.within("resource not found: ", "", Form::Line)
    } else {
        plant
    }
}
