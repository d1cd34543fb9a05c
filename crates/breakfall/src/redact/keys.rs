//! Names that say their value is a secret: `password`, `apiKey`, `X-Api-Key`, `secret_key_base`, `keystorePass`.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::bytes::{LengthFilter, WordSet};
use super::mark::Mark;

/// The kind of value that a key announces, and the proof the value still needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct KeyMeaning {
    pub(super) mark: Mark,
    pub(super) force: ValueProof,
    /// Whether the name is more than one word that a sentence may hold too: `client_secret`, and not `token`.
    pub(super) is_compound: bool,
}

/// What a value must look like to be redacted when the name stands in prose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueProof {
    /// Anything: `password=` is always followed by one.
    Any,
    /// Something with a digit in it, or long: `token: expired` is a sentence.
    Mixed,
}

use ValueProof::{Any, Mixed};

/// One row of the table.
struct SecretNames {
    mark: Mark,
    force: ValueProof,
    place: NamePlace,
    names: &'static str,
}

/// Where in a longer name the words of a row count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NamePlace {
    /// The last words of it: `x_auth`.
    Last,
    /// The end of it, also of one written together: `dbpassword`.
    End,
    /// The last words of it before `key`.
    Opener,
}

impl SecretNames {
    /// Its names as they are written.
    fn all(&self) -> impl Iterator<Item = String> + use<> {
        let tail = if self.place == NamePlace::Opener {
            "_key"
        } else {
            ""
        };
        let names: &'static str = self.names;
        names
            .split_ascii_whitespace()
            .map(move |name| format!("{name}{tail}"))
    }
}

const fn row(mark: Mark, force: ValueProof, place: NamePlace, names: &'static str) -> SecretNames {
    SecretNames {
        mark,
        force,
        place,
        names,
    }
}

/// Every name of a secret. Words are joined by `_`, whatever joins them in a text.
const NAMES: &[SecretNames] = &[
    row(
        Mark::Password,
        Any,
        NamePlace::End,
        "password pasword passowrd passwrod passwd paswd passwort kennwort passphrase passcode pwd pswd passwrd contrasena senha wachtwoord losenord adgangskode \
         salasana parola lozinka heslo",
    ),
    row(
        Mark::Password,
        Any,
        NamePlace::Last,
        "pass_word pass_phrase passord wachtzin passwort_hash pw passw psw haslo jelszo sifre mot_de_passe motdepasse mdp bindpw rootpw wpa_psk psk pre_shared_key presharedkey preshared_key \
         seed_phrase recovery_phrase mnemonic mnemonic_phrase",
    ),
    row(
        Mark::Password,
        Mixed,
        NamePlace::Last,
        "otp totp pin pin_code one_time_code verification_code recovery_code recovery_codes backup_code backup_codes mfa_code \
         two_factor_code passkey clave proxy_pass",
    ),
    row(
        Mark::Secret,
        Any,
        NamePlace::End,
        "client_secret clientsecret secret_key_base app_secret secret_access_key",
    ),
    row(
        Mark::Secret,
        Mixed,
        NamePlace::End,
        "secret token secretkey accesskey authkey accountkey credential credentials",
    ),
    row(
        Mark::Secret,
        Mixed,
        NamePlace::Last,
        "auth authorization auth_code authorization_code bearer code_verifier client_assertion refresh_tok access_tok creds \
         hmac_secret salt pepper seed keytab storage_sas sas sas_key license_code licence_code authtoken clave_secreta chave_secreta cle_secrete klucz_tajny contrasenya hash_key api_schluessel segredo segredo_cliente cle_api geheimnis fernet signing_salt secret_id macaroon auth_ident session_keys api_keys secret_keys signing_keys encryption_keys access_keys access_tokens api_tokens refresh_tokens routing_key activationkey basic_auth secrets",
    ),
    row(
        Mark::Signature,
        Mixed,
        NamePlace::Last,
        "signature hmac sig",
    ),
    row(Mark::ApiKey, Mixed, NamePlace::End, "apikey apitoken"),
    row(Mark::Jwt, Mixed, NamePlace::Last, "jwt id_jwt jwt_token"),
    row(
        Mark::PrivateKey,
        Mixed,
        NamePlace::End,
        "privatekey privkey",
    ),
    row(
        Mark::PrivateKey,
        Mixed,
        NamePlace::Last,
        "priv_key private_exponent",
    ),
    row(
        Mark::Cookie,
        Mixed,
        NamePlace::End,
        "sessionid sessid jsessionid phpsessid",
    ),
    row(
        Mark::Cookie,
        Mixed,
        NamePlace::Last,
        "cookie cookies connect_sid session_id session sid asp_net_sessionid aspxauth laravel_session csrf xsrf csrftoken",
    ),
    row(
        Mark::NationalId,
        Mixed,
        NamePlace::Last,
        "ssn social_security_number national_id tax_id passport_number",
    ),
    row(Mark::Card, Mixed, NamePlace::End, "creditcard cardnumber"),
    row(
        Mark::Card,
        Mixed,
        NamePlace::Last,
        "credit_card card_number card_no cvv cvc cvv2 cvc2",
    ),
    // What a key opens. Without such a word a key sorts, caches or names.
    row(Mark::ApiKey, Mixed, NamePlace::Opener, "api"),
    row(
        Mark::PrivateKey,
        Mixed,
        NamePlace::Opener,
        "private priv rsa ssh ecdsa ed25519 pgp gpg pem",
    ),
    row(
        Mark::Secret,
        Mixed,
        NamePlace::Opener,
        "access account admin aes app application auth consumer deploy encryption encrypt decryption cipher crypto hmac ingest \
         ingestion integration jwt jws jwe license licence activation product master root secret security server service \
         session shared signing sign storage subscription webhook write wrapping unseal recovery sas vapid wireguard \
         stripe sendgrid openai anthropic twilio mailgun datadog newrelic algolia maps authentication authorization \
         symmetric password pass local device client bot sender fcm network nwk_s app_s transaction validation decryption auto_register",
    ),
];

