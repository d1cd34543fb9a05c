//! Names of broken constraints → code: keywords of JSON Schema, types of pydantic, issues of Zod, codes of Rails,
//! Django and the like.

use super::fold::{CodesByName, FoldedName};
use crate::catalog::codes;
use crate::code::Code;

/// The code a broken constraint stands for.
pub(crate) fn code_for(constraint: &str) -> Option<Code> {
    let folded = FoldedName::of(constraint)?;
    let name = folded.as_str();
    // The first version of pydantic puts a family in front: `value_error.missing`, `type_error.integer`.
    let (family, name) = ["valueerror", "typeerror"]
        .iter()
        .find_map(|family| Some((*family, name.strip_prefix(family)?)))
        .filter(|(_, rest)| !rest.is_empty())
        .unwrap_or(("", name));
    KNOWN.find(name).or_else(|| {
        let typed = family == "typeerror" || name.ends_with("type") || name.ends_with("parsing");
        match family {
            _ if typed => Some(codes::VALIDATION_INVALID_TYPE),
            "valueerror" => Some(codes::VALIDATION_INVALID_VALUE),
            _ => None,
        }
    })
}

/// The one code of several broken constraints: what they agree on, or that values are wrong.
pub(crate) fn common(mut broken: impl Iterator<Item = Code>) -> Option<Code> {
    let first = broken.next()?;
    Some(if broken.all(|code| code == first) {
        first
    } else {
        codes::VALIDATION_INVALID_VALUE
    })
}

static KNOWN: CodesByName = CodesByName::new(CONSTRAINTS);

/// Folded names by code.
const CONSTRAINTS: &[(Code, &str)] = &[
    (codes::CONFLICT_ALREADY_EXISTS, "alreadyexists taken unique"),
    (
        codes::VALIDATION_INVALID_ENUM,
        "const enum inclusion invalidchoice invalidenumvalue invalidliteral invaliduniondiscriminator \
         invalidvalue literalerror",
    ),
    (
        codes::VALIDATION_INVALID_TYPE,
        "bigdecimal intfromfloat invalidtype noneallowed nonerequired notalist type typeerror uuidtype",
    ),
    (
        codes::VALIDATION_INVALID_VALUE,
        "assertionerror custom invalid invalidarguments invalidelement invalidkey invalidunion \
         parameterinvalidempty valueerror",
    ),
    (
        codes::VALIDATION_MISSING_PARAM,
        "blank empty missing missingargument missingfield missingkeywordonlyargument \
         missingpositionalonlyargument null parametermissing required",
    ),
    (
        codes::VALIDATION_OUT_OF_RANGE,
        "anystrmaxlength anystrminlength bytestoolong bytestooshort exclusivemaximum exclusiveminimum \
         finitenumber greaterthan greaterthanequal lessthan lessthanequal listmaxitems listminitems maximum \
         maxitems maxlength maxproperties maxvalue minimum minitems minlength minproperties minvalue \
         multipleof notmultipleof numbernotge numbernotgt numbernotle numbernotlt numbernotmultiple \
         stringtoolong stringtooshort toobig toolong tooshort toosmall",
    ),
    (
        codes::VALIDATION_PATTERN_MISMATCH,
        "date datefromdatetimeparsing dateparsing datetime datetimefromdateparsing datetimeparsing email \
         format invaliddate invalidformat invalidstring jsoninvalid pattern regex stringpatternmismatch \
         strregex timedeltaparsing timeparsing url urlparsing uuid uuidparsing",
    ),
    (codes::VALIDATION_READ_ONLY_FIELD, "frozenfield readonly"),
    (
        codes::VALIDATION_UNKNOWN_PARAM,
        "additionalproperties extra extraforbidden parameterunknown unevaluatedproperties \
         unexpectedkeywordargument unrecognizedkeys",
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
    fn constraints_of_every_family_are_known() {
        let cases = [
            ("required", codes::VALIDATION_MISSING_PARAM),
            ("minLength", codes::VALIDATION_OUT_OF_RANGE),
            ("additionalProperties", codes::VALIDATION_UNKNOWN_PARAM),
            ("missing", codes::VALIDATION_MISSING_PARAM),
            ("int_parsing", codes::VALIDATION_INVALID_TYPE),
            ("string_type", codes::VALIDATION_INVALID_TYPE),
            ("url_parsing", codes::VALIDATION_PATTERN_MISMATCH),
            ("value_error.missing", codes::VALIDATION_MISSING_PARAM),
            ("type_error.integer", codes::VALIDATION_INVALID_TYPE),
            ("value_error.number.not_ge", codes::VALIDATION_OUT_OF_RANGE),
            ("value_error.surprise", codes::VALIDATION_INVALID_VALUE),
            ("unrecognized_keys", codes::VALIDATION_UNKNOWN_PARAM),
            ("missing_field", codes::VALIDATION_MISSING_PARAM),
            ("invalid_choice", codes::VALIDATION_INVALID_ENUM),
        ];
        for (name, code) in cases {
            assert_eq!(code_for(name), Some(code), "{name}");
        }
        assert_eq!(code_for("surprise"), None);
    }

    #[test]
    fn constraints_that_differ_have_the_general_code_in_common() {
        assert_eq!(
            common(
                [
                    codes::VALIDATION_MISSING_PARAM,
                    codes::VALIDATION_MISSING_PARAM
                ]
                .into_iter()
            ),
            Some(codes::VALIDATION_MISSING_PARAM)
        );
        assert_eq!(
            common(
                [
                    codes::VALIDATION_MISSING_PARAM,
                    codes::VALIDATION_INVALID_TYPE
                ]
                .into_iter()
            ),
            Some(codes::VALIDATION_INVALID_VALUE)
        );
        assert_eq!(common([].into_iter()), None);
    }
}
