//! An operator of NATS servers, whose users show credentials instead of a password: each is described by a token that the one above signed.

use super::{Server, nats_configured};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use nkeys::KeyPair;
use serde_json::{Value, json};
use std::path::Path;

/// A server that knows an operator, who knows an account; and the text of a file of credentials for a user of that account.
pub(crate) fn nats_of_operator(folder: &Path) -> (Server, String) {
    let [operator, system, account, user] =
        [KeyPair::new_operator(), KeyPair::new_account(), KeyPair::new_account(), KeyPair::new_user()];
    // No limits: without them an account may do nothing.
    let limits = json!({
        "subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": true, "conn": -1, "leaf": -1,
        "mem_storage": -1, "disk_storage": -1, "streams": -1, "consumer": -1,
    });
    let account_claims = |is_system: bool| {
        let limits = if is_system { json!({ "subs": -1, "data": -1, "payload": -1, "conn": -1 }) } else { limits.clone() };
        json!({ "type": "account", "version": 2, "limits": limits })
    };
    let configuration = format!(
        "operator: {}\nsystem_account: {system}\nresolver: MEMORY\nresolver_preload: {{\n  {system}: {}\n  {account}: {}\n}}\n",
        token(&operator, &operator.public_key(), json!({ "type": "operator", "version": 2 })),
        token(&operator, &system.public_key(), account_claims(true)),
        token(&operator, &account.public_key(), account_claims(false)),
        system = system.public_key(),
        account = account.public_key(),
    );
    let unlimited = json!({ "type": "user", "version": 2, "subs": -1, "data": -1, "payload": -1 });
    let credentials = format!(
        "-----BEGIN NATS USER JWT-----\n{}\n------END NATS USER JWT------\n\n\
         -----BEGIN USER NKEY SEED-----\n{}\n------END USER NKEY SEED------\n",
        token(&account, &user.public_key(), unlimited),
        user.seed().unwrap(),
    );
    (nats_configured(folder, &configuration), credentials)
}

/// What the issuer says of a subject, signed.
fn token(issuer: &KeyPair, subject: &str, claims: Value) -> String {
    let head = json!({ "typ": "JWT", "alg": "ed25519-nkey" });
    let body = json!({ "iss": issuer.public_key(), "sub": subject, "name": "night", "iat": 1_700_000_000, "nats": claims });
    let encode = |part: &Value| BASE64_URL_SAFE_NO_PAD.encode(part.to_string());
    let signed = format!("{}.{}", encode(&head), encode(&body));
    let signature = BASE64_URL_SAFE_NO_PAD.encode(issuer.sign(signed.as_bytes()).unwrap());
    format!("{signed}.{signature}")
}
