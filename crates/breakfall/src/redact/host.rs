//! Hosts of servers.

use std::sync::LazyLock;

use super::address::port;
use super::bytes::{
    WordSet, before, begins, follows, holds, line, one_of, run, run_back, word_before,
};
use super::finder::{MarkFinder, Rule};
use super::mark::Mark;
use super::words::WordIndex;

/// A name that ends in something only an inner network knows: `db.prod.internal`.
pub(super) fn inner(finder: &mut MarkFinder<'_>, at: usize) {
    if !finder.wide || !finder.is_new(Rule::Host, at) {
        return;
    }
    let text = finder.text;
    let part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    let start = run_back(text, at, 253, part);
    let end = run(text, at, 253, part);
    finder.passed(Rule::Host, end);
    let start = start
        + text[start..end]
            .iter()
            .take_while(|byte| !byte.is_ascii_alphanumeric())
            .count();
    let end = start
        + text[start.min(end)..end]
            .iter()
            .rposition(u8::is_ascii_alphanumeric)
            .map_or(0, |last| last + 1);
    if start >= end
        || matches!(before(text, start), Some(b'/' | b'\\'))
            && !text[..start].ends_with(b"//")
            && !text[..start].ends_with(b"\\\\")
            && (memchr::memchr_iter(b'.', &text[start..end]).count() < 2
                || text.get(end) == Some(&b'/'))
    {
        return;
    }
    let name = &text[start..end];
    let is_range = start > 1 && matches!(text[start - 2], b']' | b'}');
    if before(text, start) == Some(b'.') && !is_range
        || !(is_inner(name) || is_inner_part(text, start, end))
        || text.get(end) == Some(&b'(') && !text.get(end + 1).is_some_and(u8::is_ascii_digit)
        || text.get(end) == Some(&b'/') && is_scope(text, start)
    {
        return;
    }
    finder.found(start, port(text, end), Mark::Host);
}

/// Whether a name is that of packages, `@acme.local/shop`, and not what follows a login, `app:secret@db.internal/shop`.
fn is_scope(text: &[u8], start: usize) -> bool {
    let opens = |byte: u8| {
        byte.is_ascii_whitespace()
            || super::bytes::is_quote(byte)
            || matches!(byte, b'(' | b'[' | b'{' | b'/' | b',' | b'=' | b':')
    };
    before(text, start) == Some(b'@') && before(text, start - 1).is_none_or(opens)
}

/// The host of an address whose top-level domain is not a public one.
pub(super) fn url_host(finder: &mut MarkFinder<'_>, at: usize) {
    let text = finder.text;
    let user = run(text, at, 256, |byte| {
        byte > b' ' && !matches!(byte, b'/' | b'@' | b'"' | b'\'' | b'<' | b'>' | b'?' | b',')
    });
    let start = if text.get(user) == Some(&b'@') {
        user + 1
    } else {
        at
    };
    let end = run(text, start, 253, |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_')
    });
    let name = text[start..end]
        .strip_suffix(b".")
        .unwrap_or(&text[start..end]);
    let Some(dot) = memchr::memrchr(b'.', name) else {
        return;
    };
    let top = &name[dot + 1..];
    let is_word = top.len() >= 4 && top.iter().all(u8::is_ascii_lowercase);
    if finder.wide && text[..at].ends_with(b"://") && is_word && !one_of(top, PUBLIC) {
        finder.found(start, port(text, start + name.len()), Mark::Host);
    }
}

/// A host behind a scheme that no page has: `ldaps://dc02.example.com`.
pub(super) fn inner_scheme(finder: &mut MarkFinder<'_>, at: usize) {
    let text = finder.text;
    let at = if text[..at].ends_with(b"//") {
        at
    } else {
        let slashes = run(text, at, 24, |byte| {
            byte.is_ascii_alphanumeric() || byte == b':'
        });
        if !text[slashes..].starts_with(b"//") {
            return;
        }
        slashes + 2
    };
    let user = run(text, at, 256, |byte| {
        byte > b' ' && !matches!(byte, b'/' | b'@' | b'"' | b'\'' | b'<' | b'>' | b'?')
    });
    let start = if text.get(user) == Some(&b'@') {
        user + 1
    } else {
        at
    };
    let public = [
        "github.com",
        "gitlab.com",
        "bitbucket.org",
        "ssh.dev.azure.com",
    ];
    if !public
        .iter()
        .any(|host| text[start..].starts_with(host.as_bytes()))
        && !text[start..].starts_with(b"[")
    {
        beside_password(finder, start);
    }
}

