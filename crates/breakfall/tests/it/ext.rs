//! Results, options and `anyhow` errors that become faults.

use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind};

use breakfall::classify::anyhow::downcast;
use breakfall::{Fault, OptionExt, Origin, ResultExt, codes};

fn refused() -> io::Error {
    io::Error::new(ErrorKind::ConnectionRefused, "10.0.0.7 refused")
}

/// An error that the library does not know.
#[derive(Debug)]
struct Foreign;

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("planted words")
    }
}

impl Error for Foreign {}

#[test]
fn a_fault_by_name_keeps_the_error_as_its_private_cause() {
    let by_value = Err::<(), _>(Foreign).or_fault(Fault::not_found("order", "7"));
    let by_closure = Err::<(), _>(Foreign).or_fault(|| Fault::not_found("order", "7"));
    for result in [by_value, by_closure] {
        let fault = result.unwrap_err();
        assert_eq!(fault, Fault::not_found("order", "7"));
        assert_eq!(fault.source().unwrap().to_string(), "planted words");
        assert!(!format!("{fault} {fault:?}").contains("planted"));
    }
    let by_code = Err::<(), _>(Foreign).or_fault(codes::PERMISSION_DENIED);
    assert_eq!(by_code.unwrap_err().code(), codes::PERMISSION_DENIED);
    assert_eq!(
        None::<u8>.or_fault(codes::INTERNAL_ERROR).unwrap_err(),
        Fault::internal()
    );
    assert_eq!(Ok::<_, Foreign>(7).or_fault(Fault::internal), Ok(7));
}

#[test]
fn a_closure_runs_on_failure_alone() {
    let mut made = 0;
    let result = Some(7).or_fault(|| {
        made += 1;
        Fault::internal()
    });
    assert_eq!((result, made), (Ok(7), 0));
}

#[test]
fn context_is_a_note_on_the_fault_of_the_question_mark() {
    let fault = Err::<(), _>(refused())
        .context("asking the store")
        .unwrap_err();
    assert_eq!(fault.code(), codes::UNAVAILABLE_NETWORK);
    let twice = Err::<(), _>(fault).context("for the menu").unwrap_err();
    let report = twice.report().to_string();
    assert!(
        report.contains("note: asking the store\n  note: for the menu"),
        "{report}"
    );
    assert!(!format!("{twice} {twice:?}").contains("asking"));
    let none = None::<u8>.context("the menu is empty").unwrap_err();
    assert_eq!(none.code(), codes::INTERNAL_ERROR);
    assert!(none.report().to_string().contains("the menu is empty"));
}

#[test]
fn the_chain_of_an_anyhow_error_is_looked_through() {
    fn tool(error: anyhow::Error) -> Result<(), Fault> {
        Err(error)?;
        Ok(())
    }
    let network = anyhow::Error::new(refused())
        .context("asking")
        .context("for the menu");
    let fault = tool(network).unwrap_err();
    assert_eq!(fault.code(), codes::UNAVAILABLE_NETWORK);
    assert_eq!(fault.responsible(), Origin::Upstream);
    assert!(
        fault
            .report()
            .to_string()
            .contains("caused by: 10.0.0.7 refused")
    );

    let missing = anyhow::Error::new(io::Error::from(ErrorKind::NotFound)).context("opening");
    let fault = tool(missing).unwrap_err();
    assert_eq!(
        (fault.code(), fault.responsible()),
        (codes::INTERNAL_ERROR, Origin::Tool)
    );

    let own = anyhow::Error::new(Fault::not_found("order", "7")).context("planted");
    let fault = tool(own).unwrap_err();
    assert_eq!(fault, Fault::not_found("order", "7"));
    assert!(fault.report().to_string().contains("note: planted"));
    let inside = anyhow::Error::new(io::Error::other(Fault::not_found("order", "7")));
    assert_eq!(tool(inside).unwrap_err(), Fault::not_found("order", "7"));

    let words = tool(anyhow::anyhow!("planted")).unwrap_err();
    assert_eq!(words.code(), codes::INTERNAL_ERROR);
    assert!(!format!("{words:?}").contains("planted"));
}

#[test]
fn an_error_of_the_servers_own_is_found_by_its_type() {
    #[derive(Debug, Fault)]
    #[fault(code = "TILL_SHUT", extends = CONFLICT_INVALID_STATE, message = "The till is shut")]
    struct Shut;

    let error = anyhow::Error::new(Shut).context("paying");
    let fault = downcast::<Shut>(error).unwrap();
    assert_eq!(fault.code().name(), "TILL_SHUT");
    assert!(fault.report().to_string().contains("note: paying"));
    let other = downcast::<Shut>(anyhow::anyhow!("else")).unwrap_err();
    assert_eq!(other.to_string(), "else");
}
