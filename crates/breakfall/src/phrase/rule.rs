//! Rules of a schema, and what to do about a broken one. Parts of sentences, so they begin in lower case and end without a stop.

use serde_json::Value;

use super::{Phrase, PhraseText, phrases};

impl Phrase {
    /// A rule with its limit.
    pub(crate) fn limited(self, limit: Value) -> PhraseText {
        PhraseText::from(self).with("limit", limit)
    }
}

phrases! {
    RULE:
    // What a rule of a schema asks for.
    RULE_MISSING = "rule-missing", "required but missing";
    RULE_ONE_MISSING = "rule-one-missing", "one of {names} is required";
    RULE_TYPE = "rule-type", "expected {expected}";
    RULE_TYPE_GOT = "rule-type-got", "expected {expected}, got {actual}";
    RULE_UNKNOWN = "rule-unknown", "unknown name";
    RULE_NO_VALUE = "rule-no-value", "fits nothing: the schema allows no value here";
    RULE_VALUE = "rule-value", "must be {value}";
    RULE_VALUES = "rule-values", "must be one of {values}";
    RULE_VALUES_MORE = "rule-values-more", "must be one of {values} or {count} others";
    RULE_AT_LEAST = "rule-at-least", "must be at least {limit}";
    RULE_MORE_THAN = "rule-more-than", "must be more than {limit}";
    RULE_AT_MOST = "rule-at-most", "must be at most {limit}";
    RULE_LESS_THAN = "rule-less-than", "must be less than {limit}";
    RULE_LEAST_CHARACTERS = "rule-least-characters", "must have at least {limit} characters";
    RULE_MOST_CHARACTERS = "rule-most-characters", "must have at most {limit} characters";
    RULE_LEAST_ITEMS = "rule-least-items", "must have at least {limit} items";
    RULE_MOST_ITEMS = "rule-most-items", "must have at most {limit} items";
    RULE_LEAST_MEMBERS = "rule-least-members", "must have at least {limit} members";
    RULE_MOST_MEMBERS = "rule-most-members", "must have at most {limit} members";
    RULE_PATTERN = "rule-pattern", "must match the pattern {pattern}";
    RULE_FORMAT = "rule-format", "must be written as {format}";
    RULE_MULTIPLE = "rule-multiple", "must be a multiple of {of}";
    RULE_UNIQUE = "rule-unique", "must not repeat an item";
    RULE_NO_ALTERNATIVE = "rule-no-alternative", "fits none of the alternatives";
    RULE_SEVERAL = "rule-several", "fits several alternatives that exclude each other";
    RULE_DEPTH = "rule-depth", "must not be nested deeper than {limit} levels";
    RULE_CONTAINS = "rule-contains", "lacks an item the schema asks for";
    RULE_FALSE = "rule-false", "is not allowed here";
    RULE_NOT = "rule-not", "is what the schema rules out";
    RULE_ITEMS = "rule-items", "has items the schema does not allow";
    RULE_SCHEMA = "rule-schema", "does not match the schema";
    RULE_RANGE = "rule-range", "is out of range";
    RULE_UNEXPLAINED = "rule-unexplained", "does not match the schema; it is too large to say where";
    RULE_UNJUDGED = "rule-unjudged", "cannot be checked: the schema is too intricate for arguments of this size";

    // What to do about a broken rule.
    REPAIR_MEANT = "repair-meant", "did you mean '{name}'?";
    REPAIR_OMIT = "repair-omit", "leave it out";
    REPAIR_BOUND = "repair-bound", "{value} is the nearest value allowed";
    REPAIR_RENAME = "repair-rename", "rename '{name}' to '{to}'";
    REPAIR_LEAVE_OUT = "repair-leave-out", "leave out '{name}'";
    REPAIR_SEND = "repair-send", "send '{name}' as {value}";
    REPAIR_ADD_VALUE = "repair-add-value", "add '{name}': {value}";
    REPAIR_ADD = "repair-add", "add '{name}'";
    REPAIR_ADD_ONE = "repair-add-one", "add {names}";
    REPAIR_REMOVE = "repair-remove", "remove '{name}'";
    REPAIR_RULE = "repair-rule", "'{name}' {rule}";
    RULE_PARAMETER = "rule-parameter", "Parameter '{name}' {rule}";
}