/// A host in front of the port of a database, a queue or another service that no page has.
pub(super) fn served(finder: &mut MarkFinder<'_>, colon: usize) {
    let text = finder.text;
    let digits = run(text, colon + 1, 6, |byte| byte.is_ascii_digit());
    let port = &text[colon + 1..digits];
    if !finder.wide || port.len() < 2 {
        return;
    }
    let start = run_back(text, colon, 253, |byte| {
        byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'.')
    });
    let name = &text[start..colon];
    let top = name.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    let is_host = SERVICE_PORTS.has(port)
        && name.split(|byte| *byte == b'.').count() >= 3
        && top.len() >= 2
        && top.iter().all(u8::is_ascii_lowercase)
        || port.len() >= 2 && super::reach::is_tenant(name);
    let is_line = one_of(
        top,
        "py rb go rs java php cs ts js mjs cjs jsx tsx c cc cpp h kt scala swift ex exs sh sql yml yaml toml json",
    );
    if is_host && !is_line && begins(text, start) {
        finder.found(start, digits, Mark::Host);
    }
}

/// Ports of services that are inside of a network.
const SERVICES: &str = "1433 1521 3306 5432 6379 27017 27018 9092 9093 2181 5672 5671 11211 9200 9300 389 636 465 587 1883 8883 3389 5985 5986 \
    445 2049 50000 30015 8020 7687 8086 2379 6443 10250 8500 8300 8301 4222 61616 1414 26257 9042 5433 8123";

static SERVICE_PORTS: WordSet = WordSet::new(SERVICES);

/// Public top-level domains of more than three letters.
const PUBLIC: &str = "info example test invalid localhost arpa name mobi asia jobs museum travel aero coop post cloud tech online site store shop \
    blog life live news world email tools software systems digital network agency company services solutions studio design media games \
    space website page link click zone group team work works academy school health finance bank insurance energy global international \
    earth city berlin london paris amsterdam tokyo swiss google amazon microsoft apple dev codes chat social video photos foundation \
    community center support help guide wiki docs directory exchange market markets money capital fund ventures land house expert \
    engineering science technology computer hosting host domains security university education institute care clinic doctor dental \
    legal consulting management enterprises industries partners press review reviews events party show stream audio radio film";

/// The hosts after a login, `name:password@db7:5432,db8:5432/shop`: a password makes them internal,
/// whatever they are called.
pub(super) fn beside_password(finder: &mut MarkFinder<'_>, at: usize) {
    let text = finder.text;
    let part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    let mut start = at;
    if text[at..].starts_with(b"tcp(") {
        start += b"tcp(".len();
    }
    for _ in 0..MOST_HOSTS {
        let end = run(text, start, 253, part);
        // A stop ends the sentence.
        let end = start
            + text[start..end]
                .iter()
                .rposition(u8::is_ascii_alphanumeric)
                .map_or(0, |last| last + 1);
        let name = &text[start..end];
        if name.is_empty() {
            return;
        }
        let close = port(text, end);
        let numeric = name.iter().all(|byte| !byte.is_ascii_alphabetic());
        if numeric {
            finder.found(start, close, Mark::Address);
        } else if !name.eq_ignore_ascii_case(b"localhost") && !one_of(name, NO_HOST) {
            finder.found(start, close, Mark::Host);
        }
        if text.get(close) != Some(&b',') {
            return;
        }
        start = close + 1;
    }
}

/// More are no cluster.
const MOST_HOSTS: usize = 16;

/// `Host=db7;Username=app`, `host=db7 port=5432 user=app`: the value of a name in a string that says how to connect.
pub(super) fn assigned(finder: &mut MarkFinder<'_>, sign: usize) {
    if !finder.wide {
        return;
    }
    let text = finder.text;
    let start = run_back(text, sign, 16, |byte| {
        byte.is_ascii_alphabetic() || byte == b' '
    });
    let name = text[start..sign].trim_ascii();
    let last = word_before(text, sign);
    let is_name = one_of(last, "host hostname server hostaddr")
        || name.len() >= 11 && name[name.len() - 11..].eq_ignore_ascii_case(b"data source");
    if !is_name {
        return;
    }
    let (from, to) = line(text, sign, 256);
    if !holds(&text[from..to], CONNECTS) {
        return;
    }
    let from = run(text, sign + 1, 6, |byte| {
        byte == b' ' || super::bytes::is_quote(byte)
    });
    let from = if follows(text, from, b"tcp:") {
        from + 4
    } else {
        from
    };
    let part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    let end = run(text, from, 253, part);
    let name = &text[from..end];
    let named = name.first().is_some_and(u8::is_ascii_alphabetic)
        && !name.eq_ignore_ascii_case(b"localhost")
        && !one_of(name, NO_HOST);
    if named {
        finder.found(from, port(text, end), Mark::Host);
    }
}

