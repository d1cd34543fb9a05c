//! Keys, tokens and passwords by their form or by the words around them.

use super::super::mark::Mark;
use super::super::{auth, commands, field, opaque, pem, shapes};
use super::{RedactionRule, RuleAction};

pub(super) const RULES: &[RedactionRule] = &[
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
        family: "digest response",
        words: "response=\"",
        action: RuleAction::Pattern(Mark::Secret, r"(?i:response)=\x22([0-9a-f]{32,64})\x22"),
        go: &["nonce=\"5c1e\", response=\"«5472ddb25f08bdc5d59d8b14d8d935d9»\""],
        stay: &["response=\"ok\""],
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
        family: "pem",
        words: "ls0tls1crudjti",
        action: RuleAction::Pattern(Mark::PrivateKey, r"LS0tLS1CRUdJTiB[^D][A-Za-z0-9+/=]{16,}"),
        go: &["tls.key: «LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk1JBGE2oeTz»"],
        stay: &["LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t"],
    },
    RedactionRule {
        family: "password hash",
        words: "aad3b435b51404ee|:::",
        action: RuleAction::Pattern(Mark::Secret, r"[0-9a-f]{32}:([0-9a-f]{32})\b"),
        go: &["svc:1104:aad3b435b51404eeaad3b435b51404ee:«c8f9aa3162e8a2c989fe9cdf5f26c403»:::"],
        stay: &["a ::: b"],
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
        words: "credentials: |contents: |user/pass: ",
        action: RuleAction::Pattern(Mark::Password, r"[A-Za-z/]+: [^\s/]{2,40} ?/ ?(\S*\d\S*)"),
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
        words: "one-time password |one time password |otp |totp |otp: |pin is |pin code |pin: |pin=",
        action: RuleAction::Pattern(
            Mark::Password,
            r"[A-Za-z-]+?(?: time)?(?: password| code)?(?: is|:|=| =)? ?['\x22]?(\d{4,8})\b",
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
        family: "private key",
        words: "mii|mighagea|mhccaqee|mhqcaqee|mc4caqaw|migkageb|mihcageb",
        action: RuleAction::Pattern(
            Mark::PrivateKey,
            r"(?:MII[A-Za-z0-9+/]{2}[AQgw]IBA|MIGHAgEA|MHcCAQEE|MHQCAQEE|MC4CAQAw|MIGkAgEB|MIHcAgEB)[A-Za-z0-9+/=_-]{24,}",
        ),
        go: &["no PEM data in key input: \"«MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0w9t9NfD90Yj»\""],
        stay: &["MIIDxTCCAq is how a certificate begins"],
    },
    RedactionRule {
        family: "token of an id",
        words: "token ",
        action: RuleAction::Pattern(
            Mark::Secret,
            r"(?i:token) ['\x22]?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b",
        ),
        go: &["error querying Consul, token «676ce69c-4a73-451b-8899-ca6300300679»: 403"],
        stay: &["the token has 36 characters"],
    },
    RedactionRule {
        family: "address with a token",
        words: "/reset/|reset-password/|password/reset/|/reset_password/|/invite/|/invitation/|/invitations/|/magic/|/magic-link/|/verify/|/confirm/|/activate/|\
            /activation/|/hook/|/hooks/|/webhook/|/webhooks/|/in/|/unsubscribe/|/token/|/tokens/|/unlock/|/sso/|/share/|/shared/|/ingest/|/feed/|/ical/|/calendar/",
        action: RuleAction::Pattern(
            Mark::Secret,
            r"/[a-z_/-]+/((?:[A-Za-z_-]{0,40}\d){4}[A-Za-z0-9_-]{8,})",
        ),
        go: &[
            "\"resetUrl\":\"https://app.example.com/reset/«ad8e85ba321d2febbac03893862a9bf25f09c0695b5580ba»\"",
        ],
        stay: &["/reset/password", "GET /hooks/42 returned 404"],
    },
    RedactionRule {
        family: "signature",
        words: "v1=|v0=",
        action: RuleAction::Pattern(Mark::Signature, r"v[01]=([0-9a-f]{64})\b"),
        go: &[
            "header=t=1741859921,v1=«841857d6bca2359b20f99a586bb77de7e7d53283e2f75798404b93e78995d53f»",
        ],
        stay: &["v1=1.2.3"],
    },
    RedactionRule {
        family: "address with a password",
        words: "//",
        action: RuleAction::Pattern(
            Mark::Password,
            r"//[^\s:/@'\x22\[\]]{1,64}:((?:\d*[^\s'\x22@/\d][^\s'\x22@]{1,126}))@[\w\[]",
        ),
        go: &["from string 'mysql+pymysql//billing:«Elk_Rapids#58»@10.0.7.81/billing'"],
        stay: &["https://registry.example:443/@scope/pkg"],
    },
    RedactionRule {
        family: "address with a password",
        words: "dsn=|dsn: |dsn\":",
        action: RuleAction::Pattern(
            Mark::Password,
            r"(?i:dsn)\\?['\x22]?[:=] ?\\?['\x22]?[\w.-]{1,64}:([^\s'\x22@/]{3,}|[^\s'\x22@]{3,}[#/?][^\s'\x22@]*)@\w",
        ),
        go: &["unknown dsn=\"tickets:«Fahr!schein#66»@tpc(10.31.2.19:3306)/tickets\""],
        stay: &["dsn=sqlite:memory"],
    },
    RedactionRule {
        family: "token of an id",
        words: "token|password |api key|apikey|secret ",
        action: RuleAction::Code(opaque::uuid),
        go: &[
            "The Server Token you provided was invalid (\"«b8d1c4f0-2e9a-4d57-a3c6-7f10e5b92d84»\")",
            "login ci password «e7b1fa92-dc3e-0846-7c1d-9f0f4ab28d60»",
        ],
        stay: &[
            "the token of request b8d1c4f0-2e9a-4d57-a3c6-7f10e5b92d84 expired",
            "token id b8d1c4f0-2e9a-4d57-a3c6-7f10e5b92d84",
            "TOKEN_INVALID: Invalid confirmation token [b8d1c4f0-2e9a-4d57-a3c6-7f10e5b92d84]",
        ],
    },
    RedactionRule {
        family: "state of a login",
        words: "state=|ticket=|samlresponse=|relaystate=|nonce=",
        action: RuleAction::Pattern(
            Mark::Secret,
            r"(?i:state|ticket|samlresponse|relaystate)=([A-Za-z_-]*\d[\w%.~-]{7,})",
        ),
        go: &["GET /oauth/callback?state=«xTq9LwZ0vRkY» returned 400"],
        stay: &["state=running", "?state=open"],
    },
    RedactionRule {
        family: "address with a password",
        words: "@tcp(|@unix(|@tpc(|@udp(",
        action: RuleAction::Code(field::before_network),
        go: &["param value? tickets:«v1nyl/Orchid?»@tcp(172.30.9.14:3306)/tickets"],
        stay: &["name@tcp(x"],
    },
    RedactionRule {
        family: "quoted secret",
        words: "secret was |secret is |with secret |using secret |signing secret |webhook secret |shared secret |jwt secret |hmac secret ",
        action: RuleAction::Pattern(
            Mark::Secret,
            r"[A-Za-z]+ [a-z]+:? ['\x22]([^'\x22\s]{6,})['\x22]",
        ),
        go: &[
            "verify with secret \"«c4d1-please-rotate-Brook»\" alg HS256",
            "mismatch, secret was \"«octo-hook-Pelican»\"",
        ],
        stay: &[
            "secret \"db-credentials\" not found",
            "the secret is missing",
        ],
    },
    RedactionRule {
        family: "quoted secret",
        words: "password...|secret...|token...|passwd...|storage[\"|storage['|334 |/private-",
        action: RuleAction::Pattern(
            Mark::Secret,
            r"(?i:password|passwd|secret|token)\.{3,}([^\s;<*.][^\s;]{2,})|(?i:storage)\[['\x22][^'\x22\n]*(?i:auth|token|session|jwt|refresh)[^'\x22\n]*['\x22]\] ?= ?['\x22]([^'\x22\n]{6,})|334 [A-Za-z0-9+/=]*\s+[<>CS:\s-]{0,4}([A-Za-z0-9+/]{8,}={0,2})(?:\s|\z)|/private-([0-9a-f]{16,})",
        ),
        go: &[
            "configuration: password.........«Kassensturz,88»; x",
            "localStorage[\"auth.refresh\"]=\"«ab12f0200b58c66c4d8e»\"",
            ">> AUTH LOGIN\n<< 334 UGFzc3dvcmQ6\n>> «U3RlaW5waWx6X2ltX1dhbGQ=»\n<< 454",
        ],
        stay: &["password.........<masked>", "a token...", "334 files"],
    },
    RedactionRule {
        family: "ticket",
        words: "tgt-|pgt-|pgtiou-|st-1|st-2|st-3|st-4|st-5|st-6|st-7|st-8|st-9",
        action: RuleAction::Pattern(
            Mark::Secret,
            r"(?:ST|TGT|PGT|PGTIOU)-\d+-[A-Za-z0-9._-]{12,}",
        ),
        go: &["Ticket not recognized '«ST-88120-QzVw7LxKm2Tn9RbYpMs-cas4»'"],
        stay: &["test-1-of-a-longer-suite"],
    },
    RedactionRule {
        family: "key in an address",
        words: "?key=|&key=|?auth=|&auth=|?hash=|&hash=|?k=|&k=|?t=|&t=|?h=|&h=|?tok=|&tok=|encrypt=|stringval(",
        action: RuleAction::Pattern(
            Mark::Secret,
            r"[?&][a-z]+=([A-Za-z_-]*\d[\w%.~+-]{14,})|(?i:encrypt)=\\?['\x22]([A-Za-z0-9+/]{20,}={0,2})|StringVal\(\\?\x22([^\x22\\\n]{6,})\\?\x22\)",
        ),
        go: &[
            "/api/v1/sites?key=«SOLQ7VXKM2LT9RNYB4MSPDCGFHJ»]: received",
            "invalid key size 15 encrypt=\"«pUqJrVyVRj5jsiYEkM/tFQ»\"",
            "was cty.StringVal(\"«atp-91c0-f5e8-wald»\"), but now",
        ],
        stay: &["?key=name&t=12"],
    },
];