/// Words behind the name of a secret that leave it one: `secret_key_base`, `password_confirmation`.
const STILL: &str = "value values base confirmation confirm repeat again old new current previous next prev plain plaintext cleartext \
                     raw string text b64 base64 hex encoded encrypted enc hash hashed sha2 sha256 digest prod production dev test testing \
                     staging live primary secondary main backup default env var data header param arg override field1 \
                     rw ro readonly admin user root db db1 master slave replica internal external public2 main2 bytes literal";

/// Words behind the name of a secret that say something of it: `password_policy`, `token_count`.
const ABOUT: &str = "policy length len min max required expires expired expiry expiration expire at age url uri endpoint path file \
                     filename field input label hint type format kind name id ids count limit strength attempts retries \
                     changed updated reset set enabled disabled valid invalid error errors message status history rotation days \
                     checked manager provider store version prompt method encoder algorithm alg rules placeholder validation \
                     mismatch missing needed must is too not wrong incorrect less free protected based authentication grant login \
                     ref reference mode protocol scheme service server source index arn issuer audience scope scopes class \
                     used usage budget size budgets limits rate price cost total remaining timestamp ttl time date";

/// Names that end like a secret but are harmless: they page through results, name a call, or are words of a model.
const EXEMPT: &str = "page_token pagetoken next_token nexttoken continuation_token sync_token cursor_token skip_token idempotency_token \
                      client_request_token eos_token bos_token pad_token unk_token stop_token progress_token mask_token sep_token \
                      cls_token publishable_key public_key cwd pycwd unexpected_token next_page_token prev_page_token start_token end_token \
                      bypass compass trespass random_seed access_key_id key_id";

static STILL_WORDS: WordSet = WordSet::new(STILL);
static ABOUT_WORDS: WordSet = WordSet::new(ABOUT);
static EXEMPT_WORDS: WordSet = WordSet::new(EXEMPT);