/// What stands beside the host in such a string.
const CONNECTS: &str = "dbname=|protocol=|service_name=|database=|username=|user=|user id=|uid=|password=|pwd=|initial catalog=";

fn is_inner(name: &[u8]) -> bool {
    if is_numbered(name) || is_cloud(name) {
        return true;
    }
    let mut labels = name.rsplit(|byte| *byte == b'.');
    let (top, second) = (labels.next().unwrap_or_default(), labels.next());
    let Some(second) = second.filter(|label| !label.is_empty()) else {
        return false;
    };
    let known = one_of(top, INNER_TOPS);
    let arpa = top.eq_ignore_ascii_case(b"arpa") && second.eq_ignore_ascii_case(b"home");
    // `config.local` and `this.private` are files and fields: a host is all lower case and no word of code.
    let file = one_of(
        second,
        "env settings config this self application values docker-compose",
    );
    (known || arpa) && !file
}

/// Whether a host is one that a cloud gives to a customer: the name of the customer's resource stands before the domain.
fn is_cloud(name: &[u8]) -> bool {
    let ends = |domain: &str| {
        let at = name.len().checked_sub(domain.len());
        at.is_some_and(|at| {
            at > 1 && name[at - 1] == b'.' && name[at..].eq_ignore_ascii_case(domain.as_bytes())
        })
    };
    let labels = name.split(|byte| *byte == b'.').count();
    let first = name.split(|byte| *byte == b'.').next().unwrap_or_default();
    CLOUDS.split('|').any(|domain| ends(&domain[1..])) && labels >= 3
        || ends("amazonaws.com")
            && !one_of(first, AMAZON_SERVICES)
            && name
                .split(|byte| *byte == b'.')
                .any(|label| one_of(label, AMAZON_SERVICES))
}

/// What the name of a host holds that only an inner network resolves: top-level domains, labels, and how clouds begin one.
pub(super) const INNER: &str = ".internal|.intern|.interne|.interna|.interno|.local|.lan|.corp|.intranet|.intra|.consul|\
    .localdomain|.private|.cluster|.svc|.priv|.home|.ads|.int|.privatelink|privatelink.|ip-1|.amazonaws.com";

/// Top-level domains among these.
const INNER_TOPS: &str = "internal intern interne interna interno local lan corp intranet intra consul localdomain private \
    cluster svc priv home ads";

/// Labels among these that count inside a name.
const INNER_LABELS: &str = "int internal intern interne interna corp intranet lan privatelink";

/// Services of Amazon that give a customer hosts.
const AMAZON_SERVICES: &str = "s3 execute-api lambda-url dkr elasticbeanstalk aoss opensearch mq rds cache elb ec2 compute es eks redshift docdb kafka efs neptune";

/// Domains under which the resources of customers are.
pub(super) const CLOUDS: &str = "\
    .rds.amazonaws.com|.compute.amazonaws.com|.compute-1.amazonaws.com|.compute.internal|.database.windows.net|\
    .cache.windows.net|.servicebus.windows.net|.documents.azure.com|.postgres.database.azure.com|\
    .mysql.database.azure.com|.mongo.cosmos.azure.com|.blob.core.windows.net|.file.core.windows.net|\
    .queue.core.windows.net|.table.core.windows.net|.cloudapp.azure.com|.cloudapp.net|.azmk8s.io|.mongodb.net|\
    .supabase.co|.neon.tech|.upstash.io|.aivencloud.com|.redislabs.com|.redis-cloud.com|.elastic-cloud.com|\
    .confluent.cloud|.snowflakecomputing.com|.cloud.es.io|.db.ondigitalocean.com|.psdb.cloud|.cockroachlabs.cloud|\
    .oraclecloud.com|.databricks.net|.azuredatabricks.net|.cloudamqp.com|.hana.ondemand.com|.ec2.internal|\
    .vault.azure.net|.azure-devices.net|.openai.azure.com|.search.windows.net|.azurewebsites.net|.azurecr.io|\
    .aliyuncs.com|.planetscale.com|.digitaloceanspaces.com|.render.com|.railway.internal|.3gppnetwork.org|\
    .azure-api.net|.atlassian.net|.zendesk.com|.myshopify.com|.my.salesforce.com|.okta.com|.auth0.com|.service-now.com|\
    .sharepoint.com|.freshdesk.com|.herokuapp.com|.cloudfunctions.net|.run.app|.firebaseio.com|.workers.dev|.vercel.app|\
    .netlify.app|.ngrok.io|.ngrok-free.app|.fly.dev|.onrender.com|.workday.com|.successfactors.com|.dynamics.com|.datastax.com|\
    .scaleway.com|.clickhouse.cloud|.timescaledb.io|.tsdb.cloud.timescale.com|.elephantsql.com|.redis.cache.windows.net|.pinecone.io|\
    .webhook.office.com|.weaviate.network|.qdrant.io";

