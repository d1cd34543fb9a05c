//! Names of errors as APIs send them → code: our own vocabularies, gRPC, OAuth, GraphQL servers, the large clouds,
//! payment, chat and model APIs.

use crate::catalog::{self, codes};
use crate::classify::fold::{CodesByName, FoldedName};
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
        KNOWN.find(name).or_else(|| KNOWN.find(bare?))
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
#[rustfmt::skip]
const GRPC: &[&str] = &[
    "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
    "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE",
    "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
];

static KNOWN: CodesByName = CodesByName::new(NAMES);

/// Names by code: folded, and without `exception`, `error` or `fault` at the end unless the name is nothing without it.
const NAMES: &[(Code, &str)] = &[
    (
        codes::AUTHENTICATION_EXPIRED,
        "accesstokenexpired apikeyexpired expiredtoken requestexpired tokenexpired",
    ),
    (
        codes::AUTHENTICATION_INVALID_CREDENTIALS,
        "accountinactive apikeyinvalid authentication incompletesignature invalidaccesskeyid invalidapikey \
         invalidauth invalidauthenticationtoken invalidclient invalidclienttokenid invalidcredentials \
         invalidgrant invalidtoken signaturedoesnotmatch tokeninvalid tokenrevoked unrecognizedclient",
    ),
    (
        codes::AUTHENTICATION_REQUIRED,
        "credentialsmissing missingauthenticationtoken notauthed notauthenticated unauthenticated \
         unauthorized",
    ),
    (
        codes::BUSINESS_INSUFFICIENT_BALANCE,
        "balanceinsufficient insufficientfunds paymentrequired",
    ),
    (
        codes::BUSINESS_RULE_VIOLATION,
        "cantinvite cantinviteself card carddeclined expiredcard",
    ),
    (
        codes::CONFLICT_ALREADY_EXISTS,
        "alreadyexists bucketalreadyexists bucketalreadyownedbyyou duplicate duplicatekey duplicateresource \
         entityalreadyexists namealreadyexists nametaken resourcealreadyexists",
    ),
    (
        codes::CONFLICT_DUPLICATE_OPERATION,
        "idempotency idempotencykeyinuse",
    ),
    (
        codes::CONFLICT_INVALID_STATE,
        "channelisarchived conflict failedprecondition invalidstate isarchived locktimeout resourceconflict \
         resourceinuse",
    ),
    (
        codes::CONFLICT_VERSION_MISMATCH,
        "aborted conditionalcheckfailed conditionalrequestconflict preconditionfailed resourcemodified",
    ),
    (
        codes::INTERNAL_ERROR,
        "api dataloss generalexception internal internalfailure internalserver internalservererror \
         internalserviceerror server",
    ),
    (
        codes::INTERNAL_NOT_IMPLEMENTED,
        "methodnotallowed notimplemented unimplemented unsupportedoperation",
    ),
    (
        codes::NOT_FOUND_OPERATION,
        "invalidaction unknownmethod unknownoperation",
    ),
    (
        codes::NOT_FOUND_RESOURCE,
        "erroritemnotfound gone itemnotfound modelnotfound nosuchbucket nosuchentity nosuchkey nosuchupload \
         nosuchversion notfound requestresourcenotfound resourcemissing resourcenotfound",
    ),
    (
        codes::PERMISSION_DENIED,
        "accessdenied accesstokenscopeinsufficient authorizationrequestdenied erroraccessdenied forbidden \
         insufficientpermissions insufficientprivileges insufficientscope missingscope notinchannel \
         permission permissiondenied restrictedaction unauthorizedclient unauthorizedoperation",
    ),
    (codes::PERMISSION_FEATURE_DISABLED, "servicedisabled"),
    (
        codes::RATE_LIMIT_EXCEEDED,
        "activitylimitreached bandwidthlimitexceeded provisionedthroughputexceeded ratelimit ratelimited \
         ratelimitexceeded requestlimitexceeded requestthrottled resourceexhausted slowdown throttled \
         throttling toomanyrequests userratelimitexceeded",
    ),
    (
        codes::RATE_LIMIT_QUOTA_EXHAUSTED,
        "billinghardlimitreached dailylimitexceeded insufficientquota keylimitexceeded limitexceeded \
         quotaexceeded quotalimitreached resourcequotaexceeded servicequotaexceeded",
    ),
    (
        codes::UNAVAILABLE_DEPENDENCY,
        "backend badgateway dependencyfailed downstreamserviceerror",
    ),
    (
        codes::UNAVAILABLE_NETWORK,
        "econnrefused econnreset enotfound",
    ),
    (codes::UNAVAILABLE_OVERLOADED, "overloaded"),
    (
        codes::UNAVAILABLE_SERVICE,
        "servicenotavailable serviceunavailable temporarilyunavailable unavailable",
    ),
    (
        codes::UNAVAILABLE_TIMEOUT,
        "deadlineexceeded etimedout gatewaytimeout requesttimeout timeout",
    ),
    (codes::VALIDATION_INVALID_ENUM, "unsupportedgranttype"),
    (codes::VALIDATION_INVALID_TYPE, "parameterinvalidinteger"),
    (
        codes::VALIDATION_INVALID_VALUE,
        "badrequest baduserinput graphqlparsefailed graphqlvalidationfailed invalidargument invalidinput \
         invalidjson invalidparameter invalidparametercombination invalidparametervalue invalidrequest \
         invalidscope malformedquerystring parameterinvalidempty unprocessableentity validation \
         validationfailed",
    ),
    (
        codes::VALIDATION_MISSING_PARAM,
        "missingparameter missingrequiredparameter notext parametermissing",
    ),
    (codes::VALIDATION_OUT_OF_RANGE, "outofrange"),
    (
        codes::VALIDATION_PAYLOAD_TOO_LARGE,
        "contextlengthexceeded entitytoolarge msgtoolong requesttoolarge",
    ),
    (codes::VALIDATION_UNKNOWN_FIELD, "undefinedfield"),
    (
        codes::VALIDATION_UNKNOWN_PARAM,
        "parameterunknown unknownparameter",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_the_table_are_folded_and_stand_once() {
        KNOWN.check();
    }

    #[test]
    fn names_are_known_in_the_spelling_of_their_api() {
        let cases = [
            ("VALIDATION_MISSING_PARAM", codes::VALIDATION_MISSING_PARAM),
            ("RESOURCE_NOT_FOUND", codes::NOT_FOUND_RESOURCE),
            ("CIRCUIT_OPEN", codes::UNAVAILABLE_CIRCUIT_OPEN),
            (
                "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",
                codes::NOT_FOUND_RESOURCE,
            ),
            (
                "ThrottlingException:http://internal.amazon.com/coral/",
                codes::RATE_LIMIT_EXCEEDED,
            ),
            ("NoSuchKey", codes::NOT_FOUND_RESOURCE),
            ("TOKEN_EXPIRED", codes::AUTHENTICATION_EXPIRED),
            ("TOKEN_INVALID", codes::AUTHENTICATION_INVALID_CREDENTIALS),
            ("invalid_grant", codes::AUTHENTICATION_INVALID_CREDENTIALS),
            ("insufficient_quota", codes::RATE_LIMIT_QUOTA_EXHAUSTED),
            ("rate_limit_error", codes::RATE_LIMIT_EXCEEDED),
            ("RESOURCE_EXHAUSTED", codes::RATE_LIMIT_EXCEEDED),
            ("userRateLimitExceeded", codes::RATE_LIMIT_EXCEEDED),
            ("GRAPHQL_VALIDATION_FAILED", codes::VALIDATION_INVALID_VALUE),
            ("overloaded_error", codes::UNAVAILABLE_OVERLOADED),
            ("is_archived", codes::CONFLICT_INVALID_STATE),
            ("restricted_action", codes::PERMISSION_DENIED),
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
        assert_eq!(code_for_grpc(8), Some(codes::RATE_LIMIT_EXCEEDED));
        assert_eq!((code_for_grpc(17), code_for_grpc(-1)), (None, None));
    }
}
