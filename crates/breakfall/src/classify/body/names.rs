//! Names of errors as APIs send them → code: our own vocabularies, gRPC, OAuth, GraphQL servers, the large clouds,
//! payment, chat and model APIs.

use crate::catalog::{self, codes};
use crate::classify::fold::{FoldedName, find};
use crate::code::{Category, Code};
use crate::wire::{Dialect, code_of, foreign};

/// The code a well-known name stands for.
pub(crate) fn code_for(name: &str) -> Option<Code> {
    // Amazon writes `com.amazon.service#ThrottlingException:http://…`.
    let name = name.rsplit_once('#').map_or(name, |(_, last)| last);
    let name = name.split_once(':').map_or(name, |(first, _)| first);
    // Elsewhere a token is a credential, not the answer to a question this library asked.
    let own = catalog::by_name(name)
        .filter(|_| !name.starts_with("TOKEN_"))
        .or_else(|| code_of(name, Dialect::McpError))
        .or_else(|| code_of(name, Dialect::ResponseV2));
    own.or_else(|| {
        let folded = FoldedName::of(name)?;
        let name = folded.as_str();
        let bare = ["exception", "error", "fault"]
            .iter()
            .find_map(|ending| name.strip_suffix(ending))
            .filter(|bare| !bare.is_empty());
        find(NAMES, name).or_else(|| find(NAMES, bare?))
    })
}

/// The category that the words of an unknown name suggest: `ORDER_NOT_FOUND` is about something missing.
pub(crate) fn category_of(name: &str) -> Option<Category> {
    let looks_like_one = name.len() <= 96 && !name.contains(char::is_whitespace);
    looks_like_one.then(|| foreign::category_of(&snake(name)))?
}

/// The code of a canonical gRPC status number.
pub(crate) fn code_for_grpc(number: i64) -> Option<Code> {
    let at = usize::try_from(number).ok()?;
    code_for(GRPC.get(at)?)
}

/// `OrderNotFound` → `Order_Not_Found`.
fn snake(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 8);
    let mut lower = false;
    for c in name.chars() {
        if c.is_ascii_uppercase() && lower {
            out.push('_');
        }
        lower = c.is_ascii_lowercase() || c.is_ascii_digit();
        out.push(if c == '-' || c == '.' { '_' } else { c });
    }
    out
}

/// In the order of their numbers.
const GRPC: &[&str] = &[
    "OK",
    "CANCELLED",
    "UNKNOWN",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "UNIMPLEMENTED",
    "INTERNAL",
    "UNAVAILABLE",
    "DATA_LOSS",
    "UNAUTHENTICATED",
];

const VALUE: Code = codes::VALIDATION_INVALID_VALUE;
const MISSING: Code = codes::VALIDATION_MISSING_PARAM;
const UNKNOWN: Code = codes::VALIDATION_UNKNOWN_PARAM;
const TOO_LARGE: Code = codes::VALIDATION_PAYLOAD_TOO_LARGE;
const SIGN_IN: Code = codes::AUTHENTICATION_REQUIRED;
const REFUSED: Code = codes::AUTHENTICATION_INVALID_CREDENTIALS;
const EXPIRED: Code = codes::AUTHENTICATION_EXPIRED;
const DENIED: Code = codes::PERMISSION_DENIED;
const OFF: Code = codes::PERMISSION_FEATURE_DISABLED;
const GONE: Code = codes::NOT_FOUND_RESOURCE;
const NO_SUCH_OPERATION: Code = codes::NOT_FOUND_OPERATION;
const EXISTS: Code = codes::CONFLICT_ALREADY_EXISTS;
const CHANGED: Code = codes::CONFLICT_VERSION_MISMATCH;
const STATE: Code = codes::CONFLICT_INVALID_STATE;
const AGAIN: Code = codes::CONFLICT_DUPLICATE_OPERATION;
const RATE: Code = codes::RATE_LIMIT_EXCEEDED;
const QUOTA: Code = codes::RATE_LIMIT_QUOTA_EXHAUSTED;
const BROKE: Code = codes::BUSINESS_INSUFFICIENT_BALANCE;
const RULE: Code = codes::BUSINESS_RULE_VIOLATION;
const DOWN: Code = codes::UNAVAILABLE_SERVICE;
const BUSY: Code = codes::UNAVAILABLE_OVERLOADED;
const LATE: Code = codes::UNAVAILABLE_TIMEOUT;
const UPSTREAM: Code = codes::UNAVAILABLE_DEPENDENCY;
const DEFECT: Code = codes::INTERNAL_ERROR;
const UNBUILT: Code = codes::INTERNAL_NOT_IMPLEMENTED;