/// `db.internal.example`: also how packages are called, which begin with a domain.
fn is_inner_part(text: &[u8], start: usize, end: usize) -> bool {
    let name = &text[start..end];
    let mut labels = name.split(|byte| *byte == b'.');
    let first = labels.next().unwrap_or_default();
    let small = |byte: &u8| !byte.is_ascii_uppercase() && *byte != b'_';
    let inner = labels.any(|label| one_of(label, INNER_LABELS));
    let package = one_of(
        first,
        "com org net io java javax kotlin scala dev eu de github golang sun jdk cn app lib this self",
    );
    name.iter().all(small) && inner && (is_served(text, end) || !package)
}

/// Whether a port follows a name, and no line of a file.
fn is_served(text: &[u8], end: usize) -> bool {
    let close = port(text, end);
    close - end > 3 && text.get(close) != Some(&b':')
}

/// `ip-10-0-3-17`: named after its address, as clouds do.
fn is_numbered(name: &[u8]) -> bool {
    let host = name.split(|byte| *byte == b'.').next().unwrap_or_default();
    let numbers = || host[3..].split(|byte| *byte == b'-');
    let is_number =
        |part: &[u8]| (1..=3).contains(&part.len()) && part.iter().all(u8::is_ascii_digit);
    follows(host, 0, b"ip-") && numbers().count() == 4 && numbers().all(is_number)
}

/// A host of one word, which only an inner network resolves: `cannot connect to db-primary:5432`.
pub(super) fn reached(finder: &mut MarkFinder<'_>, at: usize) {
    if !finder.wide {
        return;
    }
    let text = finder.text;
    if super::bytes::in_marker(text, at) {
        return;
    }
    let end = super::bytes::line_end(text, at, 200);
    // A host is quoted, has a port, or follows the name of an error.
    let told = |line: &[u8]| {
        memchr::memchr3(b':', b'"', b'\'', line).is_some() || memchr::memchr(b'`', line).is_some()
    };
    if text[at].is_ascii_lowercase() && !text[at..].starts_with(b"ookup") && !told(&text[at..end]) {
        return;
    }
    let mut place = run(text, at, 48, |byte| byte.is_ascii_alphabetic());
    // The name is one of the next words.
    for _ in 0..6 {
        place = run(text, place, 6, |byte| {
            matches!(
                byte,
                b' ' | b'"' | b'\'' | b'`' | b'(' | b':' | b'=' | b'[' | b'\\' | b','
            )
        });
        let word = run(text, place, 253, |byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_')
        });
        if place >= end || word == place {
            return;
        }
        if is_host(text, place, word) {
            finder.found(place, port(text, word), Mark::Host);
            return;
        }
        place = word;
    }
}

/// Whether a word is a host: it has a port, or it is quoted, or the word before it says that it is one.
fn is_host(text: &[u8], start: usize, end: usize) -> bool {
    let name = &text[start..end];
    let single = name.len() >= 2
        && name
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
        && name[0].is_ascii_alphabetic();
    if !single || name.eq_ignore_ascii_case(b"localhost") || one_of(name, NO_HOST) {
        return false;
    }
    let ported = port(text, end) > end && text.get(port(text, end)) != Some(&b':');
    let quoted = before(text, start).is_some_and(super::bytes::is_quote)
        && text.get(end) == before(text, start).as_ref();
    let word = word_before(text, start);
    let named = one_of(word, "enotfound eai_again unknownhostexception")
        || word.eq_ignore_ascii_case(b"lookup")
            && holds(
                &text[end..text.len().min(end + 80)],
                "no such host|server misbehaving|i/o timeout|on ",
            );
    let key = quoted && text.get(run(text, end + 1, 4, |byte| byte == b' ')) == Some(&b':');
    // A bundler resolves modules: `Can't resolve 'sass-loader' in '/srv'`.
    let said_in = text[end..].starts_with(b"' in '");
    let joined = !said_in
        && !text[run_back(text, start, 8, |byte| !super::bytes::is_word(byte))..start]
            .contains(&b',');
    let said = quoted
        && !key
        && joined
        && (one_of(word, "host hostname server at on to name resolve address"));
    ported || named || said
}

