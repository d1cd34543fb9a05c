//! What servers and people are called in the generated half.

use super::random::{LOWER_ALNUM, Random};

/// A part of a system.
#[rustfmt::skip]
pub(crate) const PARTS: &[&str] = &[
    "billing", "orders", "ledger", "inventory", "shipping", "payments", "accounts", "reports", "warehouse",
    "identity", "mailer", "search", "pricing", "invoices", "tickets", "calendar", "subscriptions", "analytics",
    "webhooks", "scheduler",
];

/// What code does.
pub(crate) const VERBS: &[&str] = &[
    "load", "fetch", "resolve", "render", "validate", "apply", "collect", "dispatch", "convert",
    "persist", "refresh", "merge",
];

/// What code does it to.
#[rustfmt::skip]
pub(crate) const THINGS: &[&str] = &[
    "invoice", "customer", "discount", "shipment", "contract", "statement", "refund", "voucher", "balance",
    "schedule", "delivery", "receipt",
];

/// Who works there.
pub(crate) const PEOPLE: &[&str] = &[
    "amelie", "jmiller", "kenji", "lucia", "oskar", "priya", "tomasz", "yvonne", "fatima",
    "henrik", "marisol", "deploy", "svc-sync", "jenkins",
];

/// Companies and projects that do not exist.
#[rustfmt::skip]
pub(crate) const FIRMS: &[&str] = &[
    "acme", "globex", "initech", "umbra", "northwind", "contoso", "fabrikam", "hooli", "vandelay", "tyrell",
];

/// `load_invoice`
pub(crate) fn snake(random: &mut Random) -> String {
    format!("{}_{}", random.pick(VERBS), random.pick(THINGS))
}

/// `loadInvoice`
pub(crate) fn camel(random: &mut Random) -> String {
    format!("{}{}", random.pick(VERBS), capital(random.pick(THINGS)))
}

/// `LoadInvoice`
pub(crate) fn pascal(random: &mut Random) -> String {
    capital(&camel(random))
}

/// `InvoiceService`
pub(crate) fn class(random: &mut Random) -> String {
    const ENDS: &[&str] = &[
        "Service",
        "Repository",
        "Controller",
        "Worker",
        "Client",
        "Handler",
    ];
    capital(random.pick(THINGS)) + random.pick(ENDS)
}

/// `billing-core`, `ledger-7f`
pub(crate) fn project(random: &mut Random) -> String {
    const ENDS: &[&str] = &["core", "api", "worker", "v2", "next", "prod"];
    let part = random.pick(PARTS);
    if random.one_in(3) {
        format!("{part}-{}", random.text(LOWER_ALNUM, 3))
    } else {
        format!("{part}-{}", random.pick(ENDS))
    }
}

/// `jmiller42`
pub(crate) fn person(random: &mut Random) -> String {
    format!("{}{}", random.pick(PEOPLE), random.between(10, 99))
}

/// With a capital letter.
pub(crate) fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
