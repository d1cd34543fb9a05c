//! Credentials as requests carry them: headers, cookies, connection strings, addresses.

use crate::corpus::encoding::{base64, percent};
use crate::corpus::leaks::cloud::aws_id;
use crate::corpus::plant::{Form, Plant, halves};
use crate::corpus::random::{ALNUM, Random, URL_SAFE};
use crate::corpus::words::{FIRMS, PARTS, person, project};

pub(super) fn bearer(random: &mut Random) -> Plant {
    let length = random.between(20, 64);
    let token = random.strong(length);
    let secret = halves(&token);
    match random.below(8) {
        0 => Plant::line(format!("authorization: bearer {token}"), secret),
        1 => Plant::line(
            format!("curl -s -H 'Authorization: Bearer {token}' https://api.example.com/v1/orders"),
            secret,
        ),
        2 => Plant::line(
            format!("{{\"Authorization\": \"Bearer {token}\", \"Accept\": \"*/*\"}}"),
            secret,
        ),
        3 => Plant::line(
            format!("headers={{'Authorization': 'Bearer {token}'}}"),
            secret,
        ),
        4 => Plant::word(format!("Bearer {token}"), secret),
        5 => Plant::line(format!("Authorization: token {token}"), secret),
        6 => Plant::line(format!("Proxy-Authorization: Bearer {token}"), secret),
        _ => Plant::line(format!("Authorization: Bearer {token}"), secret),
    }
}

pub(super) fn basic(random: &mut Random) -> Plant {
    let length = random.between(8, 20);
    let login = base64(format!("{}:{}", person(random), random.strong(length)).as_bytes());
    let head = random.pick(&[
        "Authorization: Basic ",
        "authorization: basic ",
        "Proxy-Authorization: Basic ",
        "\"Authorization\":\"Basic ",
    ]);
    let after = if head.starts_with('"') { "\"" } else { "" };
    Plant::word(login.clone(), halves(&login)).within(head, after, Form::Line)
}

pub(super) fn cookie(random: &mut Random) -> Plant {
    let name = random.pick(&[
        "sessionid",
        "session",
        "connect.sid",
        "JSESSIONID",
        "PHPSESSID",
        "auth_token",
        "sid",
    ]);
    let length = random.between(24, 40);
    let value = random.strong(length);
    let secret = halves(&value);
    let text = match random.below(3) {
        0 => format!("Cookie: theme=dark; {name}={value}; lang=en"),
        1 => format!("cookie: {name}={value}"),
        _ => format!("Set-Cookie: {name}={value}; Path=/; HttpOnly; SameSite=Lax"),
    };
    Plant::line(text, secret)
}

/// A password as it may stand in an address.
fn url_password(random: &mut Random) -> String {
    let length = random.between(8, 24);
    let mut password = random.strong(length);
    if random.one_in(3) {
        password.insert_str(
            4,
            random.pick(&["%40", "%23", "%2F", "!", "$", "*", "-", "_", "~", "."]),
        );
    }
    password
}

fn host(random: &mut Random) -> String {
    let part = random.pick(PARTS);
    match random.below(3) {
        0 => format!("{part}.{}.example.com", random.pick(FIRMS)),
        1 => format!("{part}-db"),
        _ => "localhost".to_owned(),
    }
}

fn dsn(random: &mut Random, schemes: &[&str], port: &str, user: &str) -> Plant {
    let (scheme, password) = (random.pick(schemes), url_password(random));
    let (host, database) = (host(random), random.pick(PARTS));
    let rest = random.pick(&[
        "",
        "?sslmode=require",
        "?retryWrites=true&w=majority",
        "?timeout=5",
    ]);
    Plant::word(
        format!("{scheme}://{user}:{password}@{host}:{port}/{database}{rest}"),
        [password],
    )
}

pub(super) fn dsn_sql(random: &mut Random) -> Plant {
    let user = person(random);
    let (schemes, port): (&[&str], &str) = random.pick(&[
        (
            &[
                "postgres",
                "postgresql",
                "postgresql+asyncpg",
                "cockroachdb",
            ],
            "5432",
        ),
        (&["mysql", "mysql+pymysql", "mariadb"], "3306"),
        (&["mssql+pyodbc", "sqlserver", "clickhouse"], "1433"),
    ]);
    dsn(random, schemes, port, &user)
}

pub(super) fn dsn_mongo(random: &mut Random) -> Plant {
    let user = person(random);
    dsn(random, &["mongodb", "mongodb+srv"], "27017", &user)
}

/// Often without a user.
pub(super) fn dsn_redis(random: &mut Random) -> Plant {
    let user = if random.one_in(2) {
        String::new()
    } else {
        "default".to_owned()
    };
    dsn(random, &["redis", "rediss"], "6379", &user)
}