const NO_HOST: &str = "nome temporary failed failure attempt address timeout error the a to server host port line column http https tcp getaddrinfo refused name";

/// A machine that is named after its job, `sepa-node-4`, `SQL-LAG2`, where the text speaks of machines.
pub(super) fn machine(finder: &mut MarkFinder<'_>, digits: usize) {
    static WORDS: LazyLock<WordIndex> = LazyLock::new(|| WordIndex::of(MACHINES));
    if !finder.wide {
        return;
    }
    let text = finder.text;
    let part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let start = run_back(text, digits, 64, part);
    let close = run(text, digits, 64, part);
    let name = &text[start..close];
    if !name.contains(&b'-') {
        return;
    }
    let opens = before(text, start)
        .is_none_or(|byte| !matches!(byte, b'.' | b'@' | b'#' | b'_' | b'$' | b'='));
    let is_path = before(text, start) == Some(b'/') && !text[..start].ends_with(b"//");
    let goes_on = text.get(close) == Some(&b'.')
        && text.get(close + 1).is_some_and(u8::is_ascii_alphanumeric);
    let is_joined = matches!(text.get(close), Some(b'(' | b'_' | b'=' | b'/' | b'@'));
    let closes = !goes_on && !is_joined;
    let parts = || name.split(|byte| *byte == b'-');
    let job = |part: &[u8]| {
        let letters = part
            .iter()
            .take_while(|byte| byte.is_ascii_alphabetic())
            .count();
        one_of(&part[..letters], JOBS)
    };
    // `ORA-01017` is a number of an error.
    let is_error =
        name.len() == 9 && name.starts_with(b"ORA-") && name[4..].iter().all(u8::is_ascii_digit);
    let is_machine = !is_error
        && name.first().is_some_and(u8::is_ascii_alphabetic)
        && name.last() != Some(&b'-')
        && parts().count() >= 2
        && parts()
            .skip(1)
            .any(|part| part.iter().any(u8::is_ascii_digit))
        && parts().any(job);
    if !opens || is_path || !closes || !is_machine {
        return;
    }
    let (from, to) = line(text, start, 160);
    let said = WORDS.is_in(&text[from..start]) || WORDS.is_in(&text[close.min(to)..to]);
    if said {
        finder.found(start, port(text, close), Mark::Host);
    }
}

/// Jobs that machines are named after.
const JOBS: &str = "prod prd dmz node srv sql mssql mysql pg ora vm vmss pool dc prx proxy lb gw app web k8s edge stg svc redis mq kafka \
    bi ldap esx nas san rds fs vpn mta smtp gke aks eks ws ts pc laptop notebook bastion worker primary replica standby listener backend \
    cn db";

/// Words about machines that cannot be reached.
const MACHINES: &str = "host|hostname|server|backend|connect|dial|dns|resolve|reach|unreachable|reachable|timeout|timed out|ping|no route|\
    not responding|is down|nodename|notready|memberlist|trust relationship|rpc|-h |-s |add:|via|client:|workstation|computer|\\\\|peer|broker|node=|node ";

#[cfg(test)]
mod tests {
    use super::super::Redactor;
    use super::{INNER, INNER_LABELS, INNER_TOPS};

    #[test]
    fn every_inner_name_holds_a_word_that_is_searched_for() {
        for name in INNER_TOPS.split(' ').chain(INNER_LABELS.split(' ')) {
            let word = format!(".{name}");
            assert!(
                name.is_empty() || INNER.split('|').any(|have| word.contains(have)),
                "{name}"
            );
        }
    }

    #[test]
    fn machines_are_hosts_where_the_text_speaks_of_machines() {
        let redactor = Redactor::client();
        for (text, gone) in [
            ("Server sepa-node-4 is DOWN", "sepa-node-4"),
            ("bcp Umsatz out x -S BI-SQL03 -U ada", "BI-SQL03"),
            ("i/o timeout to agent-eu2-node07", "agent-eu2-node07"),
        ] {
            assert!(!redactor.text(text).contains(gone), "{text}");
        }
        for text in [
            "Container app-db-1 Started",
            "the host runs on node-22.3.0",
            "cannot connect with pg-pool 3.6.1",
        ] {
            assert_eq!(redactor.text(text), text);
        }
    }
}
