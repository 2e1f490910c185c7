//! Closed sets of names: the values that a setting chooses from, each an enum and each spelled in exactly one place.

/// Declares an enum whose variants have the given names in settings, reports and documentation.
macro_rules! names {
    ($(#[$doc:meta])* $vis:vis enum $type:ident { $($(#[$variant_doc:meta])* $variant:ident = $name:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, ::serde::Serialize, ::serde::Deserialize)]
        $vis enum $type {
            $($(#[$variant_doc])* #[serde(rename = $name)] $variant,)+
        }

        impl $type {
            /// Every name, in the order of the variants.
            pub const NAMES: &'static [&'static str] = &[$($name),+];

            /// The name as settings and reports spell it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// The variant of that exact name.
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }

        impl ::std::fmt::Display for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

pub(super) use names;
