//! What a fault server can do, as a table, whatever it speaks.

/// When a behaviour shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "whoever tries a behaviour heeds all of them"
)]
pub enum When {
    /// While the tool `misbehave` is called with its name as `how`.
    Call,
    /// From the start on: `--start NAME`, some with a value, `--start NAME=VALUE`.
    Start,
}

/// What a caller can expect who waits for the answer to the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "whoever tries a behaviour heeds all of them"
)]
pub enum Yields {
    /// The right answer comes, whatever else does.
    Answer,
    /// No usable answer comes.
    Nothing,
    /// Something comes that a strict reader refuses and a lenient one may take.
    Doubtful,
}

/// Makes the type `Behaviour` of a table: first the name, type and meaning of its last column, then the rows.
macro_rules! behaviours {
    (
        $(#[doc = $meaning:literal])+ $last:ident: $type:ident;
        $($(#[doc = $about:literal])+ $variant:ident = $name:literal: $when:ident, $yields:ident, $value:ident;)+
    ) => {
        /// A way to misbehave.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Behaviour {
            $($(#[doc = $about])+ $variant,)+
        }

        impl Behaviour {
            /// Every behaviour, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// What to call it by.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// What it does, in a sentence or two.
            pub fn about(self) -> &'static str {
                match self { $(Self::$variant => concat!($($about),+).trim_ascii_start(),)+ }
            }

            /// When it shows.
            pub fn when(self) -> When {
                match self { $(Self::$variant => When::$when,)+ }
            }

            /// What the caller gets of it. For a behaviour of the start: what every later call gets.
            pub fn yields(self) -> Yields {
                match self { $(Self::$variant => Yields::$yields,)+ }
            }

            $(#[doc = $meaning])+
            pub fn $last(self) -> $type {
                match self { $(Self::$variant => $type::$value,)+ }
            }

            /// The behaviour of that name.
            pub fn named(name: &str) -> Option<Self> {
                let mut all = Self::ALL.iter().copied();
                all.find(|behaviour| behaviour.name() == name)
            }

            /// Every behaviour of that moment, in the order of the table.
            pub fn of(when: When) -> impl Iterator<Item = Self> {
                let all = Self::ALL.iter().copied();
                all.filter(move |behaviour| behaviour.when() == when)
            }
        }

        #[cfg(test)]
        mod tests {
            use super::Behaviour;

            #[test]
            fn every_name_is_used_once_and_leads_back() {
                let names: std::collections::BTreeSet<_> =
                    Behaviour::ALL.iter().map(|each| each.name()).collect();
                assert_eq!(names.len(), Behaviour::ALL.len());
                for &each in Behaviour::ALL {
                    assert_eq!(Behaviour::named(each.name()), Some(each));
                }
            }
        }
    };
}

pub(crate) use behaviours;