pub(super) fn dsn_queue(random: &mut Random) -> Plant {
    let user = person(random);
    dsn(
        random,
        &["amqp", "amqps", "nats", "mqtt", "stomp"],
        "5672",
        &user,
    )
}

/// A mail or file server.
pub(super) fn dsn_other(random: &mut Random) -> Plant {
    let user = person(random);
    dsn(
        random,
        &["smtp", "smtps", "ftp", "sftp", "ldap", "ssh"],
        "2222",
        &user,
    )
}

pub(super) fn dsn_ado(random: &mut Random) -> Plant {
    let length = random.between(8, 20);
    let (password, user, database) = (random.strong(length), person(random), random.pick(PARTS));
    let key = random.pick(&["Password", "password", "Pwd", "PWD"]);
    let text = match random.below(3) {
        0 => format!(
            "Server=tcp:db.example.com,1433;Database={database};User Id={user};{key}={password};Encrypt=true"
        ),
        1 => format!("Data Source=db;Initial Catalog={database};User ID={user};{key}={password}"),
        _ => format!(
            "Driver={{ODBC Driver 18}};Server=db;UID={user};{key}={password};Database={database}"
        ),
    };
    Plant::line(text, [password])
}

pub(super) fn dsn_jdbc(random: &mut Random) -> Plant {
    let length = random.between(8, 20);
    let (password, user, database) = (random.strong(length), person(random), random.pick(PARTS));
    let text = match random.below(3) {
        0 => {
            format!("jdbc:postgresql://db:5432/{database}?user={user}&password={password}&ssl=true")
        }
        1 => format!(
            "jdbc:sqlserver://db:1433;databaseName={database};user={user};password={password};"
        ),
        _ => format!("jdbc:mysql://db/{database}?user={user}&password={password}"),
    };
    Plant::word(text, [password])
}

/// Keys and values with spaces between, as libpq takes them.
pub(super) fn dsn_libpq(random: &mut Random) -> Plant {
    let length = random.between(8, 20);
    let (password, user, database) = (random.strong(length), person(random), random.pick(PARTS));
    let quote = random.pick(&["", "", "'"]);
    Plant::line(
        format!(
            "host=db port=5432 user={user} password={quote}{password}{quote} dbname={database} sslmode=disable"
        ),
        [password],
    )
}

pub(super) fn basic_auth_url(random: &mut Random) -> Plant {
    let (user, password) = (person(random), url_password(random));
    let (firm, project) = (random.pick(FIRMS), project(random));
    let url = match random.below(4) {
        0 => format!("https://{user}:{password}@{firm}.example.com/api/v2/items?page=2"),
        1 => format!("http://{user}:{password}@{firm}.example.com:8080"),
        2 => format!("https://oauth2:{password}@git.{firm}.example.com/team/{project}.git"),
        _ => format!("https://{user}:{password}@registry.{firm}.example.com/{project}/"),
    };
    Plant::word(url, [password])
}

/// A presigned URL.
pub(super) fn signed_url(random: &mut Random) -> Plant {
    let (bucket, file) = (
        project(random),
        random.pick(&["export.csv", "invoice.pdf", "backup.tar.gz"]),
    );
    let (url, signature) = match random.below(5) {
        0 => {
            let (id, signature) = (aws_id(random), random.hex(64));
            let url = format!(
                "https://{bucket}.s3.eu-west-1.amazonaws.com/{file}?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential={id}%2F20260301%2Feu-west-1%2Fs3%2Faws4_request&X-Amz-Date=20260301T000000Z&X-Amz-Expires=900&X-Amz-SignedHeaders=host&X-Amz-Signature={signature}"
            );
            (url, signature)
        }
        1 => {
            let signature = random.hex(128);
            let url = format!(
                "https://storage.googleapis.com/{bucket}/{file}?X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Expires=900&X-Goog-Signature={signature}"
            );
            (url, signature)
        }
        2 => {
            let signature = percent(&base64(&random.bytes(32)));
            let url = format!(
                "https://{}.blob.core.windows.net/{bucket}/{file}?sv=2023-11-03&st=2026-03-01T00%3A00%3A00Z&sr=b&sp=r&sig={signature}",
                random.pick(FIRMS)
            );
            (url, signature)
        }
        3 => {
            let signature = random.text(URL_SAFE, 80);
            let id = random.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", 13);
            let url = format!(
                "https://d111.cloudfront.net/{file}?Expires=1800000000&Signature={signature}&Key-Pair-Id=K{id}"
            );
            (url, signature)
        }
        _ => {
            let signature = random.text(ALNUM, 40);
            let url = format!(
                "https://files.example.com/{bucket}/{file}?expires=1800000000&signature={signature}"
            );
            (url, signature)
        }
    };
    Plant::word(url, halves(&signature))
}
