// A public half comes from a fault, so what a renderer is given has been through the builders.
use breakfall::{Public, codes};

fn main() {
    let _ = Public::new(codes::INTERNAL_ERROR);
    let _ = Public { code: codes::INTERNAL_ERROR, message: None };
}
