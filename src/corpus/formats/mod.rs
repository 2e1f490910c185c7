//! The corpora of other fuzzers: forge, Echidna and Medusa. Their files are lists of calls: who calls what, with which calldata and how
//! much ether, after how long. [`read`] takes such a file, [`Adoption`] makes sequences for a contract of it, and [`write()`] expresses a
//! sequence as one of these fuzzers keeps it, as far as it can. Files and folders are the caller's business, and nothing is executed.

mod adoption;
mod argument;
mod echidna;
mod expressed;
mod foreign_call;
mod forge;
mod haskell;
mod json;
mod medusa;

pub use adoption::{Adopted, Adoption};
pub use expressed::{Expressed, Inexpressible, write};
pub use foreign_call::{ForeignCall, Format};

/// Reads a file of a corpus. The fuzzer is told by the fields of the first call.
///
/// # Errors
///
/// What is wrong, with the place in the file.
pub fn read(text: &str) -> Result<(Format, Vec<ForeignCall>), String> {
    let json: serde_json::Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    // forge keeps what failed within an object.
    let calls = json.get("call_sequence").unwrap_or(&json);
    let calls = calls.as_array().ok_or("no list of calls")?;
    let first = calls.first().ok_or("an empty list of calls")?;
    type Reader = fn(&[serde_json::Value]) -> Result<Vec<ForeignCall>, String>;
    let (format, reader): (_, Reader) = if first.pointer("/call/tag").is_some() {
        (Format::Echidna, echidna::read)
    } else if first.pointer("/call/data").is_some() {
        (Format::Medusa, medusa::read)
    } else if first.get("calldata").is_some() {
        (Format::Forge, forge::read)
    } else {
        return Err("no call of forge, Echidna or Medusa at [0]".to_owned());
    };
    Ok((format, reader(calls)?))
}

#[cfg(test)]
mod tests;
