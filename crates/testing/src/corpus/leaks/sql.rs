//! Statements, with the tables and values they name.

use crate::corpus::plant::{Form, Plant};
use crate::corpus::random::Random;
use crate::corpus::words::{PARTS, THINGS, capital, person};

struct Statement {
    text: String,
    secret: Vec<String>,
}

fn statement(random: &mut Random) -> Statement {
    let table = format!("{}_{}", random.pick(THINGS), random.pick(PARTS));
    let column = format!("{}_ref", random.pick(THINGS));
    let value = format!("{} {}", capital(random.pick(PARTS)), person(random));
    let id = random.number(7);
    let text = match random.below(9) {
        0 => format!(
            "SELECT id, {column} FROM {table} WHERE {column} = '{value}' ORDER BY id LIMIT 10"
        ),
        1 => format!("select * from `{table}` where `{column}` = '{value}' and id = {id}"),
        2 => format!("INSERT INTO {table} (id, {column}) VALUES ({id}, '{value}')"),
        3 => format!("UPDATE {table} SET {column} = '{value}' WHERE id = {id}"),
        4 => format!("DELETE FROM \"{table}\" WHERE \"{column}\" = '{value}' AND id < {id}"),
        5 => format!(
            "SELECT t.id, COUNT(*) FROM public.{table} t JOIN b ON b.id = t.id WHERE t.{column} IN ({id}, '{value}') GROUP BY t.id"
        ),
        6 => format!(
            "WITH latest AS (SELECT * FROM {table} WHERE {column} = '{value}') SELECT id FROM latest WHERE id = {id}"
        ),
        7 => format!("insert into {table} ({column}, id) values ('{value}', {id}) returning id"),
        _ => format!("SELECT id\n  FROM {table}\n WHERE {column} = '{value}'\n   AND id = {id}"),
    };
    // Not every statement says every part.
    let secret = [table, value, id]
        .into_iter()
        .filter(|part| text.contains(part))
        .collect();
    Statement { text, secret }
}

pub(super) fn sql(random: &mut Random) -> Plant {
    let Statement { text, secret } = statement(random);
    let plant = if text.contains('\n') {
        Plant::block(text, secret)
    } else {
        Plant::line(text, secret)
    };
    let form = plant.form;
    match random.below(8) {
        0 => plant.within("[SQL: ", "]", form),
        1 => plant.within("QueryFailedError in query: \"", "\"", form),
        2 => plant.within("could not execute statement [", "]", form),
        3 => plant.within(
            "SQLSTATE[42S02]: Base table or view not found (SQL: ",
            ")",
            form,
        ),
        4 => plant.within("Executing: ", ";", form),
        _ => plant,
    }
}

/// With the values bound to it printed after it.
pub(super) fn sql_parameters(random: &mut Random) -> Plant {
    let table = format!("{}_{}", random.pick(THINGS), random.pick(PARTS));
    let (value, id) = (
        format!("{} {}", capital(random.pick(PARTS)), person(random)),
        random.number(7),
    );
    let bound = match random.below(3) {
        0 => format!("('{value}', {id})"),
        1 => format!("{{'name': '{value}', 'id': {id}}}"),
        _ => format!("[{{'name': '{value}', 'id': {id}}}]"),
    };
    Plant::block(
        format!("[SQL: UPDATE {table} SET name = %s WHERE id = %s]\n[parameters: {bound}]"),
        [table, value],
    )
}

/// A database that repeats where it stumbled.
pub(super) fn sql_fragment(random: &mut Random) -> Plant {
    let table = format!("{}_{}", random.pick(THINGS), random.pick(PARTS));
    let value = format!("{}{}", random.pick(PARTS), random.number(6));
    let part = random.pick(&["FROM", "JOIN"]);
    let text = format!(
        "You have an error in your SQL syntax; check the manual for the right syntax to use near '{part} {table} WHERE name = \"{value}\" LIMIT 1' at line 1"
    );
    Plant {
        text,
        secret: vec![table, value],
        form: Form::Line,
    }
}

/// Changes of the schema.
pub(super) fn sql_schema(random: &mut Random) -> Plant {
    let table = format!("{}_{}", random.pick(THINGS), random.pick(PARTS));
    let column = format!("{}_{}_total", random.pick(THINGS), random.pick(PARTS));
    let (text, secret) = match random.below(4) {
        0 => (
            format!("ALTER TABLE {table} ADD COLUMN {column} numeric(12, 2) NOT NULL"),
            vec![table, column],
        ),
        1 => (
            format!("CREATE TABLE IF NOT EXISTS {table} (id bigint PRIMARY KEY, {column} text)"),
            vec![table, column],
        ),
        2 => (format!("DROP TABLE IF EXISTS {table} CASCADE"), vec![table]),
        _ => (
            format!("CREATE UNIQUE INDEX idx_1 ON {table} ({column})"),
            vec![table, column],
        ),
    };
    Plant::line(text, secret)
}
