//! Names of broken constraints → code: keywords of JSON Schema, types of pydantic, issues of Zod, codes of Rails,
//! Django and the like.

use super::fold::{FoldedName, find};
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
    find(CONSTRAINTS, name).or_else(|| {
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

const MISSING: Code = codes::VALIDATION_MISSING_PARAM;
const TYPE: Code = codes::VALIDATION_INVALID_TYPE;
const ENUM: Code = codes::VALIDATION_INVALID_ENUM;
const RANGE: Code = codes::VALIDATION_OUT_OF_RANGE;
const PATTERN: Code = codes::VALIDATION_PATTERN_MISMATCH;
const UNKNOWN: Code = codes::VALIDATION_UNKNOWN_PARAM;
const VALUE: Code = codes::VALIDATION_INVALID_VALUE;

/// Sorted, folded.
const CONSTRAINTS: &[(&str, Code)] = &[
    ("additionalproperties", UNKNOWN),
    ("alreadyexists", codes::CONFLICT_ALREADY_EXISTS),
    ("anystrmaxlength", RANGE),
    ("anystrminlength", RANGE),
    ("assertionerror", VALUE),
    ("bigdecimal", TYPE),
    ("blank", MISSING),
    ("bytestoolong", RANGE),
    ("bytestooshort", RANGE),
    ("const", ENUM),
    ("custom", VALUE),
    ("date", PATTERN),
    ("datefromdatetimeparsing", PATTERN),
    ("dateparsing", PATTERN),
    ("datetime", PATTERN),
    ("datetimefromdateparsing", PATTERN),
    ("datetimeparsing", PATTERN),
    ("email", PATTERN),
    ("empty", MISSING),
    ("enum", ENUM),
    ("exclusivemaximum", RANGE),
    ("exclusiveminimum", RANGE),
    ("extra", UNKNOWN),
    ("extraforbidden", UNKNOWN),
    ("finitenumber", RANGE),
    ("format", PATTERN),
    ("frozenfield", codes::VALIDATION_READ_ONLY_FIELD),
    ("greaterthan", RANGE),
    ("greaterthanequal", RANGE),
    ("inclusion", ENUM),
    ("intfromfloat", TYPE),
    ("invalid", VALUE),
    ("invalidarguments", VALUE),
    ("invalidchoice", ENUM),
    ("invaliddate", PATTERN),
    ("invalidelement", VALUE),
    ("invalidenumvalue", ENUM),
    ("invalidformat", PATTERN),
    ("invalidkey", VALUE),
    ("invalidliteral", ENUM),
    ("invalidstring", PATTERN),
    ("invalidtype", TYPE),
    ("invalidunion", VALUE),
    ("invaliduniondiscriminator", ENUM),
    ("invalidvalue", ENUM),
    ("jsoninvalid", PATTERN),
    ("lessthan", RANGE),
    ("lessthanequal", RANGE),
    ("listmaxitems", RANGE),
    ("listminitems", RANGE),
    ("literalerror", ENUM),
    ("maximum", RANGE),
    ("maxitems", RANGE),
    ("maxlength", RANGE),
    ("maxproperties", RANGE),
    ("maxvalue", RANGE),
    ("minimum", RANGE),
    ("minitems", RANGE),
    ("minlength", RANGE),
    ("minproperties", RANGE),
    ("minvalue", RANGE),
    ("missing", MISSING),
    ("missingargument", MISSING),
    ("missingfield", MISSING),
    ("missingkeywordonlyargument", MISSING),
    ("missingpositionalonlyargument", MISSING),
    ("multipleof", RANGE),
    ("noneallowed", TYPE),
    ("nonerequired", TYPE),
    ("notalist", TYPE),
    ("notmultipleof", RANGE),
    ("null", MISSING),
    ("numbernotge", RANGE),
    ("numbernotgt", RANGE),
    ("numbernotle", RANGE),
    ("numbernotlt", RANGE),
    ("numbernotmultiple", RANGE),
    ("parameterinvalidempty", VALUE),
    ("parametermissing", MISSING),
    ("parameterunknown", UNKNOWN),
    ("pattern", PATTERN),
    ("readonly", codes::VALIDATION_READ_ONLY_FIELD),
    ("regex", PATTERN),
    ("required", MISSING),
    ("stringpatternmismatch", PATTERN),
    ("stringtoolong", RANGE),
    ("stringtooshort", RANGE),
    ("strregex", PATTERN),
    ("taken", codes::CONFLICT_ALREADY_EXISTS),
    ("timedeltaparsing", PATTERN),
    ("timeparsing", PATTERN),
    ("toobig", RANGE),
    ("toolong", RANGE),
    ("tooshort", RANGE),
    ("toosmall", RANGE),
    ("type", TYPE),
    ("typeerror", TYPE),
    ("unevaluatedproperties", UNKNOWN),
    ("unexpectedkeywordargument", UNKNOWN),
    ("unique", codes::CONFLICT_ALREADY_EXISTS),
    ("unrecognizedkeys", UNKNOWN),
    ("url", PATTERN),
    ("urlparsing", PATTERN),
    ("uuid", PATTERN),
    ("uuidparsing", PATTERN),
    ("uuidtype", TYPE),
    ("valueerror", VALUE),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_folded_and_of_codes_for_input() {
        assert!(CONSTRAINTS.is_sorted_by(|a, b| a.0 < b.0));
        for (name, _) in CONSTRAINTS {
            assert_eq!(FoldedName::of(name).expect("a name").as_str(), *name);
        }
    }

    #[test]
    fn constraints_of_every_family_are_known() {
        let cases = [
            ("required", MISSING),
            ("minLength", RANGE),
            ("additionalProperties", UNKNOWN),
            ("missing", MISSING),
            ("int_parsing", TYPE),
            ("string_type", TYPE),
            ("url_parsing", PATTERN),
            ("value_error.missing", MISSING),
            ("type_error.integer", TYPE),
            ("value_error.number.not_ge", RANGE),
            ("value_error.surprise", VALUE),
            ("unrecognized_keys", UNKNOWN),
            ("missing_field", MISSING),
            ("invalid_choice", ENUM),
        ];
        for (name, code) in cases {
            assert_eq!(code_for(name), Some(code), "{name}");
        }
        assert_eq!(code_for("surprise"), None);
    }

    #[test]
    fn constraints_that_differ_have_the_general_code_in_common() {
        assert_eq!(common([MISSING, MISSING].into_iter()), Some(MISSING));
        assert_eq!(common([MISSING, TYPE].into_iter()), Some(VALUE));
        assert_eq!(common([].into_iter()), None);
    }
}
