use breakfall::Fault;

#[derive(Debug, Fault)]
enum Error {
    #[fault(code = INTERNAL_ERROR)]
    Twice {
        #[fault(corrective_params)]
        first: Option<String>,
        #[fault(corrective_params)]
        second: Option<String>,
    },
    #[fault(code = INTERNAL_ERROR)]
    Named {
        #[fault(corrective_params, detail = "params")]
        params: Option<String>,
    },
    #[fault(code = INTERNAL_ERROR)]
    Shown {
        #[fault(corrective_params, display)]
        params: Option<String>,
    },
}

#[derive(Debug)]
struct Params;

#[derive(Debug, Fault)]
#[fault(code = INTERNAL_ERROR)]
struct OfTheWrongType(#[fault(corrective_params)] Params);

fn main() {}