/// Sorted, folded, and without `exception`, `error` or `fault` at the end unless the name is nothing without it.
const NAMES: &[(&str, Code)] = &[
    ("aborted", CHANGED),
    ("accessdenied", DENIED),
    ("accesstokenexpired", EXPIRED),
    ("accesstokenscopeinsufficient", DENIED),
    ("accountinactive", REFUSED),
    ("activitylimitreached", RATE),
    ("alreadyexists", EXISTS),
    ("api", DEFECT),
    ("apikeyexpired", EXPIRED),
    ("apikeyinvalid", REFUSED),
    ("authentication", REFUSED),
    ("authorizationrequestdenied", DENIED),
    ("backend", UPSTREAM),
    ("badgateway", UPSTREAM),
    ("badrequest", VALUE),
    ("baduserinput", VALUE),
    ("balanceinsufficient", BROKE),
    ("bandwidthlimitexceeded", RATE),
    ("billinghardlimitreached", QUOTA),
    ("bucketalreadyexists", EXISTS),
    ("bucketalreadyownedbyyou", EXISTS),
    ("cantinvite", RULE),
    ("cantinviteself", RULE),
    ("card", RULE),
    ("carddeclined", RULE),
    ("channelisarchived", STATE),
    ("conditionalcheckfailed", CHANGED),
    ("conditionalrequestconflict", CHANGED),
    ("conflict", STATE),
    ("contextlengthexceeded", TOO_LARGE),
    ("credentialsmissing", SIGN_IN),
    ("dailylimitexceeded", QUOTA),
    ("dataloss", DEFECT),
    ("deadlineexceeded", LATE),
    ("dependencyfailed", UPSTREAM),
    ("downstreamserviceerror", UPSTREAM),
    ("duplicate", EXISTS),
    ("duplicatekey", EXISTS),
    ("duplicateresource", EXISTS),
    ("econnrefused", codes::UNAVAILABLE_NETWORK),
    ("econnreset", codes::UNAVAILABLE_NETWORK),
    ("enotfound", codes::UNAVAILABLE_NETWORK),
    ("entityalreadyexists", EXISTS),
    ("entitytoolarge", TOO_LARGE),
    ("erroraccessdenied", DENIED),
    ("erroritemnotfound", GONE),
    ("etimedout", LATE),
    ("expiredcard", RULE),
    ("expiredtoken", EXPIRED),
    ("failedprecondition", STATE),
    ("forbidden", DENIED),
    ("gatewaytimeout", LATE),
    ("generalexception", DEFECT),
    ("gone", GONE),
    ("graphqlparsefailed", VALUE),
    ("graphqlvalidationfailed", VALUE),
    ("idempotency", AGAIN),
    ("idempotencykeyinuse", AGAIN),
    ("incompletesignature", REFUSED),
    ("insufficientfunds", BROKE),
    ("insufficientpermissions", DENIED),
    ("insufficientprivileges", DENIED),
    ("insufficientquota", QUOTA),
    ("insufficientscope", DENIED),
    ("internal", DEFECT),
    ("internalfailure", DEFECT),
    ("internalserver", DEFECT),
    ("internalservererror", DEFECT),
    ("internalserviceerror", DEFECT),
    ("invalidaccesskeyid", REFUSED),
    ("invalidaction", NO_SUCH_OPERATION),
    ("invalidapikey", REFUSED),
    ("invalidargument", VALUE),
    ("invalidauth", REFUSED),
    ("invalidauthenticationtoken", REFUSED),
    ("invalidclient", REFUSED),
    ("invalidclienttokenid", REFUSED),
    ("invalidcredentials", REFUSED),
    ("invalidgrant", REFUSED),
    ("invalidinput", VALUE),
    ("invalidjson", VALUE),
    ("invalidparameter", VALUE),
    ("invalidparametercombination", VALUE),
    ("invalidparametervalue", VALUE),
    ("invalidrequest", VALUE),
    ("invalidscope", VALUE),
    ("invalidstate", STATE),
    ("invalidtoken", REFUSED),
    ("isarchived", STATE),
    ("itemnotfound", GONE),
    ("keylimitexceeded", QUOTA),
    ("limitexceeded", QUOTA),
    ("locktimeout", STATE),
    ("malformedquerystring", VALUE),
    ("methodnotallowed", UNBUILT),
    ("missingauthenticationtoken", SIGN_IN),
    ("missingparameter", MISSING),
    ("missingrequiredparameter", MISSING),
    ("missingscope", DENIED),
    ("modelnotfound", GONE),
    ("msgtoolong", TOO_LARGE),
    ("namealreadyexists", EXISTS),
    ("nametaken", EXISTS),
    ("nosuchbucket", GONE),
    ("nosuchentity", GONE),
    ("nosuchkey", GONE),
    ("nosuchupload", GONE),
    ("nosuchversion", GONE),
    ("notauthed", SIGN_IN),
    ("notauthenticated", SIGN_IN),
    ("notext", MISSING),
    ("notfound", GONE),
    ("notimplemented", UNBUILT),
    ("notinchannel", DENIED),
    ("outofrange", codes::VALIDATION_OUT_OF_RANGE),
    ("overloaded", BUSY),
    ("parameterinvalidempty", VALUE),
    ("parameterinvalidinteger", codes::VALIDATION_INVALID_TYPE),
    ("parametermissing", MISSING),
    ("parameterunknown", UNKNOWN),
    ("paymentrequired", BROKE),
    ("permission", DENIED),
    ("permissiondenied", DENIED),
    ("preconditionfailed", CHANGED),
    ("provisionedthroughputexceeded", RATE),
    ("quotaexceeded", QUOTA),
    ("quotalimitreached", QUOTA),
    ("ratelimit", RATE),
    ("ratelimited", RATE),
    ("ratelimitexceeded", RATE),
    ("requestexpired", EXPIRED),
    ("requestlimitexceeded", RATE),
    ("requestresourcenotfound", GONE),
    ("requestthrottled", RATE),
    ("requesttimeout", LATE),
    ("requesttoolarge", TOO_LARGE),
    ("resourcealreadyexists", EXISTS),
    ("resourceconflict", STATE),
    ("resourceexhausted", RATE),
    ("resourceinuse", STATE),
    ("resourcemissing", GONE),
    ("resourcemodified", CHANGED),
    ("resourcenotfound", GONE),
    ("resourcequotaexceeded", QUOTA),
    ("restrictedaction", DENIED),
    ("server", DEFECT),
    ("servicedisabled", OFF),
    ("servicenotavailable", DOWN),
    ("servicequotaexceeded", QUOTA),
    ("serviceunavailable", DOWN),
    ("signaturedoesnotmatch", REFUSED),
    ("slowdown", RATE),
    ("temporarilyunavailable", DOWN),
    ("throttled", RATE),
    ("throttling", RATE),
    ("timeout", LATE),
    ("tokenexpired", EXPIRED),
    ("tokeninvalid", REFUSED),
    ("tokenrevoked", REFUSED),
    ("toomanyrequests", RATE),
    ("unauthenticated", SIGN_IN),
    ("unauthorized", SIGN_IN),
    ("unauthorizedclient", DENIED),
    ("unauthorizedoperation", DENIED),
    ("unavailable", DOWN),
    ("undefinedfield", codes::VALIDATION_UNKNOWN_FIELD),
    ("unimplemented", UNBUILT),
    ("unknownmethod", NO_SUCH_OPERATION),
    ("unknownoperation", NO_SUCH_OPERATION),
    ("unknownparameter", UNKNOWN),
    ("unprocessableentity", VALUE),
    ("unrecognizedclient", REFUSED),
    ("unsupportedgranttype", codes::VALIDATION_INVALID_ENUM),
    ("unsupportedoperation", UNBUILT),
    ("userratelimitexceeded", RATE),
    ("validation", VALUE),
    ("validationfailed", VALUE),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_folded() {
        for pair in NAMES.windows(2) {
            assert!(pair[0].0 < pair[1].0, "{} then {}", pair[0].0, pair[1].0);
        }
        for (name, _) in NAMES {
            assert_eq!(FoldedName::of(name).expect("a name").as_str(), *name);
        }
    }

    #[test]
    fn names_are_known_in_the_spelling_of_their_api() {
        let cases = [
            ("VALIDATION_MISSING_PARAM", MISSING),
            ("RESOURCE_NOT_FOUND", GONE),
            ("CIRCUIT_OPEN", codes::UNAVAILABLE_CIRCUIT_OPEN),
            (
                "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",
                GONE,
            ),
            (
                "ThrottlingException:http://internal.amazon.com/coral/",
                RATE,
            ),
            ("NoSuchKey", GONE),
            ("TOKEN_EXPIRED", EXPIRED),
            ("TOKEN_INVALID", REFUSED),
            ("invalid_grant", REFUSED),
            ("insufficient_quota", QUOTA),
            ("rate_limit_error", RATE),
            ("RESOURCE_EXHAUSTED", RATE),
            ("userRateLimitExceeded", RATE),
            ("GRAPHQL_VALIDATION_FAILED", VALUE),
            ("overloaded_error", BUSY),
            ("is_archived", STATE),
            ("restricted_action", DENIED),
        ];
        for (name, code) in cases {
            assert_eq!(code_for(name), Some(code), "{name}");
        }
        for name in ["", "ORDER_LOCKED", "a sentence about not found", "error"] {
            assert_eq!(code_for(name), None, "{name}");
        }
    }

    #[test]
    fn the_words_of_an_unknown_name_tell_its_category() {
        assert_eq!(category_of("OrderNotFound"), Some(Category::NotFound));
        assert_eq!(category_of("cart.invalid-sku"), Some(Category::Validation));
        assert_eq!(category_of("the thing was not found"), None);
    }

    #[test]
    fn every_grpc_number_but_two_has_a_code() {
        let known = (0..17).filter(|number| code_for_grpc(*number).is_some());
        // All is well, and cancelled, and unknown, are no kinds of failure.
        assert_eq!(known.count(), 14);
        assert_eq!(code_for_grpc(8), Some(RATE));
        assert_eq!((code_for_grpc(17), code_for_grpc(-1)), (None, None));
    }
}
