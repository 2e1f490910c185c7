//! Why a meeting place, or something that is there, cannot be used.

/// What to do where nothing is wrong on this side.
pub(super) const TRY_AGAIN: &str = "try again, or leave the option out";

/// Why a meeting place cannot be used, and what to do.
#[derive(Debug)]
pub(super) struct Unusable {
    pub(super) what: String,
    pub(super) remedy: &'static str,
}

impl Unusable {
    /// Nothing is there of machines that shared.
    pub(super) fn unused() -> Self {
        Self {
            what: "no fleet left anything here".to_owned(),
            remedy: "check the address, or begin one with `bellwether fuzz --join`",
        }
    }
}
