//! The data the example begins with. Ids that are easy to type stand in for random ones.

use std::time::Duration;

use breakfall::Timestamp;

use crate::carrier::Carrier;
use crate::ids::{InvalidId, OrderId, SessionId, UserId};
use crate::session::{Role, Sessions};
use crate::store::{Article, Order, Status, Store};

/// Three users. Sessions are open for each, and one of Ada's has ended.
pub fn sessions(now: Timestamp) -> Result<Sessions, InvalidId> {
    let mut sessions = Sessions::default();
    for (name, pin, role) in [
        ("ada", "1815", Role::Customer),
        ("bob", "1623", Role::Customer),
        ("grace", "1906", Role::Staff),
    ] {
        let user = UserId::new(&id("usr", name))?;
        sessions.add_user(user.clone(), pin, role);
        let tomorrow = now + Duration::from_hours(24);
        sessions.open(SessionId::new(&id("ses", name))?, user, tomorrow);
    }
    let ada = UserId::new(&id("usr", "ada"))?;
    let yesterday = now - Duration::from_hours(24);
    sessions.open(SessionId::new(&id("ses", "expired"))?, ada, yesterday);
    Ok(sessions)
}

/// Ada's orders, as an older release kept them: orders had no versions then.
pub fn store() -> Result<Store, InvalidId> {
    let mut store = Store::default();
    for (article, count) in [(Article::Coffee, 2), (Article::Tea, 500)] {
        store.stock(article, count);
    }
    let owner = UserId::new(&id("usr", "ada"))?;
    for (name, status, carrier) in ORDERS.iter().copied() {
        store.insert(Order {
            id: OrderId::new(&id("ord", name))?,
            owner: owner.clone(),
            article: Article::Tea,
            quantity: 2,
            status,
            version: 1,
            carrier,
            note: format!("{NOTE} {name}."),
        });
    }
    store.migrated_from = Some(1);
    Ok(store)
}

/// `ord_00000000000000000000open` of `open`.
pub fn id(prefix: &str, name: &str) -> String {
    format!("{prefix}_{name:0>24}")
}

const NOTE: &str =
    "Leave it with the neighbours on the second floor if nobody opens the door; filed as";

const ORDERS: &[(&str, Status, Carrier)] = &[
    ("cancelled", Status::Cancelled, Carrier::Swift),
    ("gull", Status::Shipped, Carrier::Gull),
    ("old1", Status::Shipped, Carrier::Swift),
    ("old2", Status::Shipped, Carrier::Swift),
    ("old3", Status::Shipped, Carrier::Swift),
    ("old4", Status::Shipped, Carrier::Swift),
    ("old5", Status::Shipped, Carrier::Swift),
    ("old6", Status::Shipped, Carrier::Swift),
    ("open", Status::Open, Carrier::Swift),
    ("open2", Status::Open, Carrier::Swift),
    ("owl", Status::Shipped, Carrier::Owl),
    ("snail", Status::Shipped, Carrier::Snail),
    ("swift", Status::Shipped, Carrier::Swift),
];
