//! Passwords where a command, a call or a form takes them.

use super::super::mark::Mark;
use super::super::{commands, field};
use super::{RedactionRule, RuleAction};

pub(super) const RULES: &[RedactionRule] = &[
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
        family: "command",
        words: "net user |+login |<(echo |echo '|echo \"|alter user |altuser |openssl enc|openssl aes|-setcookie ",
        action: RuleAction::Pattern(
            Mark::Password,
            r"(?i:net user) \S+ ([^\s/*]{3,})|\+login \S+ ([^\s+]{3,})|<\(echo ([^\s)]{3,})\)|echo ['\x22]([^'\x22\n]{3,64})['\x22] ?\| ?(?:kinit|cryptsetup|sudo|passwd|gpg|docker|openssl)|(?i:altuser) \S+ PASSWORD\(([^)\s]{2,})\)|openssl (?:enc|aes)[^\n]{0,60}? -K ([0-9a-fA-F]{16,})|-setcookie (\S{6,})",
        ),
        go: &[
            "C:\\> net user kiosk «Brunnen?4» /add",
            "$ echo '«Pfau.auge#71»' | kinit ada",
            "steamcmd +login build «Glut&77» +run",
        ],
        stay: &["net user list", "echo 'hello world' | wc"],
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
            r"(?i:sqlplus|impdp|expdp|rman|sqlldr) (?:-\w+ )*\w+/\x22?([^\s\x22@]{4,})|(?i: using) '([^'\n]+)'|(?i: using) (\w*\d\w*)(?:\n|\z)|--cert \S+?\.(?:p12|pfx|pem):(\S+)|\[path\]:([^\s:]{4,}) --cert-type|(?i:-createcredential) \S+ \S+ (\S+)",
        ),
        go: &[
            "impdp system/«Treecreeper_61x» directory=DP",
            "CONNECT TO DSNP USER ADA USING '«M4RGR3TH»'",
        ],
        stay: &["sqlplus / as sysdba", "using 'a"],
    },
    RedactionRule {
        family: "login",
        words: "login |authorize |auth\" \"|simple: |-credential |bw unlock |login=|stats auth |stat auth |scramble obfuscate |ident: \"",
        action: RuleAction::Pattern(
            Mark::Password,
            r"(?i:login|authorize) ([0-9a-f]{20,})\b|(?i:login)=([0-9a-f]{32,})\b|(?i:auth)\x22 \x22[^\x22\n]*\x22 \x22([^\x22\n]{6,})\x22|simple: ([^\s]{6,})|-(?i:credential) [^\n]{0,40}?'[^'\n]+' '([^'\n]+)'|bw unlock (?:--raw )?\x22([^\x22\n]+)\x22|(?i:login)=[\w.-]+:([^\s:]{3,})|stats? auth [\w.-]+:(\S{3,})|scramble obfuscate (\S{6,})|(?i:ident): \x22[\w.-]+:([^\x22\n]{3,})\x22",
        ),
        go: &[
            "wandb login «d36594a9979ed0f2eada5ca6b219bbd53651cb8f»",
            "cache_peer a.example parent 3128 0 login=branch:«shingle»",
            "New-PSSession -Credential (cred 'corp\\dock' '«Bollard#4»')",
        ],
        stay: &["authorize the client", "login=ada", "simple: it works"],
    },
    RedactionRule {
        family: "network device",
        words: "secret |password |key-string |community |key 5 |key 6 |key 7 |key 8 ",
        action: RuleAction::Pattern(
            Mark::Password,
            r"(?:secret|password|key-string|key) [0-9] (\S{6,})|community (\S{3,}) (?i:R[WO])\b|community string:? ['\x22]?([^\s'\x22]*\d[^\s'\x22]*)|community ['\x22]([^'\x22\n]{3,})['\x22]",
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
        family: "password of an application",
        words: "pass: '|pass\":|pass': |pass=|login \"|login '|app password|smtp_pass",
        action: RuleAction::Pattern(
            Mark::Password,
            r"[A-Za-z_ ]+[^\n]{0,60}?\b([a-z]{4}[ -][a-z]{4}[ -][a-z]{4}[ -][a-z]{4})(?:\b|\z)",
        ),
        go: &[
            "auth: { user: 'x', pass: '«ykqh tzwb mvle pxrd»' }",
            "a1 LOGIN \"ops\" \"«qjdw-unva-xkre-tlmo»\"",
        ],
        stay: &["pass: 'it will work'"],
    },
    RedactionRule {
        family: "cell",
        words: "</td>|</th>|</dt>|</b>|</strong>|</span>",
        action: RuleAction::Code(field::cell),
        go: &[
            "<td>SECRET_KEY</td><td class=\"code\"><pre>«tv6uwlu50ue30w1fqolv8m328zqnyype»</pre></td>",
        ],
        stay: &["<td>SECRET_KEY</td><td></td>", "<b>password</b> is wrong"],
    },
    RedactionRule {
        family: "given value",
        words: "input_value=|input=|rejected value [|rejected value: ",
        action: RuleAction::Code(field::given),
        go: &[
            "1 validation error for Signup\npassword\n  too weak [type=value_error, input_value='«kitten12»', input_type=str]",
        ],
        stay: &["count\n  not a number [type=int, input_value='x', input_type=str]"],
    },
    RedactionRule {
        family: "option",
        words: " -p|'-p|\"-p|[-p",
        action: RuleAction::Code(field::attached),
        go: &["with arguments 'a -p«Quoin#Adder41» out.7z'"],
        stay: &["docker run -p8080:80", "gcc -pthread -pipe"],
    },
    RedactionRule {
        family: "call",
        words: "login(|log_in(|authenticate(|simple_bind(|simple_bind_s(|sign_in(|signin(|execute_kw(|connect(\"|connect('|auth(\"|auth('",
        action: RuleAction::Pattern(
            Mark::Password,
            r"authenticate\(['\x22][^'\x22\n]{1,80}['\x22], ?['\x22][^'\x22\n]{1,80}['\x22], ?['\x22]([^'\x22\n]{3,})['\x22]|(?i:log_?in|authenticate|simple_bind(?:_s)?|sign_?in|auth)\(['\x22][^'\x22\n]{1,80}['\x22], ?['\x22]([^'\x22\n]{3,})['\x22]\)|execute_kw\(['\x22][^'\x22\n]*['\x22], ?\d+, ?['\x22]([^'\x22\n]{3,})['\x22]|connect\(['\x22][^'\x22\n]{1,80}['\x22], ?['\x22][^'\x22\n]{1,80}['\x22], ?['\x22]([^'\x22\n]{3,})['\x22]",
        ),
        go: &[
            "while login(\"ops\", \"«Apotheke*Post19»\")",
            "models.execute_kw('shop', 7, '«nockenwelle-21»', 'res.partner')",
        ],
        stay: &["login(\"name\")", "connect('a', 'b')"],
    },
    RedactionRule {
        family: "given value",
        words: "\"loc\":[|\"loc\": [",
        action: RuleAction::Code(field::located),
        go: &["{\"loc\":[\"body\",\"password\"],\"msg\":\"too short\",\"input\":\"«eule»\"}"],
        stay: &["{\"loc\":[\"body\",\"count\"],\"msg\":\"not a number\",\"input\":\"x\"}"],
    },
    RedactionRule {
        family: "login",
        words: "login incorrect|login ok|nsupdate |hmac-|secrets:|davfs|user |auth-user-pass",
        action: RuleAction::Pattern(
            Mark::Password,
            r"(?i:login (?:incorrect|ok))[^\n]{0,120}?\[[\w.@\\-]+/([^\]\n]{3,})\]|nsupdate [^\n]{0,40}?-y [^\s]*?:([A-Za-z0-9+/=]{12,})|secrets:[^\n]{0,20}?https?://\S+\s+\S+\s+(\S{4,})|(?i:user) \S+ (?i:using) (\S{3,})",
        ),
        go: &[
            "Login incorrect: [hkrause/«Fensterbrett5»] (from client ap2 port 0)",
            "nsupdate -y hmac-sha256:dhcp:«b0RxTq9LwZ3RbYmN5dJpPsHcG1FaUe7=»",
            "connect to LOHN user lohnadm using «Brutto4Netto»",
        ],
        stay: &["login ok", "the user is using"],
    },
    RedactionRule {
        family: "login",
        words: "auth|digest|creds|cred|login|logon|userpass|credentials",
        action: RuleAction::Code(commands::pair),
        go: &[
            "addauth digest kafka:«tierpfleger_22»",
            "stat auth operator:«Luftpumpe-blau»",
        ],
        stay: &["auth failed: timeout", "auth sha256:abc"],
    },
    RedactionRule {
        family: "given value",
        words: "property: ",
        action: RuleAction::Code(field::property),
        go: &["Property: spring.datasource.password\n    Value: \"«Ortolan9»\"\n    Reason: x"],
        stay: &["Property: server.port\n    Value: \"x\""],
    },
    RedactionRule {
        family: "given value",
        words: "value 'code'|value 'password'|value 'token'|value 'pin'|value 'api_key'|value 'secret'|field 'password'|for password|for 'password'",
        action: RuleAction::Pattern(
            Mark::Password,
            r"(?:[a-z]+) '?[a-z_]+'?[^\n'\x22]{0,20} got:? ['\x22]([^'\x22\n]{3,})['\x22]",
        ),
        go: &["expected int for dictionary value 'code', got \"«7294-kittens»\""],
        stay: &["value 'code' is missing"],
    },
];
