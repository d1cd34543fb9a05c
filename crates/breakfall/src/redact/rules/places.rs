//! Hosts and paths.

use super::super::mark::Mark;
use super::super::{host, reach};
use super::{RedactionRule, RuleAction};

pub(super) const RULES: &[RedactionRule] = &[
    RedactionRule {
        family: "host",
        words: "-computername |machine |cache_peer |replica '|nodes not responding",
        action: RuleAction::Pattern(
            Mark::Host,
            r"(?i:-computername |cache_peer )([\w.-]{3,})|machine ([\w.-]+) login|replica '([\w.\\-]+)'",
        ),
        go: &[
            "New-PSSession -ComputerName «WMS-APP02»",
            ".netrc: machine «deb.lab» login apt",
        ],
        stay: &["the machine is off"],
    },
    RedactionRule {
        family: "inner host",
        words: "ldap://|ldaps://|bolt://|mongodb://|redis://|rediss://|amqp://|amqps://|kafka://|mysql://|postgres://|postgresql://|nats://|mqtt://|smb://|nfs://|ssh://|sftp://|ftp://|tcp://|jdbc:|tls://",
        action: RuleAction::Code(|finder, _, end| host::inner_scheme(finder, end)),
        go: &[
            "ldapsearch -H ldaps://«dc02.ad.fjordlabs.no» -D x",
            "cannot open mongodb://«m1.acme.com:27017»/x",
        ],
        stay: &["redis://localhost:6379 is down", "ssh://git@github.com/a/b"],
    },
    RedactionRule {
        family: "host",
        words: "-server |--server |--host |-servername |sqlserver=|dbcname=|nn=|ashost=",
        action: RuleAction::Pattern(
            Mark::Host,
            r"(?i:-{1,2}server|--host|-servername|dbcname)[ =](?:https?://)?((?:[\w-]+\.){2,}[a-z]{2,})\b",
        ),
        go: &[
            "Set-ADAccountPassword -Server «dc02.ad.fjordlabs.no»",
            "rsconnect add --server https://«connect.bi.dunmore.ie» --name prod",
        ],
        stay: &["--server localhost", "--host api"],
    },
    RedactionRule {
        family: "data set",
        words: DATA_SETS,
        action: RuleAction::Pattern(
            Mark::Path,
            r"[^\n]{0,80}?\b((?:[A-Z$#@][A-Z0-9$#@]{0,7})(?:\.[A-Z$#@][A-Z0-9$#@]{0,7}){2,})(?:\(|\b)",
        ),
        go: &[
            "IGZ0035S OPEN of file KUNDEN failed. DSN=«PROD.FIBU.KUNDEN.VSAM»",
            "IKJ56228I DATA SET NOT IN CATALOG «PAYR.PROD.W2.MASTER»",
        ],
        stay: &["the data set is empty", "dsn=\"\""],
    },
    RedactionRule {
        family: "host of a cloud",
        words: host::CLOUDS,
        action: RuleAction::Code(|finder, at, _| host::inner(finder, at)),
        go: &["host=«kv-fin.vault.azure.net» is not reachable"],
        stay: &["see learn.vault.azure.net.example"],
    },
    RedactionRule {
        family: "path",
        words: "include(|require(|require_once(|include_once(",
        action: RuleAction::Pattern(
            Mark::Path,
            r"[a-z_]+\(['\x22]?([\w-]+(?:/[\w.-]+)+\.\w+)['\x22]?\)",
        ),
        go: &["include(«config/db.local.php»): Failed to open stream"],
        stay: &["require('fs')", "require('./lib')"],
    },
    RedactionRule {
        family: "host",
        words: ", server |the host |host name |-h |mount.nfs: |-t nfs |nfs4 |via ssh: |server \"|server '|server `|linked server ",
        action: RuleAction::Pattern(
            Mark::Host,
            r"(?i:, server )([\w\\.-]{3,}), (?i:line|procedure)|(?i:the host |host name )([\w.-]*[\w-]), (?i:port) \d+|(?:mount\.nfs: (?:mounting )?|-t nfs |nfs4 )([\w.-]{3,}):/|via ssh: [\w.-]+@([\w.-]*\w)|(?i:server )['\x22`]([\w.-]+\\?[\w.-]*)['\x22`]",
        ),
        go: &[
            "Msg 208, Level 16, State 1, Server «SQLPRD04\\CLAIMS», Line 3",
            "The TCP/IP connection to the host «sqlprod7», port 1433 has failed.",
        ],
        stay: &["the server is gone", "-h prints this help"],
    },
    RedactionRule {
        family: "host",
        words: "http://|https://|tcp://|redis://|grpc://|ws://|wss://|amqp://|nats://|mongodb://",
        action: RuleAction::Code(reach::single),
        go: &["during [GET] to [http://«customer-profile:8080»/internal/profiles/77]"],
        stay: &[
            "http://localhost:8080/x",
            "https://example/x",
            "http://host:port/",
        ],
    },
    RedactionRule {
        family: "host",
        words: "connect|resolve|lookup |unreachable|refused|timed out|econn|enotfound|eai_again|getaddrinfo|no route|handshake|dial tcp|ssh:|\
            certificate|upstream|access denied for user|unknown host|name or service not known|brokers|no such host|rejected by|\
            permission denied|reachable|sasl_ssl|not responding|i/o timeout|server at |unable to reach|bind as |replication|ping ",
        action: RuleAction::Code(reach::find),
        go: &[
            "Can't connect to MySQL server on '«db-primary.acme.net»' (111)",
            "Access denied for user 'root'@'«web-03.prod.acme.io»' (using password: YES)",
        ],
        stay: &[
            "could not resolve registry.npmjs.org",
            "connection to api.example.com refused",
            "unable to connect: see main.rs and lib.rs.bak",
        ],
    },
    RedactionRule {
        family: "host",
        words: "\"host\":|\"hostname\":|_host\":|_host=|'host':|hostname=|'host' =>|\"server\":|\"nodename\":|\"endpoint\":|bootstrap.servers=|\
            bootstrap_servers=|host: |hostname: |_host: |host=|servername=|nodename: |peer=|broker=|node=",
        action: RuleAction::Code(reach::named),
        go: &[
            "{\"login_host\": \"«pg2.acme.net»\"}",
            "bootstrap.servers=«kfk1.acme.net:9092» sasl",
        ],
        stay: &[
            "{\"host\":\"localhost\"}",
            "host: api.example.com",
            "hostname: required",
        ],
    },
    RedactionRule {
        family: "host",
        words: " -h|fatal: [|unreachable: [|failed: [|rabbit@|emqx@|ejabberd@|couchdb@|host [|node '",
        action: RuleAction::Pattern(
            Mark::Host,
            r" -h ?((?:\d{1,3}\.){3}\d{1,3}|[\w-]+(?:\.[\w-]+){2,})|(?:fatal|unreachable|failed): \[([\w-]+(?:[.-][\w-]+)+)(?: -> [\w.-]+)?\]|(?:rabbit|emqx|ejabberd|couchdb)@([\w.-]*[\w-])|host \[([\w-]+(?:[.-][\w-]+)+)\]|node '\w+@([\w.-]+)'",
        ),
        go: &[
            "mysqldump -h«192.168.40.8» -ubackup crm",
            "fatal: [«app-eu-4.prd.stolzenberg.cloud»]: FAILED!",
            "operation on node 'rabbit@«mq-zwickau-1»'",
        ],
        stay: &["failed: [x]", "sort -hr", "df -h"],
    },
    RedactionRule {
        family: "host",
        words: "curl |wget |fetching |_url=|url: |host key|relay=|registrar=|mounting|authenticat|unauthorized|x509|ssl |tls |redis-cli |smarthost|401 |403 |502 |503 |504 |get \"http|post \"http",
        action: RuleAction::Code(reach::find),
        go: &[
            "OS_AUTH_URL=https://«keystone.cloud.uni-harzburg.de:5000»/v3",
            "relay=«mx-out-b.dmz.krankenkasse-west.de»[10.200.4.25]:25",
        ],
        stay: &[
            "curl https://api.github.com/x",
            "Unauthorized: sign in at https://app.acme.com/login",
        ],
    },
    RedactionRule {
        family: "host",
        words: "[redacted:password]|[redacted:secret]|[redacted:api-key]|[redacted:bearer]|[redacted:basic]|[redacted:cookie]|[redacted:jwt]|\
            [redacted:signature]|[redacted:webhook]|[redacted:private-key]",
        action: RuleAction::Code(reach::beside),
        go: &["GET https://«d3k9vq81xz.cloudfront.net»/may.zip?Signature=[redacted:signature]"],
        stay: &["[redacted:password] was sent to api.github.com"],
    },
    RedactionRule {
        family: "host",
        words: reach::DOMAINS,
        action: RuleAction::Code(reach::machine),
        go: &[
            "No Response from «ups-b2.raum014.uni-ilm.de»",
            "may require login: «harbor.labs.kestrel-air.com»/planner:1.44",
        ],
        stay: &[
            "see docs-1.example.com",
            "https://registry.npmjs.org/x",
            "my-app.config.io.js",
        ],
    },
    RedactionRule {
        family: "bucket",
        words: "s3://|s3a://|gs://|wasbs://|abfss://|oss://",
        action: RuleAction::Pattern(Mark::Host, r"[a-z0-9]+://([\w.@-]{3,})"),
        go: &["WALG_S3_PREFIX=s3://«steinbruch-wal-archiv»/kies"],
        stay: &["s3://"],
    },
    RedactionRule {
        family: "path",
        words: "database error in model |path: |snapshot |dataset ",
        action: RuleAction::Pattern(
            Mark::Path,
            r"[A-Za-z ]+ \w+ \((models/[\w./-]+)\)|Path: +([\w.-]+(?:/[\w.-]+){2,})|(?:snapshot|dataset) ([\w.-]+(?:/[\w.@-]+){2,})",
        ),
        go: &[
            "Database Error in model fct («models/marts/fct_margin.sql»)",
            "Path:      «acme-tfstate-prod/network/vpc-core.tfstate»",
        ],
        stay: &["path: a/b", "a snapshot of a/b"],
    },
    RedactionRule {
        family: "inner host",
        words: host::INNER,
        action: RuleAction::Code(|finder, at, _| host::inner(finder, at)),
        go: &[
            "no route to «orders-db.prod.internal»",
            "connect to «shop.abc123.eu-west-1.rds.amazonaws.com:5432» failed",
        ],
        stay: &[
            "see https://example.com/a.local/x",
            "config.local is missing",
        ],
    },
    RedactionRule {
        family: "reached host",
        words: "host|connect|lookup |resolve|dial tcp|econn|enotf|eai_|unreachable",
        action: RuleAction::Code(|finder, at, _| host::reached(finder, at)),
        go: &[
            "cannot connect to «db-primary:5432»",
            "getaddrinfo ENOTFOUND «redis»",
        ],
        stay: &["the host did not answer", "connection reset by peer"],
    },
];

/// Words of systems that keep data sets: the names of these are in capitals, with dots between their parts.
const DATA_SETS: &str =
    "data set|dataset|dsn=|dsname|vsam|abend|iec1|ikj5|igz0|igd1|iefc|idc3|jes2|dfhac";