/// Names in which a password is called so in other languages and scripts. No letter of theirs is one of a name of a variable.
pub(super) const SPOKEN: &[&str] = &[
    "contraseña",
    "CONTRASEÑA",
    "mot de passe",
    "hasło",
    "jelszó",
    "şifre",
    "lösenord",
    "パスワード",
    "シークレット",
    "トークン",
    "密钥",
    "密鑰",
    "시크릿",
    "토큰",
    "секрет",
    "токен",
    "clé secrète",
    "clé secrete",
    "parola d'ordine",
    "kata sandi",
    "netzwerkschlüssel",
    "clé de sécurité",
    "geheimer schlüssel",
    "秘密鍵",
    "ключ доступа",
    "clé d'API",
    "adgangskode til",
    "klucz tajny",
    "palavra-passe",
    "clave secreta",
    "chave secreta",
    "暗証番号",
    "пин-код",
    "ПИН-код",
    "密码",
    "密碼",
    "口令",
    "пароль",
    "비밀번호",
    "암호",
    "סיסמה",
    "รหัสผ่าน",
    "mật khẩu",
    "पासवर्ड",
    "كلمة المرور",
    "κωδικός",
];

/// The words that a search for names has to look for: each name of the table holds one.
pub(super) fn triggers() -> Vec<&'static str> {
    let mut words: Vec<&str> = Vec::new();
    for row in NAMES.iter().filter(|row| row.place != NamePlace::Opener) {
        for name in row.names.split_ascii_whitespace() {
            let parts = name.split('_');
            words.extend(parts.max_by_key(|part| part.len()));
        }
    }
    words.extend(["key", "pass", "_confirmation", "_quota_continue"]);
    words.sort_unstable_by_key(|word| word.len());
    let mut kept: Vec<&str> = Vec::new();
    for word in words {
        // One that holds another is found with it.
        if !kept.iter().any(|short| word.contains(short)) {
            kept.push(word);
        }
    }
    kept
}

/// What the value of a key is, if the key says so.
pub(super) fn kind(name: &str) -> Option<Mark> {
    named(name.as_bytes()).map(|named| named.mark)
}

/// The same of bytes. The last words of a name decide, however they are joined.
pub(super) fn named(name: &[u8]) -> Option<KeyMeaning> {
    if matches!(name, b"_confirmation" | b"_quota_continue") {
        return Some(KeyMeaning {
            mark: Mark::Secret,
            force: Mixed,
            is_compound: true,
        });
    }
    if !name.is_ascii()
        && let Ok(name) = str::from_utf8(name)
    {
        let name = name.to_lowercase();
        let spoken = SPOKEN.iter().any(|word| name == *word);
        return spoken.then_some(KeyMeaning {
            mark: Mark::Password,
            force: Any,
            is_compound: false,
        });
    }
    let mut buffer = [0; LONGEST];
    let all = str::from_utf8(words(name, &mut buffer)?).ok()?;
    let mut words = all;
    for _ in 0..3 {
        if let Some(meaning) = meaning(words) {
            let is_exempt = suffixes(all).any(|end| EXEMPT_WORDS.has(end.as_bytes()));
            return (!is_exempt).then_some(meaning);
        }
        let (before, last) = words.rsplit_once('_')?;
        if ABOUT_WORDS.has(last.as_bytes()) || !STILL_WORDS.has(last.as_bytes()) {
            return None;
        }
        words = before;
    }
    None
}

fn meaning(words: &str) -> Option<KeyMeaning> {
    let of = |row: &SecretNames, end: &str| KeyMeaning {
        mark: row.mark,
        force: row.force,
        is_compound: words.len() > end.len() || end.contains('_'),
    };
    let known = |end: &&str| BY_NAME.filter.may_hold(end.as_bytes());
    let meaning = suffixes(words)
        .filter(known)
        .find_map(|end| Some(of(BY_NAME.rows.get(end)?, end)));
    if meaning.is_some() {
        return meaning;
    }
    let last = words.bytes().last().map_or(0, end_row);
    if let Some((_, row)) = ENDS[last].iter().find(|(end, _)| words.ends_with(end)) {
        return Some(of(row, ""));
    }
    // `dbPass`, `keystorepass`
    let is_pass = words.len() > 4 && words.ends_with("pass");
    is_pass.then_some(KeyMeaning {
        mark: Mark::Password,
        force: Any,
        is_compound: true,
    })
}

