//! JSON → a schema and arguments. The schema is refused with a reason, or it checks; what it suggests, it accepts.
#![no_main]

use breakfall::validate::Schema;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(input) = breakfall::wire::parse(bytes) else {
        return;
    };
    let (schema, arguments) = (&input["schema"], &input["arguments"]);
    let schema = match Schema::compile(schema) {
        Ok(schema) => schema,
        Err(fault) => {
            assert!(!fault.public().details().is_empty());
            return;
        }
    };
    let findings = schema.check(arguments);
    if let Some(corrected) = findings.corrective_params() {
        assert!(schema.check(corrected).is_empty(), "{corrected}");
    }
    for finding in findings.iter() {
        assert!(finding.violation().keyword_text().is_some());
    }
    let count = findings.len();
    let fault = findings.into_fault("tool");
    assert_eq!(fault.is_some(), count > 0);
    if let Some(fault) = fault {
        assert_eq!(fault.public().violations().len(), count.min(64));
        assert!(!fault.public().remediation().is_empty());
    }
});
