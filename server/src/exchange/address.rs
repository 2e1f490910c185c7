//! An [`Address`] is where machines meet: a folder, a bucket of an object store, or a NATS server.

use super::bucket::{Bucket, Provider};
use anyhow::{Result, anyhow, bail};
use std::{fmt, path::PathBuf, str::FromStr};

/// The campaign where an address of a NATS server names none.
const CAMPAIGN: &str = "bellwether";
/// Characters of the longest name of a campaign: it is part of names that NATS bounds.
const MAX_CAMPAIGN: usize = 64;

/// Where machines meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Address {
    /// A folder that all of them have.
    Folder(PathBuf),
    /// A bucket of an object store: `s3://bucket/prefix`.
    Bucket(Bucket),
    /// A NATS server with JetStream, and the name of a campaign on it.
    Nats { server: String, campaign: String },
}

impl Address {
    /// Checks that a folder is there, for who only reads: who shares makes it.
    pub(super) fn check_is_there(&self) -> Result<()> {
        match self {
            Self::Folder(folder) if !folder.is_dir() => {
                bail!("{self}: no such folder; give one in which machines share, or a corpus folder")
            }
            _ => Ok(()),
        }
    }
}

impl FromStr for Address {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let Some((scheme, rest)) = text.split_once("://") else {
            if text.is_empty() {
                bail!("no address; give a folder, s3://BUCKET/PREFIX (gs://, az://), or nats://HOST:PORT/CAMPAIGN");
            }
            return Ok(Self::Folder(text.into()));
        };
        if let Some(provider) = Provider::of(scheme) {
            let bucket = Bucket::of(provider, rest).map(Self::Bucket);
            return bucket.ok_or_else(|| anyhow!("{text}: no bucket; give {scheme}://BUCKET/PREFIX"));
        }
        match scheme {
            "nats" | "tls" => {
                let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
                if host.rsplit('@').next().is_none_or(str::is_empty) {
                    bail!("{}: no server; give {scheme}://HOST:PORT/CAMPAIGN", without_password(text));
                }
                let campaign = Some(path.trim_end_matches('/')).filter(|name| !name.is_empty()).unwrap_or(CAMPAIGN);
                let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
                if campaign.len() > MAX_CAMPAIGN || !campaign.bytes().all(is_name) {
                    bail!(
                        "{}: not a name for a campaign; use up to {MAX_CAMPAIGN} letters, digits, `-` and `_`",
                        without_password(text)
                    );
                }
                Ok(Self::Nats { server: format!("{scheme}://{host}"), campaign: campaign.to_owned() })
            }
            _ => bail!(
                "{}: cannot share by `{scheme}`; give a folder, s3://BUCKET/PREFIX (gs://, az://), or nats://HOST:PORT/CAMPAIGN",
                without_password(text)
            ),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => write!(f, "{}", folder.display()),
            Self::Bucket(bucket) => write!(f, "{}", without_password(&bucket.to_string())),
            Self::Nats { server, campaign } => write!(f, "{}/{campaign}", without_password(server)),
        }
    }
}

/// A URL as it may be shown.
fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let (host, path) = rest.split_once('/').map_or((rest, None), |(host, path)| (host, Some(path)));
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    path.map_or_else(|| format!("{scheme}://{host}"), |path| format!("{scheme}://{host}/{path}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_folder_a_bucket_or_a_server() {
        let nats = |server: &str, campaign: &str| Address::Nats { server: server.into(), campaign: campaign.into() };
        let bucket = |provider, path: &str| Address::Bucket(Bucket::of(provider, path).unwrap());
        for (text, address) in [
            ("shared", Address::Folder("shared".into())),
            ("C:\\shared", Address::Folder("C:\\shared".into())),
            ("s3://bucket/a/b", bucket(Provider::Amazon, "bucket/a/b")),
            ("gs://bucket", bucket(Provider::Google, "bucket")),
            ("az://container/a", bucket(Provider::Azure, "container/a")),
            ("nats://localhost", nats("nats://localhost", "bellwether")),
            ("nats://ann:secret@host:4222/night-1/", nats("nats://ann:secret@host:4222", "night-1")),
            ("tls://host/a", nats("tls://host", "a")),
        ] {
            assert_eq!(text.parse::<Address>().unwrap(), address, "{text}");
        }
        for bad in [
            "",
            "s3://",
            "gs:///",
            "az://",
            "nats://",
            "nats://ann@",
            "nats://host/a.b",
            "nats://host/a/b",
            "http://host",
        ] {
            assert!(bad.parse::<Address>().is_err(), "{bad}");
        }
    }

    #[test]
    fn no_password_is_shown() {
        let shown = |text: &str| text.parse::<Address>().map_or_else(|error| error.to_string(), |it| it.to_string());
        assert_eq!(shown("nats://ann:secret@host:4222/night"), "nats://host:4222/night");
        assert_eq!(shown("s3://ann:secret@bucket/night"), "s3://bucket/night");
        for bad in ["redis://ann:secret@host/0", "nats://ann:secret@host/a.b"] {
            assert!(!shown(bad).contains("secret"), "{bad}");
        }
    }
}
