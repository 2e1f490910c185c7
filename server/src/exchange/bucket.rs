//! A [`Bucket`] of one of three object stores, opened with the keys and the endpoint that the environment names, as each store's own tools
//! have them.

use object_store::{
    ClientOptions, Error, ObjectStore, RetryConfig, aws::AmazonS3Builder, azure::MicrosoftAzureBuilder,
    gcp::GoogleCloudStorageBuilder, path::Path, prefix::PrefixStore,
};
use std::{env, fmt, sync::Arc, time::Duration};

/// How long one request may take, and be tried again.
const PATIENCE: Duration = Duration::from_secs(10);

/// Whose store it is, or like whose it speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Provider {
    Amazon,
    Google,
    Azure,
}

impl Provider {
    const ALL: [Self; 3] = [Self::Amazon, Self::Google, Self::Azure];

    /// The provider of addresses with this scheme.
    pub(super) fn of(scheme: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|provider| provider.scheme() == scheme)
    }

    pub(super) fn scheme(self) -> &'static str {
        match self {
            Self::Amazon => "s3",
            Self::Google => "gs",
            Self::Azure => "az",
        }
    }

    /// What to look at if a bucket cannot be opened.
    pub(super) fn remedy(self) -> &'static str {
        match self {
            Self::Amazon => {
                "check the bucket, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, and AWS_ENDPOINT_URL if it is not Amazon's"
            }
            Self::Google => {
                "check the bucket, and GOOGLE_SERVICE_ACCOUNT or GOOGLE_APPLICATION_CREDENTIALS, which name a credentials file"
            }
            Self::Azure => "check the container, AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY",
        }
    }

    /// The variables of the environment that name an endpoint of one's own.
    fn endpoints(self) -> &'static [&'static str] {
        match self {
            Self::Amazon => &["AWS_ENDPOINT_URL", "AWS_ENDPOINT"],
            Self::Google => &["GOOGLE_BASE_URL"],
            Self::Azure => &["AZURE_STORAGE_ENDPOINT", "AZURE_ENDPOINT", "AZURITE_BLOB_STORAGE_URL"],
        }
    }
}

/// A bucket, which Azure calls a container, and a folder in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bucket {
    pub(super) provider: Provider,
    /// Its name, and after a slash the folder.
    path: String,
}

impl Bucket {
    /// The bucket of this name, with the folder in it; none without a name.
    pub(super) fn of(provider: Provider, path: &str) -> Option<Self> {
        let path = path.trim_start_matches('/');
        (!path.is_empty()).then(|| Self { provider, path: path.to_owned() })
    }

    /// The folder in the bucket. Nothing is asked of the store yet.
    pub(super) fn open(&self) -> Result<Arc<dyn ObjectStore>, Error> {
        let client = ClientOptions::new().with_timeout(PATIENCE).with_connect_timeout(PATIENCE / 2);
        let endpoint = self.provider.endpoints().iter().find_map(|name| env::var(name).ok()).unwrap_or_default();
        // Who names a server by `http://` wants to speak to it so.
        let client = client.with_allow_http(endpoint.starts_with("http://"));
        let retry = RetryConfig { max_retries: 2, retry_timeout: PATIENCE, ..RetryConfig::default() };
        let (name, folder) = self.path.split_once('/').unwrap_or((&self.path, ""));
        let bucket: Arc<dyn ObjectStore> = match self.provider {
            Provider::Amazon => {
                let builder = AmazonS3Builder::from_env().with_bucket_name(name);
                Arc::new(builder.with_client_options(client).with_retry(retry).build()?)
            }
            Provider::Google => {
                let builder = GoogleCloudStorageBuilder::from_env().with_bucket_name(name);
                Arc::new(builder.with_client_options(client).with_retry(retry).build()?)
            }
            Provider::Azure => {
                let builder = MicrosoftAzureBuilder::from_env().with_container_name(name);
                Arc::new(builder.with_client_options(client).with_retry(retry).build()?)
            }
        };
        Ok(Arc::new(PrefixStore::new(bucket, Path::from(folder))))
    }
}

impl fmt::Display for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.provider.scheme(), self.path)
    }
}
