//! The SARIF 2.1.0 form of a report, as code hosts and editors read it: the oracles are its rules, the findings its results, each with the
//! calls that prove it as a code flow. What kept something from being fuzzed is a notification: a run without results that has some was
//! not clean.

mod location;
mod notification;
mod result;
mod rule;

use super::Report;
use crate::oracle::OracleMeta;
use notification::{descriptors, notifications};
use result::results;
use rule::rule;
use serde_json::{Value, json};

/// The schema, at the place where its committee keeps it.
const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

impl Report {
    /// The SARIF form: a log with one run.
    pub fn to_sarif(&self) -> Value {
        let what_is = "The folder in which bellwether was started.";
        json!({
            "$schema": SCHEMA,
            "version": "2.1.0",
            "runs": [{
                "tool": {
                    "driver": {
                        "name": "bellwether",
                        "fullName": format!("Bellwether {}", self.version),
                        "version": self.version,
                        "semanticVersion": self.version,
                        "shortDescription": { "text": "Fuzzes Solidity while it is being written." },
                        "rules": OracleMeta::all().map(rule).collect::<Vec<_>>(),
                        "notifications": descriptors(),
                    },
                },
                "invocations": [{
                    "executionSuccessful": !self.nothing_ran() && !self.interrupted && !self.has_internal_errors(),
                    "toolExecutionNotifications": notifications(self),
                }],
                "originalUriBaseIds": { location::BASE: { "description": { "text": what_is } } },
                "columnKind": "unicodeCodePoints",
                "results": results(self),
                "properties": {
                    "seed": self.seed,
                    "workers": self.workers,
                    "executions": self.executions(),
                    "elapsed_ms": self.elapsed.as_millis() as u64,
                },
            }],
        })
    }
}
