//! A [`CompileStage`] tells people what a compilation is doing. It is only reported: a build is the same whether or not there
//! is a listener.

use semver::Version;
use std::sync::Arc;

/// The current stage of a compilation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CompileStage {
    /// A compiler is downloaded, which can take a minute.
    Fetching {
        /// The version.
        version: Version,
    },
    /// A compiler works on files that changed since the last build.
    Compiling {
        /// The number of compiled files.
        done: usize,
        /// The number of files to compile.
        files: usize,
    },
}

/// Receives the stages. It is called on the thread that compiles and must not block.
pub type Listener = Arc<dyn Fn(CompileStage) + Send + Sync>;

/// In the present tense: `fetching solc 0.8.19`, `compiling 41 of 88 files`.
impl std::fmt::Display for CompileStage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Fetching { version } => {
                write!(f, "fetching solc {}.{}.{}", version.major, version.minor, version.patch)
            }
            Self::Compiling { files: 1, .. } => f.write_str("compiling 1 file"),
            Self::Compiling { done: 0, files } => write!(f, "compiling {files} files"),
            Self::Compiling { done, files } => write!(f, "compiling {done} of {files} files"),
        }
    }
}

/// Reports stages to a listener, if there is one.
#[derive(Clone, Default)]
pub(super) struct StageReporter(Option<Listener>);

impl StageReporter {
    pub(super) fn to(listener: Listener) -> Self {
        Self(Some(listener))
    }

    pub(super) fn tell(&self, stage: CompileStage) {
        if let Some(listener) = &self.0 {
            listener(stage);
        }
    }
}

impl std::fmt::Debug for StageReporter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Stages").field(&self.0.is_some()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_read_well() {
        for (stage, text) in [
            (CompileStage::Fetching { version: "0.8.19+commit.7dd6d404".parse().unwrap() }, "fetching solc 0.8.19"),
            (CompileStage::Compiling { done: 0, files: 1 }, "compiling 1 file"),
            (CompileStage::Compiling { done: 0, files: 88 }, "compiling 88 files"),
            (CompileStage::Compiling { done: 41, files: 88 }, "compiling 41 of 88 files"),
        ] {
            assert_eq!(stage.to_string(), text);
        }
    }
}
