//! A derived error as it is, out of a tool of the official SDK.

use breakfall::{Fault, Outcome, read};
use rmcp::handler::server::tool::IntoCallToolResult;
use rmcp::model::CallToolResponse;

#[derive(Debug, Fault)]
enum OrderError<'a, Id> {
    #[fault(code = "ORDER_VANISHED", extends = NOT_FOUND_RESOURCE, message = "Order '{id}' not found")]
    Vanished {
        #[fault(display)]
        id: Id,
    },
    #[fault(code = UNAVAILABLE_DEPENDENCY)]
    Store { dependency: &'a str },
}

fn answered(result: Result<String, OrderError<'_, u8>>) -> Outcome {
    let response = result.into_call_tool_result().expect("a tool result");
    let CallToolResponse::Complete(result) = response else {
        panic!("complete")
    };
    read(serde_json::to_value(result).expect("JSON")).outcome
}

#[test]
fn a_tool_may_fail_with_a_derived_error() {
    for (error, code) in [
        (OrderError::Vanished { id: 7 }, "ORDER_VANISHED"),
        (
            OrderError::Store {
                dependency: "store",
            },
            "UNAVAILABLE_DEPENDENCY",
        ),
    ] {
        let outcome = answered(Err(error));
        let public = outcome.fault().expect("a failure").public();
        let name = public.domain_code().unwrap_or(public.code().name());
        assert_eq!(name, code);
    }
}

#[test]
fn and_succeed_as_before() {
    assert!(matches!(
        answered(Ok("tea".to_owned())),
        Outcome::Success(_)
    ));
}
