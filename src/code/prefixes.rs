//! [`Prefixes`] finds which of many codes a text begins with. Compilers begin all code alike, so comparing with one candidate
//! after another would cost the square of their number. Here they are sorted, and each knows the longest other one that it
//! begins with.

use alloy_primitives::Bytes;

/// A set of codes, none twice for the same `T`.
#[derive(Debug)]
pub(super) struct Prefixes<T> {
    /// By code.
    sorted: Vec<(Bytes, T)>,
    /// For each the next shorter one that it begins with.
    shorter: Vec<Option<usize>>,
}

impl<T: Ord + Copy> Prefixes<T> {
    pub(super) fn of(mut codes: Vec<(Bytes, T)>) -> Self {
        codes.sort_unstable();
        let (mut shorter, mut open) = (Vec::with_capacity(codes.len()), Vec::<usize>::new());
        for (at, (code, _)) in codes.iter().enumerate() {
            while open.last().is_some_and(|last| !code.starts_with(&codes[*last].0)) {
                open.pop();
            }
            shorter.push(open.last().copied());
            open.push(at);
        }
        Self { sorted: codes, shorter }
    }

    /// All that `text` begins with, the longest first.
    pub(super) fn begin(&self, text: &[u8]) -> impl Iterator<Item = T> {
        // Whatever `text` begins with is sorted before it, and the last of those begins with it, too.
        let last = self.sorted.partition_point(|(code, _)| code[..] <= *text).checked_sub(1);
        let first =
            std::iter::successors(last, |at| self.shorter[*at]).find(|at| text.starts_with(&self.sorted[*at].0));
        std::iter::successors(first, |at| self.shorter[*at]).map(|at| self.sorted[at].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_a_text_begins_with_is_found_the_longest_first() {
        let words = ["a", "ab", "abc", "abd", "abdx", "b", "ba", "abc"];
        let codes = words.iter().zip(0..).map(|(word, number)| (Bytes::from(*word), number)).collect();
        let prefixes = Prefixes::of(codes);
        for (text, found) in [
            ("abcx", &["abc", "abc", "ab", "a"][..]),
            ("abe", &["ab", "a"]),
            ("abd", &["abd", "ab", "a"]),
            ("abdxyz", &["abdx", "abd", "ab", "a"]),
            ("az", &["a"]),
            ("bb", &["b"]),
            ("c", &[]),
            ("", &[]),
        ] {
            let begin: Vec<&str> = prefixes.begin(text.as_bytes()).map(|at: usize| words[at]).collect();
            assert_eq!(begin, found, "{text}");
        }
    }
}
