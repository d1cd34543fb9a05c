//! What a database calls its tables, columns and constraints, and the rows it complains of.

use std::sync::LazyLock;

use regex::bytes::Regex;

use super::bytes::{is_said, is_word, run, run_back};
use super::finder::MarkFinder;
use super::mark::Mark;
use super::words::WordIndex;

/// Nouns that a name of a database follows.
pub(super) const NOUNS: &str = "relazione |relación |vincolo di controllo |restricción |contrainte |meant to reference |context: |pipeline on |ns=|table with name |unrecognized name: |authorized on |table\":|table\": |column\":|column\": |schema\":\"|relation\":|\
    constraint |index: |collection=|table=|tablename\":|procedure `|unconfigured table |undefined column |unknown field |sequence |table '|view |tablename=|table(|catalog |function |tablespace: |procedure |trigger |tabella |tablename=|objectname=|indexname=|external table |null in (|raised in |expression in |1146 table |database: |表 |отношение |таблице |столбец |index [|field [|resource name |project [|at \"|error: \"|table |table/view |relation |column |columns |columns: |column names are: |object |schema |database |view |index |\
    index: |policy |collection |collection: |ns: |column: |table: |name: |name '|tabelle |tabeli |tabela |tabla |\
    columna |colonne |exist: |exist. |valide '|reference '|keyspace |name \"|exists: |measurement ";

/// Words of texts that databases write.
const DATABASES: &str = "relazione|vincolo di controllo|contrainte|restricción|no such index|index_not_found|no such collection|from-clause|missing from|table with name|would be truncated|\
    db::exception|unknown_table|not found: table|catalog error|unconfigured table|unrecognized name|provisionedthroughput|\
    resourcenotfoundexception|failed validation|_bt_check|spanner|neo4j|cypher|cockroach|influx|couchbase|cosmos|not authorized on|\
    permission denied|invalid object name|unknown column|error: column|error: relation|have a default value|database|syntax_error|soql|slick|parquet|undefined|pls-|doesn't exist|resultset|malformed_query|sql|mysql|postgresql|sqlite|ora-|constraint|mongo|mongoservererror|db2|jdbc|hive|trino|query|statement|relation|\
    duplicate key|dup key|prisma|sequelize|hibernate|cassandra|bigquery|snowflake|teradata|tabelle|tabeli|msg|\
    informix|row-level security|semanticexception|sqlstate|sqlcode|psql|invalidrequest|columna|mariadb|clickhouse|\
    redshift|spectrum|unique|foreign key|primary key|update statement|insert|activerecord|pg|treasury|ndb|wsrep|exasol|vertica|elasticsearch|mapper_parsing|dynamodb|trigger|deadlock|ошибка|psycopg2|relación|\
    sqlalchemy|no such column|no such table|doctrine|select permission|access denied for user|cql";

/// Looks behind a noun for a name, and takes it where the text is one of a database.
pub(super) fn object(finder: &mut MarkFinder<'_>, start: usize, end: usize) {
    static NAME: LazyLock<Regex> = LazyLock::new(|| {
        let quoted = r#"['"`\[]([\w$. -]{2,128})['"`\]](?:\.['"`\[]([\w$.-]{2,128})['"`\]])?(?:\.['"`\[]([\w$.-]{2,128})['"`\]])?|«([\w.]{2,96})»"#;
        let bare = r"((?:\w+(?:-\w+)+:)?\w+(?:[._]\w+)+(?:, *\w+(?:[._]\w+)+)*|[a-z]+(?:-[a-z0-9]+){2,}|[A-Z][a-z]+(?:[A-Z][a-z]+)+|[A-Z][A-Z0-9_]{3,63})";
        Regex::new(&format!(
            r"(?-u)\A(?:(?:name|reference|for|on)? ?)?\(?(?:{quoted}|{bare})"
        ))
        .expect("the pattern is one")
    });
    let text = finder.text;
    if !finder.wide || !super::bytes::begins(text, start) {
        return;
    }
    // A quote that ends the noun opens the name.
    let at = if matches!(text[end - 1], b'\'' | b'"' | b'[' | b'(') {
        end - 1
    } else {
        end
    };
    let Some(found) = NAME.captures(&text[at..text.len().min(at + 256)]) else {
        return;
    };
    if !is_told_by_database(finder, start) {
        return;
    }
    for name in found.iter().skip(1).flatten() {
        if !super::bytes::in_marker(text, at + name.start()) {
            finder.found(at + name.start(), at + name.end(), Mark::Sql);
        }
    }
}