/// A name in words, without its first, its first two, and so on.
fn suffixes(words: &str) -> impl Iterator<Item = &str> {
    let joints = words.bytes().enumerate().filter(|(_, byte)| *byte == b'_');
    std::iter::once(words).chain(joints.map(|(at, _)| &words[at + 1..]))
}

/// The rows by their names.
static BY_NAME: LazyLock<NameIndex> = LazyLock::new(|| {
    let mut index = NameIndex {
        rows: HashMap::new(),
        filter: LengthFilter::new(),
    };
    for row in NAMES {
        for name in row.all() {
            index.filter.add(name.as_bytes()[0], name.len());
            index.rows.insert(name, row);
        }
    }
    index
});

struct NameIndex {
    rows: HashMap<String, &'static SecretNames>,
    filter: LengthFilter,
}

/// The names that count at the end of one that is written together, with their rows, by their last letters.
static ENDS: LazyLock<[Vec<(&str, &SecretNames)>; 32]> = LazyLock::new(|| {
    let mut ends = [const { Vec::new() }; 32];
    for row in NAMES.iter().filter(|row| row.place == NamePlace::End) {
        for name in row.names.split_ascii_whitespace() {
            let last = name.bytes().last().map_or(0, end_row);
            ends[last].push((name, row));
        }
    }
    ends
});

fn end_row(last: u8) -> usize {
    usize::from(last % 32)
}

/// The longest name that is looked at.
const LONGEST: usize = 96;

/// A name as lower-case words with one `_` between them. Numbers at its end only count it.
fn words<'a>(name: &[u8], buffer: &'a mut [u8; LONGEST]) -> Option<&'a [u8]> {
    let mut len = 0;
    for (at, &byte) in name.iter().enumerate() {
        let joins = !byte.is_ascii_alphanumeric();
        let last = at.checked_sub(1).map_or(b'_', |at| name[at]);
        let small_next = name.get(at + 1).is_some_and(u8::is_ascii_lowercase);
        // `dbPassword`, `SSHKey`
        let begins = byte.is_ascii_uppercase()
            && (last.is_ascii_lowercase()
                || last.is_ascii_digit()
                || last.is_ascii_uppercase() && small_next);
        if (joins || begins) && len > 0 && buffer[len - 1] != b'_' {
            *buffer.get_mut(len)? = b'_';
            len += 1;
        }
        if !joins {
            *buffer.get_mut(len)? = byte.to_ascii_lowercase();
            len += 1;
        }
    }
    let counts = |byte: &u8| *byte == b'_' || byte.is_ascii_digit();
    let len = buffer[..len].iter().rposition(|byte| !counts(byte))? + 1;
    Some(&buffer[..len])
}

/// Every name of the table, for tests of what is done with them.
#[cfg(test)]
pub(super) fn all() -> Vec<String> {
    NAMES.iter().flat_map(SecretNames::all).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_one_and_holds_a_word_that_is_searched_for() {
        let triggers = triggers();
        for name in all() {
            for name in [
                name.clone(),
                name.to_uppercase(),
                format!("x_{name}2"),
                name.replace('_', "-"),
            ] {
                assert!(named(name.as_bytes()).is_some(), "{name}");
                let lower = name.to_lowercase();
                assert!(triggers.iter().any(|word| lower.contains(word)), "{name}");
            }
        }
    }

    #[test]
    fn words_behind_a_name_say_whether_it_still_is_one() {
        for name in [
            "secret_key_base",
            "password_confirmation",
            "keystorePass",
            "DB_PASSWORD_OLD",
            "SSHPrivateKey",
            "apiKeyProd",
        ] {
            assert!(named(name.as_bytes()).is_some(), "{name}");
        }
        for name in [
            "password_policy",
            "tokenCount",
            "secret_name",
            "max_tokens",
            "keyboard",
            "monkey",
            "bypass",
            "author",
            "sort_key",
        ] {
            assert_eq!(named(name.as_bytes()), None, "{name}");
        }
    }
}
