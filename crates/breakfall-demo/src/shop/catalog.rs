//! How the shop begins.

use std::collections::BTreeMap;

use super::{OrderStatus, ShopOrder, ShopProduct};

pub(crate) fn products() -> Vec<ShopProduct> {
    let row = |&(sku, name, category, price, stock): &ProductRow| ShopProduct {
        sku,
        name,
        category,
        price,
        stock,
    };
    PRODUCTS.iter().map(row).collect()
}

pub(crate) fn orders() -> BTreeMap<String, ShopOrder> {
    let row = |&(id, customer, sku, quantity, total, status, version): &OrderRow| {
        let mut order = ShopOrder::new(id, customer, vec![(sku.to_owned(), quantity)], total, None);
        order.status = status;
        order.version = version;
        if status == OrderStatus::Refunded {
            order.refunded = total;
        }
        (id.to_owned(), order)
    };
    ORDERS.iter().map(row).collect()
}

type OrderRow = (
    &'static str,
    &'static str,
    &'static str,
    u64,
    u64,
    OrderStatus,
    u64,
);

/// One for every rule there is: paid, refunded, dear, unpaid, cancelled, and dearer than the till.
#[rustfmt::skip]
const ORDERS: &[OrderRow] = &[
    ("ord-1001", "ana@example.com", "gi-01", 1, 4990, OrderStatus::Paid, 1),
    ("ord-1002", "ben@example.com", "belt-03", 2, 2380, OrderStatus::Refunded, 3),
    ("ord-1003", "cleo@example.com", "mat-02", 2, 24_900, OrderStatus::Shipped, 2),
    ("ord-1004", "dev@example.com", "book-01", 1, 2990, OrderStatus::Pending, 1),
    ("ord-1005", "eva@example.com", "belt-01", 1, 990, OrderStatus::Cancelled, 2),
    ("ord-1006", "fin@example.com", "mat-04", 10, 189_000, OrderStatus::Shipped, 2),
];

type ProductRow = (&'static str, &'static str, &'static str, u64, u64);

/// The numbers that follow a sku are its price in cents and how many there are.
const PRODUCTS: &[ProductRow] = &[
    ("gi-01", "Judo gi for beginners, white", "gi", 4990, 40),
    ("gi-02", "Judo gi for children, white", "gi", 3490, 25),
    ("gi-03", "Competition gi, white", "gi", 15_900, 8),
    ("gi-04", "Competition gi, blue", "gi", 16_900, 6),
    ("gi-05", "Summer gi, light", "gi", 6990, 0),
    ("gi-06", "Women's gi, white", "gi", 5490, 18),
    ("belt-01", "White belt", "belts", 990, 200),
    ("belt-02", "Yellow belt", "belts", 1190, 120),
    ("belt-03", "Orange belt", "belts", 1190, 110),
    ("belt-04", "Green belt", "belts", 1190, 90),
    ("belt-05", "Blue belt", "belts", 1190, 80),
    ("belt-06", "Brown belt", "belts", 1390, 40),
    ("belt-07", "Black belt, cotton", "belts", 2990, 30),
    ("belt-08", "Black belt, satin", "belts", 4990, 2),
    ("mat-01", "Practice mat, 1 m by 1 m", "mats", 7990, 30),
    ("mat-02", "Practice mat, 2 m by 1 m", "mats", 12_450, 24),
    ("mat-03", "Crash mat, 20 cm", "mats", 34_900, 5),
    ("mat-04", "Competition mat, 2 m by 1 m", "mats", 18_900, 60),
    ("mat-05", "Travel mat, folding", "mats", 9990, 12),
    ("book-01", "Falling without harm", "books", 2990, 50),
    ("book-02", "Judo for two", "books", 2490, 35),
    ("book-03", "The first hundred throws", "books", 3990, 20),
    ("book-04", "Teaching children to fall", "books", 2790, 14),
    ("book-05", "A short history of the mat", "books", 1990, 9),
];
