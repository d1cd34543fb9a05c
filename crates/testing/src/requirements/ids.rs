//! The ids themselves, independent of what the data file says about them.

use std::fmt;

/// One of the five documents the requirements come from.
pub(super) struct Document {
    /// The wire format it is known by here.
    pub(super) name: &'static str,
    /// How many requirements it states; they are numbered from 1.
    pub(super) count: u8,
}

/// Every requirement there is: `S0-01` is the first of the first document, `S4-81` the last of the last.
pub(super) const DOCUMENTS: [Document; 5] = [
    Document {
        name: "response-v2",
        count: 93,
    },
    Document {
        name: "mcp-error",
        count: 46,
    },
    Document {
        name: "error-model",
        count: 36,
    },
    Document {
        name: "tool-error",
        count: 41,
    },
    Document {
        name: "mcp-aql",
        count: 81,
    },
];

/// An id that exists. Ordered as the documents are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Id {
    document: u8,
    number: u8,
}

impl Id {
    /// Reads the one spelling of an id: `S`, a digit, a dash, two digits. Nothing else is an id.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (document, number) = text.strip_prefix('S')?.split_once('-')?;
        let (document, number) = (document.parse().ok()?, number.parse().ok()?);
        let id = Self { document, number };
        let exists = (1..=DOCUMENTS.get(id.document())?.count).contains(&number);
        (exists && id.to_string() == text).then_some(id)
    }

    /// Every id, in order.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        (0u8..)
            .zip(&DOCUMENTS)
            .flat_map(|(document, d)| (1..=d.count).map(move |number| Self { document, number }))
    }

    /// The place of its document in [`DOCUMENTS`].
    pub(super) fn document(self) -> usize {
        usize::from(self.document)
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "S{}-{:02}", self.document, self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_297_ids_from_the_first_to_the_last_in_order() {
        let all: Vec<String> = Id::all().map(|id| id.to_string()).collect();
        assert_eq!(all.len(), 297);
        assert_eq!(all.first().unwrap(), "S0-01");
        assert_eq!(all.last().unwrap(), "S4-81");
        assert!(all.is_sorted());
    }

    #[test]
    fn only_the_one_spelling_of_an_existing_id_is_read() {
        assert_eq!(Id::parse("S3-07").unwrap().to_string(), "S3-07");
        for wrong in [
            "S3-7", "S3-007", "s3-07", "S3-42", "S5-01", "S0-00", "S3-07 ", "",
        ] {
            assert_eq!(Id::parse(wrong), None, "{wrong:?}");
        }
    }
}
