//! The table of rules: which words they look at, what they find there, and examples, which are their tests.
//!
//! What «stands in such quotes» in an example must go, and all else of it stays.

use super::finder::MarkFinder;
use super::mark::Mark;
use super::{auth, commands, host, opaque, pem, person, schema, shapes, sql, trace};

/// One rule.
#[cfg_attr(
    not(test),
    expect(dead_code, reason = "examples are the tests of their rule")
)]
pub(super) struct RedactionRule {
    /// The kind of leak.
    pub(super) family: &'static str,
    /// Words of which each match holds one, whatever their case, with bars between them. The search for them is the prefilter.
    pub(super) words: &'static str,
    pub(super) action: RuleAction,
    /// Texts with something that must go.
    pub(super) go: &'static [&'static str],
    /// Texts that must stay as they are.
    pub(super) stay: &'static [&'static str],
}

/// How a rule looks at the place of one of its words.
#[derive(Debug, Clone, Copy)]
pub(super) enum RuleAction {
    /// By code, which is told where the word begins and ends.
    Code(fn(&mut MarkFinder<'_>, usize, usize)),
    /// By a pattern from the beginning of the word on. Its first group goes, or all of it if it has none.
    Pattern(Mark, &'static str),
}

pub(super) const RULES: &[RedactionRule] = &[
    RedactionRule {
        family: "trace",
        words: "traceback|panicked at|.go:|.ex:|.exs:|backtrace|\", line |  at |\tat |\nat |.java|.kt:|.scala:|.rb:|\
            goroutine |#0 |#2 |#1 |(package:| 0x0|.cr:|.php:|.php(|.cs:|.swift:",
        action: RuleAction::Code(|finder, at, _| trace::find(finder, at)),
        go: &[
            "boom\n«  File \"/srv/a.py\", line 3, in f\n    g()»\nKeyError: 'x'",
            "Error: x\n«    at f (/app/a.js:1:2)»",
            "java.lang.NullPointerException «at UserService.java:142»",
            "System.Exception: no\n«   at Shop.Orders.Close(Int32 id) in C:\\shop\\Orders.cs:line 88»",
            "boom «/srv/app/order.rb:42:in 'close'»: no",
        ],
        stay: &["unexpected end at line 3", "meet at noon"],
    },
    RedactionRule {
        family: "authorization",
        words: "authorization",
        action: RuleAction::Code(|finder, at, _| auth::authorization(finder, at)),
        go: &["Authorization: Bearer «c2VjcmV0LXRva2Vu»"],
        stay: &["Authorization: Bearer <token>", "authorization failed"],
    },
    RedactionRule {
        family: "bearer",
        words: "bearer ",
        action: RuleAction::Code(|finder, at, _| auth::bearer(finder, at)),
        go: &["sent bearer «abcdef123456»"],
        stay: &["a bearer token is required"],
    },
    RedactionRule {
        family: "basic",
        words: "basic ",
        action: RuleAction::Code(|finder, at, _| auth::basic(finder, at)),
        go: &["Basic «YWRhOmx1cGluZQ==»"],
        stay: &["Basic authentication is off"],
    },
    RedactionRule {
        family: "cookie",
        words: "cookie:|cookie\"|cookie'|cookie=",
        action: RuleAction::Code(|finder, at, _| auth::cookie(finder, at)),
        go: &["Set-Cookie: sid=«8f2a»; Path=/"],
        stay: &["cookie: not found"],
    },
    RedactionRule {
        family: "command",
        words: commands::WORDS,
        action: RuleAction::Code(commands::find),
        go: &[
            "Command failed: mysql -uroot -p«hunter2» shop",
            "curl -u ada:«hunter2» https://example.com",
            "sshpass -p «hunter2» ssh x",
            "redis-cli -a «hunter2» ping",
            "openssl rsa -passin pass:«hunter2» -in k",
        ],
        stay: &[
            "mysql -p shop",
            "curl -u ada https://example.com",
            "docker run -p 8080:80 web",
        ],
    },
    RedactionRule {
        family: "pem",
        words: "begin ",
        action: RuleAction::Code(|finder, at, _| pem::find(finder, at)),
        go: &[
            "no «-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE0123456789abcdef\n-----END EC PRIVATE KEY-----»",
        ],
        stay: &["-----BEGIN CERTIFICATE-----"],
    },
    RedactionRule {
        family: "putty",
        words: "private-lines:",
        action: RuleAction::Code(|finder, at, _| pem::putty(finder, at)),
        go: &["Private-Lines: 1\n«AAAAgQC0123456789abcdefghij0123456789ABCD»\nPrivate-MAC"],
        stay: &["Private-Lines: "],
    },
    RedactionRule {
        family: "jwt",
        words: "eyj",
        action: RuleAction::Code(shapes::jwt),
        go: &["jwt «eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl» expired"],
        stay: &["eyJ is how it begins"],
    },
    RedactionRule {
        family: "jwk",
        words: "kty",
        action: RuleAction::Code(commands::jwk),
        go: &[
            r#"{"kty":"EC","crv":"P-256","x":"f83OJ3D2","d":"«jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9»"}"#,
        ],
        stay: &[r#"{"kty":"RSA","e":"AQAB","n":"abc"}"#],
    },
    RedactionRule {
        family: "key of a service",
        words: ".atlasv1.",
        action: RuleAction::Code(shapes::atlas),
        go: &["«abcdef12345678.atlasv1.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOP0123456789»"],
        stay: &["x.atlasv1.y"],
    },
    RedactionRule {
        family: "key of a service",
        words: ":aa",
        action: RuleAction::Code(shapes::telegram),
        go: &["bot «123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw»"],
        stay: &["12:aa"],
    },
    RedactionRule {
        family: "key of a service",
        words: "q~",
        action: RuleAction::Code(shapes::azure),
        go: &["secret «abc8Q~abcdefghijklmnopqrstuvwxyz01234567»"],
        stay: &["Q~"],
    },
    RedactionRule {
        family: "key of a service",
        words: "-us",
        action: RuleAction::Code(shapes::mailchimp),
        go: &["key «0123456789abcdef0123456789abcdef-us12»"],
        stay: &["en-us"],
    },
    RedactionRule {
        family: "password hash",
        words: "$2a$|$2b$|$2x$|$2y$",
        action: RuleAction::Pattern(Mark::Secret, r"\$2[abxy]\$\d\d\$[./A-Za-z0-9]{22,53}"),
        go: &["row (7, «$2b$12$EixZaYVK1fsbw1ZfbX3OXePaWxn96p36WQoeG6Lruj3vjPGga31lW»)"],
        stay: &["$2b$ is a prefix"],
    },
    RedactionRule {
        family: "password hash",
        words: "$argon2|$pbkdf2|$scrypt$|pbkdf2_sha|pbkdf2:sha|scrypt:|bcrypt_sha256$|argon2$|$bcrypt-sha256$",
        action: RuleAction::Pattern(Mark::Secret, r"[$a-z][a-z0-9_:-]+\$[^\s'\x22;)\]}<\\]{16,}"),
        go: &[
            "hash «$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$RdescudvJCsgt3ub+b1dWRWJTmaaJObG»",
            "was «pbkdf2_sha256$600000$abcdefgh$0123456789abcdefghij=»",
        ],
        stay: &["scrypt: out of memory"],
    },
    RedactionRule {
        family: "password hash",
        words: "$1$|$5$|$6$|$7$|$y$|$apr1$|$p$b|$h$9|$s$",
        action: RuleAction::Pattern(
            Mark::Secret,
            r"\$(?:1|5|6|7|y|apr1|gy)\$[^\s:'\x22,]{16,}|\$[PHS]\$[./A-Za-z0-9]{31,}",
        ),
        go: &[
            "shadow root:«$6$rounds=5000$usesomesillystri$D4IrlXatmP7rx3P3InaxBeoomnAihCKRVQAr/36e»:1",
        ],
        stay: &["it costs $5$ or so"],
    },
    RedactionRule {
        family: "password hash",
        words: "{ssha|{sha|{smd5|{md5|{crypt|{bcrypt|{pbkdf2",
        action: RuleAction::Pattern(
            Mark::Secret,
            r"\{(?i:S?SHA\d*|S?MD5|CRYPT|BCRYPT|PBKDF2[A-Z0-9-]*)\}[A-Za-z0-9+/=.$]{16,}",
        ),
        go: &["userPassword: «{SSHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g0abcd»"],
        stay: &["{sha} is a placeholder"],
    },
    RedactionRule {
        family: "password hash",
        words: "scram-sha-|md5",
        action: RuleAction::Pattern(
            Mark::Secret,
            r"(?i:SCRAM-SHA-(?:1|256|512))\$\d+:[A-Za-z0-9+/=$:]{20,}|md5[0-9a-f]{32}\b",
        ),
        go: &["rolpassword «md50123456789abcdef0123456789abcdef»"],
        stay: &[
            "MD5 d41d8cd98f00b204e9800998ecf8427e does not match",
            "SCRAM-SHA-256 is required",
        ],
    },
    RedactionRule {
        family: "sql",
        words: "identified ",
        action: RuleAction::Pattern(
            Mark::Password,
            r"IDENTIFIED\s+(?:WITH\s+\S+\s+)?(?:BY|AS)\s+(?:PASSWORD\s+)?['\x22]([^'\x22\s]+)['\x22]",
        ),
        go: &["near IDENTIFIED BY '«hunter2»'"],
        stay: &["identified by '3f9ab1c27d54'"],
    },
    RedactionRule {
        family: "sql",
        words: "select |select*|select(|insert |update |delete |create |alter |drop |truncate |with |merge |replace |\
            grant |revoke |exec |execute |call |pragma |explain |near '|select\n|update\n|insert\n",
        action: RuleAction::Code(|finder, at, _| sql::find(finder, at)),
        go: &[
            "query failed: «SELECT * FROM users WHERE id = 7»",
            "«delete from orders where id = 7»",
        ],
        stay: &["select an item from the list", "update the set of rules"],
    },
    RedactionRule {
        family: "sql",
        words: "[parameters: ",
        action: RuleAction::Code(|finder, at, _| sql::parameters(finder, at + 1)),
        go: &["[parameters: «('ada', 7)»]"],
        stay: &["[parameters: ]"],
    },
    RedactionRule {
        family: "constraint",
        words: "constraint |constraint failed: |for key |unique index |key constraint ",
        action: RuleAction::Pattern(
            Mark::Sql,
            r"(?i:(?:key )?constraint |for key |unique index )(?i:violation: )?['\x22`]([^'\x22`\s]+)['\x22`]|(?i:constraint failed: )(\w+\.\w+(?:, \w+\.\w+)*)",
        ),
        go: &[
            "Duplicate entry for key '«users.email_UNIQUE»'",
            "violates foreign key constraint \"«users_projects_fk»\"",
        ],
        stay: &["a constraint failed", "for key of the map"],
    },
    RedactionRule {
        family: "constraint",
        words: "_fk|_fkey|_pkey|_uniq|fk_|_unique|uk_|uq_",
        action: RuleAction::Code(schema::constraint),
        go: &[
            "Cannot delete: «users_projects_fk» fails",
            "violates «fk_order_customer»",
        ],
        stay: &["is_unique", "the fk_ prefix"],
    },
    RedactionRule {
        family: "protocol",
        words: "pass |login |auth ",
        action: RuleAction::Code(commands::protocol),
        go: &[
            "+OK ready\nUSER ada\nPASS «Vinter!40»\n-ERR",
            "C: a0004 LOGIN \"scan\" \"«rZ7.mohair»\"",
        ],
        stay: &["PASS src/a.test.ts", "login failed", "PASS tests"],
    },
    RedactionRule {
        family: "password file",
        words: ":*:",
        action: RuleAction::Pattern(Mark::Password, r":\*:[\w.-]+:([^\s:'\x22]{3,})"),
        go: &[".pgpass: db:*:ada:«hunter2»"],
        stay: &["a:*:b"],
    },
    RedactionRule {
        family: "password hash",
        words: "$krb5|$ntlm$|$dcc2$|$netntlm",
        action: RuleAction::Pattern(Mark::Secret, r"\$[\w-]+\$[^\s'\x22]{16,}"),
        go: &["hash «$krb5tgs$23$*svc$CORP$ce7da9036508b72f3433»"],
        stay: &["$krb5"],
    },
    RedactionRule {
        family: "code",
        words: "sign-in code|login code|security code|verification code|one-time code|confirmation code|access code|passcode|otp code|auth code",
        action: RuleAction::Pattern(
            Mark::Password,
            r"[A-Za-z -]+?code(?: is|:| =)? (\d{3}[ -]?\d{1,5})\b",
        ),
        go: &["Your one-time sign-in code is «739 204»"],
        stay: &["the verification code is wrong"],
    },
    RedactionRule {
        family: "recovery key",
        words: "recovery key |recovery password|attempted: ",
        action: RuleAction::Pattern(
            Mark::Password,
            r"(?i:recovery key|recovery password|attempted)[: ]+([A-Z0-9]{4}(?:-[A-Z0-9]{4}){5}|\d{6}(?:-\d{6}){7})",
        ),
        go: &[
            "recovery key «KX4T-9RPL-M2WV-7HQC-ZD83-N6JA»",
            "Attempted: «114279-552046-308913-660506-097317-441232-226050-583407»",
        ],
        stay: &["recovery key needed"],
    },
    RedactionRule {
        family: "network device",
        words: "wifi:",
        action: RuleAction::Pattern(Mark::Password, r"WIFI:[^\n]*?;P:([^\n]*?);;"),
        go: &["WIFI:T:WPA;S:office;P:«Ledger;Otter88»;;"],
        stay: &["WIFI: no signal"],
    },
    RedactionRule {
        family: "option",
        words: "/pass:|/password:|/rp | /u |unseal |unseal key |signtool |convertto-securestring ",
        action: RuleAction::Pattern(
            Mark::Password,
            r"/(?i:pass|password):(\S{3,})|(?i:/rp) (\S{3,})| /u \S+ /p (\S{3,})|(?i:unseal )(?:Key \d+: )?([A-Za-z0-9+/=]{32,})|signtool .{0,120}? /p (\S{3,})|(?i:convertto-securestring )(?:-String )?['\x22]([^'\x22\n]{3,64})['\x22]",
        ),
        go: &[
            "cmdkey /user:ada /pass:«Flagstone&15»",
            "vault operator unseal «kOJfEvh0LSD8T5rPbjq8MHn2g9gu3WPEC4zntjGFedp6»",
            "srvrmgr /e ENT /u SADMIN /p «Quill-Ibex»",
        ],
        stay: &["unseal the vault", "cmd /u"],
    },
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
        family: "birth",
        words: "dob|born|date of birth|birthdate|birth_date|geboren|nascimento|nacimiento|né le |née le |geb. |naissance",
        action: RuleAction::Pattern(
            Mark::Person,
            r"[^\s:='\x22]+(?: (?:of birth|le|am))?['\x22]?[ :=]+['\x22]?(\d{1,4}[./-]\d{1,2}[./-]\d{2,4})\b",
        ),
        go: &["claimant, dob «1979-11-23»", "\"geboren\":\"«03.11.1969»\""],
        stay: &["born to run", "date of birth is missing"],
    },
    RedactionRule {
        family: "postal address",
        words: "street|strasse|straße|address_line|addressline|住所",
        action: RuleAction::Pattern(
            Mark::Person,
            r"(?i:street(?:_?address)?|stra(?:ss|\xc3\x9f)e|address_?line_?1?)['\x22]?\s*[:=]\s*['\x22]([^'\x22\n]{4,80})['\x22]|\xe4\xbd\x8f\xe6\x89\x80[=:]([^\s,;]+)",
        ),
        go: &["{\"street\":\"«19 Cooperage Yard»\",\"n\":1}"],
        stay: &["street: must not be empty", "{\"street\":null}"],
    },
    RedactionRule {
        family: "schema",
        words: "`.`|].[",
        action: RuleAction::Code(schema::quoted),
        go: &["a foreign key constraint fails («`claims`.`policy_event`»)"],
        stay: &["use `a` or `b`"],
    },
    RedactionRule {
        family: "call",
        words: "mysqli(|mysqli_connect(|mysql_connect(|ftp(|database('|odbc_connect(|credentials(\"",
        action: RuleAction::Pattern(
            Mark::Password,
            r"(?i:mysqli(?:_connect)?|mysql_connect|ftp|database|odbc_connect)\(\s*['\x22][^'\x22\n]*['\x22],\s*['\x22][^'\x22\n]*['\x22],\s*['\x22]([^'\x22\n]{3,})['\x22]|Credentials\((?:\x22[^\x22\n]*\x22, ){3}\x22([^\x22\n]{3,})\x22",
        ),
        go: &[
            "$db = new mysqli('db7.corp', 'kursbuch', '«Bahnhof!4»', 'kursbuch');",
            "f = ftp(\"10.0.0.7\", \"meter\", \"«Crossbill.9»\");",
        ],
        stay: &["ftp('a')", "mysqli() expects four"],
    },
    RedactionRule {
        family: "statement",
        words: "statement:  |line 1: |query: match |sql: select |sql: merge |sql: '",
        action: RuleAction::Pattern(
            Mark::Sql,
            r"STATEMENT:  ([^\n]{8,})|(?i:sql): ((?i:select|merge)\s[^\n]{8,})|(?i:sql): '([^\n]{12,}?)'(?:\n|\z)",
        ),
        go: &["STATEMENT:  «TABLE treasury.sweep LIMIT 1»"],
        stay: &["STATEMENT: x"],
    },
    RedactionRule {
        family: "schema",
        words: "not exist|undefined name|not authorized|invalid object name|column unknown|not found \"|cannot be resolved|ambiguous|already exists|constraint error|nom d'objet|unknown column|unknown table|identifier must be declared|could not resolve|geçersiz nesne|nieprawidłowa nazwa|coluna inválido|would not be unique|group by clause",
        action: RuleAction::Code(schema::nearby),
        go: &[
            "[Teradata Database] [Error 3807] Object does not exist. '«DWP_RISK.CUST_PD»'",
            "SQL0204N  \"«CLAIMS.V_OPEN»\" is an undefined name.",
            "(Ecto.ConstraintError) constraint error: * \"«bookings_court_excl»\" (unique_constraint)",
        ],
        stay: &["the file 'a.b' does not exist", "branch 'x' already exists"],
    },
    RedactionRule {
        family: "statement",
        words: "stmt: |statement: |upsert into ",
        action: RuleAction::Pattern(
            Mark::Sql,
            r"(?i:stmt|statement): ((?:UPSERT|SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|MERGE|COPY|WITH|LOCK|TRUNCATE|CALL)\s[^\n]{6,})|UPSERT INTO [^\n]{6,}",
        ),
        go: &["stmt: «UPSERT INTO wallets (id, gold) VALUES (1, 2)»"],
        stay: &["statement: see the manual"],
    },
    RedactionRule {
        family: "digest response",
        words: "response=\"",
        action: RuleAction::Pattern(Mark::Secret, r"(?i:response)=\x22([0-9a-f]{32,64})\x22"),
        go: &["nonce=\"5c1e\", response=\"«5472ddb25f08bdc5d59d8b14d8d935d9»\""],
        stay: &["response=\"ok\""],
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
        family: "command",
        words: "net user |+login |<(echo |echo '|alter user |altuser |openssl enc|openssl aes|-setcookie ",
        action: RuleAction::Pattern(
            Mark::Password,
            r"(?i:net user) \S+ ([^\s/*]{3,})|\+login \S+ ([^\s+]{3,})|<\(echo ([^\s)]{3,})\)|echo '([^'\n]{3,64})' ?\| ?(?:kinit|cryptsetup|sudo|passwd|gpg|docker|openssl)|(?i:altuser) \S+ PASSWORD\(([^)\s]{2,})\)|openssl (?:enc|aes)[^\n]{0,60}? -K ([0-9a-fA-F]{16,})|-setcookie (\S{6,})",
        ),
        go: &[
            "C:\\> net user kiosk «Brunnen?4» /add",
            "$ echo '«Pfau.auge#71»' | kinit ada",
            "steamcmd +login build «Glut&77» +run",
        ],
        stay: &["net user list", "echo 'hello world' | wc"],
    },
    RedactionRule {
        family: "basic",
        words: "basic ",
        action: RuleAction::Pattern(
            Mark::Basic,
            r"(?i:basic) ([A-Za-z+/]*[0-9][A-Za-z0-9+/]{12,}={0,2})",
        ),
        go: &["('proxy-authorization', 'Basic «3+PZ4GBoVzNzL/thO+WNvVSk»')"],
        stay: &["Basic 2fa"],
    },
    RedactionRule {
        family: "key in bytes",
        words: "key=|key:|key'|key\"|macaroon|accounts|-iv |keypair|token-value |opc",
        action: RuleAction::Pattern(
            Mark::PrivateKey,
            r"(?i:key|opc)['\x22]?\s{0,2}(?:=>|[:=])\s{0,2}['\x22]?((?:0x)?[0-9a-fA-F]{32,128})\b|(?i:macaroon): ?([0-9a-f]{64,})|(?i:accounts)[^\n]{0,20}?(0x[0-9a-fA-F]{60,64})|-iv ([0-9a-fA-F]{16,})|(?i:keypair): ?\[(\d{1,3}(?:, ?\d{1,3}){31,})\]",
        ),
        go: &[
            "networks.accounts[0]: «0x0928e1b8a4750a293ac74c3699445a6cdf6f1f08f01204bc467280f72525209a»",
        ],
        stay: &["key: users", "accounts: 7"],
    },
    RedactionRule {
        family: "changed secret",
        words: "[redacted:password]\" -> |[redacted:secret]\" -> ",
        action: RuleAction::Pattern(
            Mark::Password,
            r"\[redacted:[a-z]+\]\x22 -> \x22([^\x22\n]{3,})\x22",
        ),
        go: &["~ { terminal_pin = \"«884102»\" -> \"«517739»\" }"],
        stay: &["[redacted:secret]\" -> null"],
    },
    RedactionRule {
        family: "network device",
        words: "enable secret |send \"|at+cpin=|at+umqtt=",
        action: RuleAction::Pattern(
            Mark::Password,
            r"(?i:enable secret) ([^\s\d]\S{5,})|send \x22([^\x22\\\n]{4,})\\r|(?i:at\+cpin)=([^\n]+)|(?i:at\+umqtt)=4,\x22[^\x22\n]*\x22,\x22([^\x22\n]+)\x22",
        ),
        go: &["enable secret «Klippa_9is»"],
        stay: &["enable secret", "send \"hello\""],
    },
    RedactionRule {
        family: "command",
        words: "sqlplus |impdp |expdp |rman |sqlldr | using |--cert |-createcredential ",
        action: RuleAction::Pattern(
            Mark::Password,
            r"(?i:sqlplus|impdp|expdp|rman|sqlldr) (?:-\w+ )*\w+/\x22?([^\s\x22@]{4,})|(?i: using) '([^'\n]+)'|(?i: using) (\w*\d\w*)\n|--cert \S+?\.(?:p12|pfx|pem):(\S+)|\[path\]:([^\s:]{4,}) --cert-type|(?i:-createcredential) \S+ \S+ (\S+)",
        ),
        go: &[
            "impdp system/«Treecreeper_61x» directory=DP",
            "CONNECT TO DSNP USER ADA USING '«M4RGR3TH»'",
        ],
        stay: &["sqlplus / as sysdba", "using 'a"],
    },
    RedactionRule {
        family: "name of a person",
        words: "first_name|last_name|firstname|lastname|given_name|family_name|surname",
        action: RuleAction::Pattern(
            Mark::Person,
            r"[A-Za-z_]+\\?['\x22]\s{0,2}[:=]>?\s{0,2}\\?['\x22]([^'\x22\\\n]{2,40})\\?['\x22]",
        ),
        go: &["{\"first_name\":\"«Rosalind»\",\"n\":1} rejected"],
        stay: &["first_name: must not be empty", "{\"last_name\":null}"],
    },
    RedactionRule {
        family: "record of a patient",
        words: "pid",
        action: RuleAction::Pattern(Mark::Person, r"PID\|([^\n]*)"),
        go: &["PID|«1||4471928^^^KH^MR||Wernicke^Adelheid»"],
        stay: &["the pid|ppid"],
    },
    RedactionRule {
        family: "person",
        words: " mr| mrs| ms| miss| mstr",
        action: RuleAction::Code(person::passenger),
        go: &["PAX «KOWALCZUK/BRONISLAWA» MRS DOC"],
        stay: &["TCP/IP MS", "INPUT/OUTPUT mr"],
    },
    RedactionRule {
        family: "person",
        words: "姓名|户名|收件人|氏名|名義|예금주|이름|성명|住所|地址|주소|生年月日|заявитель|получатель",
        action: RuleAction::Pattern(
            Mark::Person,
            r"[\x80-\xff]+?(?:\x3a|=|\xef\xbc\x9a|\x20){1,3}((?:[\xe3-\xed\xd0\xd1][\x80-\xff]+ ?){1,3})",
        ),
        go: &["户名：«欧阳静怡» 证件", "예금주: «권지수» 010"],
        stay: &["姓名 is missing"],
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
        family: "trace",
        words: " 0x0| 0x1|   0: |   1: |   2: |   3: |   4: |   5: | (at ",
        action: RuleAction::Pattern(
            Mark::Trace,
            r" 0x[0-9a-fA-F]+ ([\w$.]+\.\w+(?:\([^)\n]*\))?[^\n]{0,60}? \+ \d+)| 0x[0-9a-fA-F]+ in ([\w:<>~.*]+ \([\w.+]+\))| +\d+: ((?:[\w<>{}#]+::)+[\w<>{}#]+)| \(at ([\w./]+:\d+)\)",
        ),
        go: &[
            "0   shop  0x0001 «shop.ViewController.pay() -> () + 12»",
            "panicked\n   3: «shop_api::zone::lookup»",
            "in ParcelRow (at «DeliveryList.tsx:83»)",
        ],
        stay: &["at 0x0 in the file", "   1: std is new"],
    },
    RedactionRule {
        family: "trace",
        words: ".py:",
        action: RuleAction::Code(trace::function),
        go: &["error in «violet_worker.py:88 (charge)»"],
        stay: &["main.py:88: invalid syntax", "main.py:8 (see below)"],
    },
    RedactionRule {
        family: "pem",
        words: "ls0tls1crudjti",
        action: RuleAction::Pattern(Mark::PrivateKey, r"LS0tLS1CRUdJTiB[^D][A-Za-z0-9+/=]{16,}"),
        go: &["tls.key: «LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk1JBGE2oeTz»"],
        stay: &["LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t"],
    },
    RedactionRule {
        family: "phone",
        words: "&to=",
        action: RuleAction::Pattern(Mark::Phone, r"&to=(\d{9,15})\b"),
        go: &["GET /sms?text=hi&to=«4915774420981»"],
        stay: &["?from=1&to=20"],
    },
    RedactionRule {
        family: "name of a person",
        words: "name|guest|cardholder|nominal|display|kunde|pax ",
        action: RuleAction::Code(person::named),
        go: &[
            "not in the future name=«Wilhelmine Achterberg» NHS-No 943 476 5919",
            "Name «Kunigunde Brockhausen», card 4111111111111111",
            "{\"name\":\"«Quentin Abernathy-Ruiz»\",\"mobile\":\"+44 7700 900123\"}",
        ],
        stay: &[
            "name: Internal Server Error",
            "the name Ada Lovelace is taken",
        ],
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
        family: "join",
        words: "left join |inner join |right join |outer join |cross join |references `",
        action: RuleAction::Pattern(
            Mark::Sql,
            r"(?i:(?:left|inner|right|outer|cross) (?:outer )?join) [\w.\x22`\[\]]+ (?i:[\w]+ )?(?i:as \w+ )?(?i:on|using)[^\n]*|(?i:references) (`[^`\n]+`(?: \([^)\n]*\))?)",
        ),
        go: &[
            "LINE 9: «left join raw_shop.chargebacks cb on cb.psp_reference = r.psp_reference»",
            "FOREIGN KEY (`a`) REFERENCES «`policy_holder`»",
        ],
        stay: &["a left join of two tables", "references `a"],
    },
    RedactionRule {
        family: "login",
        words: "login |authorize |auth\" \"|simple: |-credential |bw unlock |login=|stats auth |scramble obfuscate |ident: \"",
        action: RuleAction::Pattern(
            Mark::Password,
            r"(?i:login|authorize) ([0-9a-f]{20,})\b|(?i:login)=([0-9a-f]{32,})\b|(?i:auth)\x22 \x22[^\x22\n]*\x22 \x22([^\x22\n]{6,})\x22|simple: ([^\s]{6,})|-(?i:credential) [^\n]{0,40}?'[^'\n]+' '([^'\n]+)'|bw unlock (?:--raw )?\x22([^\x22\n]+)\x22|(?i:login)=[\w.-]+:([^\s:]{3,})|stats auth [\w.-]+:(\S{3,})|scramble obfuscate (\S{6,})|(?i:ident): \x22[\w.-]+:([^\x22\n]{3,})\x22",
        ),
        go: &[
            "wandb login «d36594a9979ed0f2eada5ca6b219bbd53651cb8f»",
            "cache_peer a.example parent 3128 0 login=branch:«shingle»",
            "New-PSSession -Credential (cred 'corp\\dock' '«Bollard#4»')",
        ],
        stay: &["authorize the client", "login=ada", "simple: it works"],
    },
    RedactionRule {
        family: "person",
        words: "[redacted:email]|[redacted:phone]|[redacted:iban]|[redacted:national-id]|[redacted:card]",
        action: RuleAction::Code(person::beside),
        go: &[
            "Partner: «Joris Verhoeckx» (joris@example.com)",
            "duplicate: ada@example.com, «Ada Lovelace»",
        ],
        stay: &[
            "Invalid Request, [redacted:email]",
            "Not Found ([redacted:email])",
        ],
    },
    RedactionRule {
        family: "schema",
        words: schema::NOUNS,
        action: RuleAction::Code(schema::object),
        go: &[
            "insert violates foreign key constraint on table \"«audit_reports»\"",
            "ERROR: column \"«guardian_at»\" of relation \"«minor_profiles»\" violates not-null constraint",
            "no such column: «msg.sender» (sqlite3)",
            "E11000 duplicate key error collection: «patients.forms» index: «number_1»",
            "Invalid table name: Could not find table/view «ZFI_HIST» in schema «SAPHANADB»: SQL",
        ],
        stay: &[
            "the table on the left",
            "name 'x' is not defined",
            "line 3 column 9",
        ],
    },
    RedactionRule {
        family: "row",
        words: "key (|failing row contains (|dup key: {|sqlerrmc=|on the fields: (|constraint violated (|violated. (|\
            pipeline: [|parameters: (",
        action: RuleAction::Pattern(
            Mark::Sql,
            r"(?i:key )\(([^()\n]{1,200})\)=\(|(?i:failing row contains )\(([^\n]{1,400}?)\)(?:\.|\n|\z)|(?i:dup key: )\{([^}\n]{1,300})\}|SQLERRMC=([^,\s]{2,200})|(?i:on the fields: )\(([^)\n]{1,200})\)|(?i:constraint violated |violated\. )\(([\w.$]{3,128})\)|(?i:pipeline: )(\[[^\n]{2,400}\])|(?i:parameters: )\(([^\n]{1,300}?)\)",
        ),
        go: &[
            "DETAIL: Key («iban, tenant»)=(7, 14) already exists.",
            "Failing row contains («9914, Liselotte, null»).",
            "dup key: {« insurance: \"K7\" »}",
        ],
        stay: &["key (optional)", "the constraint was violated (twice)"],
    },
    RedactionRule {
        family: "row",
        words: ")=(",
        action: RuleAction::Pattern(
            Mark::Sql,
            r"\)=\(([^()\n]{1,300})\)(?: already exists| is (?:not|still)| conflicts)",
        ),
        go: &["Key (a)=(«ada, 7») already exists."],
        stay: &["f(x)=(y)"],
    },
    RedactionRule {
        family: "network device",
        words: "secret |password |key-string |community |key 5 |key 6 |key 7 |key 8 ",
        action: RuleAction::Pattern(
            Mark::Password,
            r"(?:secret|password|key-string|key) [0-9] (\S{6,})|community (\S{3,}) (?i:R[WO])\b|community string:? ['\x22]?([^\s'\x22]*\d[^\s'\x22]*)",
        ),
        go: &[
            "username net secret 9 «$9$0iUZtYLqBryZp5$0TYkcB1S»",
            "snmp-server community «Kabel-RW» RW",
        ],
        stay: &["the secret 9 times", "a community of users"],
    },
    RedactionRule {
        family: "option",
        words: " -u | --user | --user=|--creds |--creds=|-creds |--username | -n |/ru |--login |/user:|-user | -u\", \"|'-u', ",
        action: RuleAction::Code(commands::login),
        go: &[
            "etcdctl --user root:«Elch$Beere3» snapshot",
            "psexec -u admin -p «Kl1nik!Flur7» ipconfig",
            "net use Z: /user:KREIS\\scanner «Papier-Stau=3x»",
        ],
        stay: &["docker run -u 1000:1000 web", "sort -u file", "id -u ada"],
    },
    RedactionRule {
        family: "password hash",
        words: "aad3b435b51404ee|:::",
        action: RuleAction::Pattern(Mark::Secret, r"[0-9a-f]{32}:([0-9a-f]{32})\b"),
        go: &["svc:1104:aad3b435b51404eeaad3b435b51404ee:«c8f9aa3162e8a2c989fe9cdf5f26c403»:::"],
        stay: &["a ::: b"],
    },
    RedactionRule {
        family: "trace",
        words: " (line |raised |called from |re-raised ",
        action: RuleAction::Code(trace::called),
        go: &[
            "Exception in «Drupal\\dossier\\CaseForm->submit() (line 219 of modules/src/CaseForm.php)».",
            "«Raised by primitive operation at L.apply in file \"src/post.ml\", line 96, characters 12-25»",
        ],
        stay: &["unexpected end (line 3)", "the bar was raised again"],
    },
    RedactionRule {
        family: "person",
        words: PERSON,
        action: RuleAction::Pattern(
            Mark::Person,
            r"[^\s:=,;(]+(?: (?:name|nominal|order|customer|ref))?\x22?(?: ?[:=] ?\x22?|: | )((?:(?:[A-Z]|\xc3[\x80-\x9e])[a-z'\x80-\xff]+[ -]?(?:(?:van|de|der|von|la|del) )?){2,4}(?:\b|[a-z\x80-\xff]))",
        ),
        go: &[
            "declined for cardholder: «Ada Lovelace-Byron», retry",
            "beneficiary «Remedios Alcazar»",
        ],
        stay: &["patient records are missing", "holder: none"],
    },
    RedactionRule {
        family: "host of a cloud",
        words: host::CLOUDS,
        action: RuleAction::Code(|finder, at, _| host::inner(finder, at)),
        go: &["host=«kv-fin.vault.azure.net» is not reachable"],
        stay: &["see learn.vault.azure.net.example"],
    },
    RedactionRule {
        family: "call",
        words: "httpbasicauth(|networkcredential(|passwordauthenticator(|usernamepasswordcredential|passwordcredential(|basic auth (|basic_auth(",
        action: RuleAction::Pattern(
            Mark::Password,
            r"[A-Za-z_ ]+\(\s*(?:['\x22][^'\x22\n]{0,80}['\x22]|[^'\x22,()\n]{1,80}), *(?:['\x22]([^'\x22\n]{3,})['\x22]|([^'\x22(),\s]*\d[^'\x22(),\s]*))",
        ),
        go: &[
            "auth=HTTPBasicAuth('ada', '«hunter2»')",
            "PasswordAuthenticator(Administrator, «Otter88»)",
        ],
        stay: &["HTTPBasicAuth(user, password)"],
    },
    RedactionRule {
        family: "call",
        words: "getconnection(|__construct('|pdo('|pdo(\"",
        action: RuleAction::Pattern(
            Mark::Password,
            r"[A-Za-z_]+\([^,()\n]{1,200}, *['\x22][^'\x22\n]{0,80}['\x22], *['\x22]([^'\x22\n]{3,})['\x22]",
        ),
        go: &["DriverManager.getConnection(url, \"scott\", \"«Otter88»\")"],
        stay: &["getConnection(url, user, password)"],
    },
    RedactionRule {
        family: "authorization",
        words: "authorization', |authorization\", |authorization\",\"",
        action: RuleAction::Pattern(
            Mark::Secret,
            r"[A-Za-z]+['\x22], ?['\x22](?:(?i:basic|bearer|token) ([^'\x22\s]{6,})|([^'\x22\s]*\d[^'\x22\s]{5,}))['\x22]",
        ),
        go: &["[('proxy-authorization', 'Basic «c2VjcmV0LXRva2Vu»')]"],
        stay: &["allowed: 'authorization', 'accept'"],
    },
    RedactionRule {
        family: "passphrase",
        words: "passphrase for ",
        action: RuleAction::Pattern(
            Mark::Password,
            r"[A-Za-z]+ for [^:\n]{1,120}: ?(\S*[0-9!@#$%^&*]\S*)",
        ),
        go: &["passphrase for key 'work': «Otter88» -> bad decrypt"],
        stay: &["Enter passphrase for 'work': "],
    },
    RedactionRule {
        family: "credentials",
        words: "credentials: ",
        action: RuleAction::Pattern(Mark::Password, r"[A-Za-z]+: [^\s/]{2,40} ?/ ?(\S*\d\S*)"),
        go: &["Bad credentials: ada / «Otter88»"],
        stay: &["credentials: read/write"],
    },
    RedactionRule {
        family: "password hash",
        words: "ntlm hash|nt hash|lm hash|nthash",
        action: RuleAction::Pattern(
            Mark::Secret,
            r"[A-Za-z]+ ?[Hh]ash(?:es)?[:= ]+([0-9A-Fa-f]{32}(?::[0-9A-Fa-f]{32})?)\b",
        ),
        go: &["NTLM hash «C8F9AA3162E8A2C989FE9CDF5F26C403» not accepted"],
        stay: &["the NT hash is missing"],
    },
    RedactionRule {
        family: "mnemonic",
        words: "seed phrase|mnemonic|recovery phrase|secret phrase|backup phrase|seed words",
        action: RuleAction::Pattern(
            Mark::Password,
            r"[A-Za-z]+(?: (?:phrase|words))?['\x22]?(?: is)?[:= ]*['\x22]?([a-z]{3,8}(?: [a-z]{3,8}){11,23})\b",
        ),
        go: &[
            "invalid seed phrase: «canoe otter maple canoe otter maple canoe otter maple canoe otter maple»",
        ],
        stay: &["the mnemonic has a wrong checksum"],
    },
    RedactionRule {
        family: "constraint",
        words: "constraint (",
        action: RuleAction::Pattern(Mark::Sql, r"[A-Za-z]+ \(([\w$#]+\.[\w$#]+)\)"),
        go: &["ORA-00001: unique constraint («HR.STAFF_PK») violated"],
        stay: &["a constraint (optional)"],
    },
    RedactionRule {
        family: "postal address",
        words: "shipping address|billing address|delivery address|postal address|home address|mailing address",
        action: RuleAction::Pattern(
            Mark::Person,
            r"[A-Za-z]+ [A-Za-z]+['\x22]?[:=] ?['\x22]?(\d{1,5} [A-Z][\w.]*(?: [A-Z][\w.]*){0,4}(?:, [A-Z][\w.]*(?: [A-Z][\w.]*)*(?: \d{4,6})?)?)",
        ),
        go: &["shipping address: «14 Heron Court, Millbrook 90210» is undeliverable"],
        stay: &["shipping address: 4 lines at most"],
    },
    RedactionRule {
        family: "card code",
        words: "cvv|cvc|cvv2|cvc2",
        action: RuleAction::Pattern(
            Mark::Secret,
            r"[A-Za-z]+2?['\x22]?(?: is| was)?[:= ]+['\x22]?(\d{3,4})\b",
        ),
        go: &["cvv: «731» incorrect", "{\"cvc\":\"«4112»\"}"],
        stay: &["the cvv is missing", "cvc: 3 digits"],
    },
    RedactionRule {
        family: "markup",
        words: "password&|passwd&|pwd&|secret&|token&|api_key&|apikey&",
        action: RuleAction::Pattern(
            Mark::Password,
            r"\w+&(?:#61;|#[xX]3[dD];|equals;|gt;|(?:quot|#34|#39|apos);\s*[:=]\s*&(?:quot|#34|#39|apos);)([^&\s<]{3,})",
        ),
        go: &[
            "password&#61;«Otter88»&amp;x=1 blocked",
            "{&quot;token&quot;:&quot;«Otter88»&quot;}",
        ],
        stay: &["password&amp;user"],
    },
    RedactionRule {
        family: "license",
        words: "license key|licence key|activation code|activation key|product key|serial key|registration key|recovery code|backup code",
        action: RuleAction::Pattern(
            Mark::Secret,
            r"[A-Za-z]+ (?:[Kk]ey|[Cc]ode)s?['\x22]?(?: is| was)?[:= ]+['\x22]?([A-Z0-9]{3,8}(?:-[A-Z0-9]{3,8}){2,7}|[a-z0-9]{0,5}\d[a-z0-9]{0,5}-[a-z0-9]{4,6}|\d{8})\b",
        ),
        go: &[
            "invalid license key «7QK2P-M0UFK-PF0PU-9VQPU»",
            "recovery code «sg5vd-ogrt1» is not valid",
        ],
        stay: &["the license key is missing", "recovery code is well-formed"],
    },
    RedactionRule {
        family: "code",
        words: "one-time password |one time password |otp |totp |otp: ",
        action: RuleAction::Pattern(
            Mark::Password,
            r"[A-Za-z-]+?(?: time)?(?: password)?(?: is|:| =)? ['\x22]?(\d{4,8})\b",
        ),
        go: &["one-time password «739204» expired"],
        stay: &["the OTP has 6 digits"],
    },
    RedactionRule {
        family: "token of an id",
        words: "acl token|auth token|api token|access token|secret token|bearer token|refresh token|session token|api key|access key|secret key|secret_id|instrumentationkey=|snyk auth ",
        action: RuleAction::Pattern(
            Mark::Secret,
            r"(?:[A-Za-z]+ (?:[Tt]oken|[Kk]ey)(?: is|:| =)? |secret_id['\x22]?[:=] ?|InstrumentationKey=|snyk auth )['\x22]?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b",
        ),
        go: &["ACL token «03e504a8-757a-4c88-afa9-8373373d8778» not found"],
        stay: &["the API key is 36 characters long"],
    },
    RedactionRule {
        family: "key of a service",
        words: "sonar.login=|sonar.token=|'key' => '|\"key\" => \"",
        action: RuleAction::Pattern(
            Mark::Secret,
            r"sonar\.\w+=(\w{8,})|.key. => .((?:base64:)?[0-9A-Za-z+/=]{32,})",
        ),
        go: &[
            "sonar.login=«e1fbf793f9238f7a92d75b7f» Not authorized",
            "'crypt' => ['key' => '«ffe75f8aa68bd15bcee54157994d2229»']",
        ],
        stay: &["'key' => 'name'"],
    },
    RedactionRule {
        family: "option",
        words: "--token, |--password, |--secret, |--api-key, |--passwd, |--auth-token, |--access-token, |--client-secret, ",
        action: RuleAction::Pattern(Mark::Password, r"--[a-z-]+, ([^\s,\]-][^\s,\]]{2,})"),
        go: &["exec [deploy, --token, «Otter88», prod] exited with 127"],
        stay: &["pass --token, --user or both"],
    },
    RedactionRule {
        family: "command",
        words: "htpasswd -|vault login |sudo -s|echo |openssl enc|ssh-keygen |xfreerdp |expdp |impdp |password('|cred=|creds=|login |\
            auth-user-pass|parameterkey|chpasswd|password→|token→|secret→",
        action: RuleAction::Pattern(
            Mark::Password,
            r"htpasswd -\w*b\w* \S+ \S+ (\S{3,})|vault login (?:-no-print )?([\w.]*\d[\w.]{6,})|sudo -S[^\n|<]{0,60}<<< ?['\x22]?([^\s'\x22]{3,})|echo ['\x22]?([^\s'\x22|]{3,64})['\x22]? ?\| ?(?:sudo -S|docker login|kinit|cryptsetup|gpg )|openssl enc[^\n]{0,80}? -k ([^\s-]\S{2,})|ssh-keygen [^\n]{0,120}?-[NP] ['\x22]?([^\s'\x22-][^\s'\x22]{2,})|xfreerdp [^\n]{0,200}?/p:(\S{3,})|(?:expdp|impdp) \w+/([^\s@/]{3,})|(?i:password)\('([^'\n]{3,})'\)|(?i:creds?=|login |auth-user-pass:? )\w+[:/]([^\s/:]*\d[^\s/:]*)|(?i:parameterkey)['\x22]?[:=] ?['\x22]?\w*(?i:password|secret|token|passwd|pwd)\w*['\x22]?, ?['\x22]?ParameterValue['\x22]?[:=] ?['\x22]?([^'\x22,}\s]{3,})|chpasswd[^\n]{0,30}? \w+:([^\s:]{3,})|\w+\xe2\x86\x92([^\s]{3,})",
        ),
        go: &[
            "htpasswd -b file ada «hunter2»",
            "vault login «s3cr3tt0ken77»",
            "sudo -S <<< «hunter2» ls",
            "echo «hunter2» | docker login --password-stdin",
            "openssl enc -aes-256-cbc -k «hunter2»",
            "ssh-keygen -N «hunter2» -f key",
            "SET PASSWORD FOR 'root' = PASSWORD('«hunter2»')",
            "{\"ParameterKey\":\"DBPassword\",\"ParameterValue\":\"«hunter2»\"}",
            "cred=ada:«hunter2»",
        ],
        stay: &[
            "echo 1 | sudo tee x",
            "vault login -method=userpass",
            "ssh-keygen -t ed25519 -f key",
        ],
    },
    RedactionRule {
        family: "opaque word",
        words: opaque::WORDS,
        action: RuleAction::Code(opaque::find),
        go: &[
            "WRONGPASS invalid pair for default «tgmg2H3mMe8zlQ»",
            "masterauth «95RswRiQLb8HnE» is refused",
        ],
        stay: &[
            "OAuth2LoginAuthenticationFilter: authentication failed",
            "login failed, request id req7Hh2Kq9Zx1",
        ],
    },
    RedactionRule {
        family: "number of a person",
        words: "account number|account no|routing number|routing |tax id|driver's license|drivers license|driver license|license number",
        action: RuleAction::Pattern(
            Mark::Person,
            r"[A-Za-z']+(?: [A-Za-z]+)?[.:# =]*['\x22]?([A-Z]?\d[\d -]{6,20}\d)(?: account (\d{6,17}))?\b",
        ),
        go: &[
            "bank account number «000123456789» closed",
            "tax id «12-3456789» invalid",
        ],
        stay: &["the account number is missing", "routing 3 requests"],
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

/// Nouns that the name of a person follows.
const PERSON: &str = "cardholder|card holder|account holder|accountholder|kontoinhaber|titular|claimant|beneficiary|beneficiaria|\
    beneficiario|patient|guest=|salariée|holder:|holder=|cdtr=|dbtr=|contact=|passenger|partner:|intestatario|holdername|<nm>|versicherte:|customer name|insured|policyholder|\
    tenant name|customer name|customer:|employee:|recipient:|full_name|fullname|full name|pupil|member |assuré|nome=|mieter|passenger|氏名|姓名|titulaire|versicherte|salarié|first_name|last_name|\
    given_name|family_name|billing name|name on card";

/// Words of systems that keep data sets: the names of these are in capitals, with dots between their parts.
const DATA_SETS: &str =
    "data set|dataset|dsn=|dsname|vsam|abend|iec1|ikj5|igz0|igd1|iefc|idc3|jes2|dfhac";

#[cfg(test)]
mod tests {
    use super::super::Redactor;
    use super::RULES;

    /// The parts of an example that must go, and the example without its quotes.
    fn planted(example: &str) -> (Vec<&str>, String) {
        let mut gone = Vec::new();
        let mut parts = example.split('«');
        let mut plain = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (secret, rest) = part.split_once('»').expect("quotes are closed");
            gone.push(secret);
            plain.push_str(secret);
            plain.push_str(rest);
        }
        (gone, plain)
    }

    #[test]
    fn every_example_goes_or_stays() {
        let redactor = Redactor::client();
        let mut wrong = Vec::new();
        for rule in RULES {
            assert!(
                rule.words.split('|').all(|word| word.len() > 1),
                "{}",
                rule.words
            );
            assert!(
                !rule.go.is_empty() && !rule.stay.is_empty(),
                "{} has no examples",
                rule.family
            );
            for example in rule.go {
                let (gone, plain) = planted(example);
                let clean = redactor.text(&plain);
                if gone.iter().any(|secret| clean.contains(secret)) || clean == plain {
                    wrong.push(format!("{}: {plain:?} became {clean:?}", rule.family));
                }
            }
            for plain in rule.stay {
                let clean = redactor.text(plain);
                if clean != *plain {
                    wrong.push(format!("{}: {plain:?} became {clean:?}", rule.family));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