/// Looks around a complaint of a database for names in quotes or capitals.
pub(super) fn nearby(finder: &mut MarkFinder<'_>, start: usize, end: usize) {
    static NAME: LazyLock<Regex> = LazyLock::new(|| {
        let quoted = r#"['"]([A-Za-z_][\w$]*(?:\.[\w$]+){1,3}|[A-Z][A-Z0-9_]{4,63}|[a-z0-9]+(?:_[a-z0-9]+){2,})['"]"#;
        Regex::new(&format!(
            r"(?-u){quoted}|\b([A-Z][A-Z0-9_]*(?:\.[A-Z][A-Z0-9_]+)+)\b"
        ))
        .expect("the pattern is one")
    });
    let text = finder.text;
    if !finder.wide || !is_told_by_database(finder, start) {
        return;
    }
    let from = run_back(text, start, 160, |byte| byte.is_ascii());
    let far = run(text, end, 160, |byte| byte.is_ascii());
    for found in NAME.captures_iter(&text[from..far]) {
        if let Some(name) = found.iter().skip(1).flatten().next() {
            finder.found(from + name.start(), from + name.end(), Mark::Sql);
        }
    }
}

/// Names in quotes or brackets, joined by dots.
pub(super) fn quoted(finder: &mut MarkFinder<'_>, at: usize, _: usize) {
    let text = finder.text;
    let part =
        |byte: u8| is_word(byte) || matches!(byte, b'`' | b'"' | b'.' | b'-' | b'$' | b'[' | b']');
    let start = run_back(text, at, 128, part);
    let end = run(text, at, 128, part);
    let is_named = text[start..at].iter().any(u8::is_ascii_alphanumeric);
    let is_quoted = matches!(
        (text[start], text[end - 1]),
        (b'`', b'`') | (b'[', b']') | (b'"', b'"')
    );
    if is_named && is_quoted {
        finder.found(start, end, Mark::Sql);
    }
}

/// Whether a database wrote what stands around a place.
fn is_told_by_database(finder: &mut MarkFinder<'_>, at: usize) -> bool {
    static WORDS: LazyLock<WordIndex> = LazyLock::new(|| WordIndex::of(DATABASES));
    let text = finder.text;
    let told = finder.databases.get_or_insert_with(|| {
        let mut told = Vec::new();
        WORDS.each(text, |found| {
            if is_said(text, found.start) {
                told.push(found.start..found.end);
            }
        });
        told
    });
    let (from, far) = (at.saturating_sub(REACH), at + REACH);
    let first = told.partition_point(|word| word.start < from);
    let mut near = told[first..].iter().take_while(|word| word.start < far);
    near.any(|word| word.end <= far)
}

/// How far around a place a database is heard.
const REACH: usize = 400;

/// A name of a constraint: `users_projects_fk`, `fk_order_customer`.
pub(super) fn constraint(finder: &mut MarkFinder<'_>, at: usize, end: usize) {
    let text = finder.text;
    let start = run_back(text, at, 96, is_word);
    let close = run(text, end, 96, is_word);
    let name = &text[start..close];
    let parts = name.split(|byte| *byte == b'_').count();
    let opens = start == at && text[at..end].ends_with(b"_") && parts >= 3;
    let closes =
        close == end && parts >= 3 && !name.starts_with(b"is_") && !name.starts_with(b"has_");
    if name.len() <= 63 && (opens || closes) {
        finder.found(start, close, Mark::Sql);
    }
}
