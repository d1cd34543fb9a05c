//! JSON → a row of a server's own. It is refused with every problem named, or it works like any other row.
#![no_main]

use breakfall::{Catalog, Fault};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|bytes: &[u8]| {
    let Ok(Value::Object(rows)) = breakfall::wire::parse(bytes) else {
        return;
    };
    let mut catalog = Catalog::builtin();
    for (name, row) in rows {
        let Value::Object(row) = row else { continue };
        match catalog.add_map(&name, &row) {
            Ok(code) => {
                assert_eq!(catalog.get(&name), Some(code));
                let fault = Fault::new(code);
                assert!(!fault.public().message().is_empty());
                assert!(!fault.public().remediation().is_empty());
                assert!((400..=599).contains(&code.entry().http));
            }
            Err(error) => {
                assert!(!error.problems().is_empty());
                assert!(
                    catalog
                        .get(&name)
                        .is_none_or(|code| code.entry().name == name)
                );
            }
        }
    }
});
