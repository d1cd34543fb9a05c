//! What an answer says.

use serde_json::Value;

use super::moves::SoakMove;

/// What the caller of a tool was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Success,
    /// It failed, and the answer says that nothing was executed.
    NotExecuted,
    /// It failed, and may have been executed.
    Failure,
}

/// Reads an answer.
///
/// # Errors
/// When it is not one that a caller can use.
pub(super) fn read(made: &SoakMove, answer: &Value) -> Result<(Outcome, String), String> {
    let (result, error) = (&answer["result"], &answer["error"]);
    if result.is_null() == error.is_null() {
        return Err("it has not either a result or an error".to_owned());
    }
    if error.is_null() && result["isError"] != true {
        let content = &result["structuredContent"];
        return match &made.echo {
            Some(sent) if content != sent => Err("it is the answer to another call".to_owned()),
            Some(_) | None => Ok((Outcome::Success, format!("{} answered", made.method))),
        };
    }
    let fault = [
        &result["_meta"][FAULT],
        &error["data"][FAULT],
        &error["data"],
    ];
    let fault = fault.into_iter().find(|fault| fault["code"].is_string());
    let Some(fault) = fault else {
        return Err("its failure has no code".to_owned());
    };
    let code = fault["code"].as_str().unwrap_or_default();
    let outcome = if fault["details"]["executed"] == "no" {
        Outcome::NotExecuted
    } else {
        Outcome::Failure
    };
    Ok((outcome, code.to_owned()))
}

const FAULT: &str = "dev.breakfall/error";
