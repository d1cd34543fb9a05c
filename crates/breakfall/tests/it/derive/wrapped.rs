//! `#[fault(transparent)]`: a variant that is another fault.

use std::error::Error;

use breakfall::{Codes, Fault, codes};

#[derive(Debug, Fault)]
enum StoreError {
    #[fault(code = UNAVAILABLE_DEPENDENCY, fallback_tool = "read_archive")]
    Down {
        dependency: &'static str,
        #[fault(source)]
        cause: String,
    },
}

#[derive(Debug, Fault)]
enum OrderError<E> {
    #[fault(transparent)]
    Store(StoreError),
    #[fault(transparent)]
    Other { inner: Fault },
    #[fault(transparent)]
    Foreign(E),
}

#[derive(Debug, Fault)]
#[fault(transparent)]
struct Wrapper(OrderError<Fault>);

#[test]
fn a_transparent_variant_is_what_it_wraps() {
    let down = || StoreError::Down {
        dependency: "store",
        cause: "planted".to_owned(),
    };
    let alone = Fault::from(down());
    let wrapped = Fault::from(Wrapper(OrderError::Store(down())));
    assert_eq!(wrapped.public(), alone.public());
    assert_eq!(wrapped.source().unwrap().to_string(), "planted");
    assert_eq!(wrapped.public().fallback_tool(), Some("read_archive"));

    let inner = Fault::missing_param("id").note("kept");
    let other = Fault::from(OrderError::<Fault>::Other { inner });
    assert_eq!(other.code(), codes::VALIDATION_MISSING_PARAM);
    assert!(other.report().to_string().contains("kept"));

    let foreign = Fault::from(OrderError::Foreign(down()));
    assert_eq!(foreign.public(), alone.public());
}

#[test]
fn what_it_wraps_lists_its_own_codes() {
    assert!(OrderError::<Fault>::CODES.is_empty());
    assert_eq!(StoreError::CODES, [codes::UNAVAILABLE_DEPENDENCY]);
}
