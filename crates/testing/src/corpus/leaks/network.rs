//! Addresses and names that mean something only inside.

use crate::corpus::plant::{Form, Plant};
use crate::corpus::random::Random;
use crate::corpus::words::{FIRMS, PARTS, project};

pub(super) fn ipv4(random: &mut Random) -> Plant {
    let address = private_ipv4(random);
    let port = random.pick(&["5432", "6379", "8080", "9200", "27017"]);
    let plant = Plant::word(address.clone(), [address]);
    match random.below(7) {
        0 => plant.within("connect ECONNREFUSED ", &format!(":{port}"), Form::Line),
        1 => plant.within(
            "dial tcp ",
            &format!(":{port}: connect: connection refused"),
            Form::Line,
        ),
        2 => plant.within("http://", &format!(":{port}/health"), Form::Word),
        3 => plant.within("", &format!(":{port}"), Form::Word),
        4 => plant.within("", "/24", Form::Word),
        _ => plant,
    }
}

fn private_ipv4(random: &mut Random) -> String {
    let [a, b, c] = [(); 3].map(|()| random.between(1, 254));
    match random.below(4) {
        0 => format!("10.{a}.{b}.{c}"),
        1 => format!("172.{}.{b}.{c}", random.between(16, 31)),
        2 => format!("192.168.{b}.{c}"),
        _ => format!("10.{}.{b}.{c}", random.between(0, 9)),
    }
}

/// Unique local and link local.
pub(super) fn ipv6(random: &mut Random) -> Plant {
    let group = |random: &mut Random| random.text("123456789abcdef", 1) + &random.hex(3);
    let groups: Vec<_> = (0..7).map(|_| group(random)).collect();
    let address = match random.below(4) {
        0 => format!("fd{}:{}", random.hex(2), groups.join(":")),
        1 => format!(
            "fd{}:{}::{}",
            random.hex(2),
            groups[..2].join(":"),
            random.number(2)
        ),
        2 => format!("fe80::{}", groups[..4].join(":")),
        _ => format!(
            "fd{}:{}:{}::{}",
            random.hex(2),
            groups[0],
            groups[1],
            groups[2]
        ),
    };
    let plant = Plant::word(address.clone(), [address]);
    match random.below(4) {
        0 => plant.within("connect ETIMEDOUT [", "]:5432", Form::Line),
        1 => plant.within("http://[", "]:8080/metrics", Form::Word),
        _ => plant,
    }
}

pub(super) fn host(random: &mut Random) -> Plant {
    let (part, firm, project) = (random.pick(PARTS), random.pick(FIRMS), project(random));
    let number = random.between(1, 40);
    let host = match random.below(8) {
        0 => format!("{project}.{firm}.internal"),
        1 => format!("{part}-db-{number:02}.{firm}.local"),
        2 => format!("{project}.{part}.svc.cluster.local"),
        3 => format!("ip-10-{number}-2-3.eu-west-1.compute.internal"),
        4 => format!("{part}{number:02}.corp"),
        5 => format!("{project}.{firm}.corp"),
        6 => format!("{part}-{number:02}.lan"),
        _ => format!("{project}.{firm}.intranet"),
    };
    let plant = Plant::word(host.clone(), [host]);
    match random.below(6) {
        0 => plant.within("getaddrinfo ENOTFOUND ", "", Form::Line),
        1 => plant.within("https://", ":8443/v1/items?page=2", Form::Word),
        2 => plant.within(
            "could not translate host name \"",
            "\" to address",
            Form::Line,
        ),
        3 => plant.within("", ":5432", Form::Word),
        _ => plant,
    }
}
