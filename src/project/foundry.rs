//! A project whose root holds a `foundry.toml`: its folders, its compiler and its remappings, as forge would have them.

use std::path::{Path, PathBuf};

use super::{
    config::Config,
    error::ProjectError,
    foundry_toml::FoundryToml,
    model::{Layout, Project},
    remappings::Remappings,
};

/// The project whose root holds a `foundry.toml`.
///
/// # Errors
/// When the file is not readable, not TOML, or gives a key that matters here a value of the wrong kind.
pub(super) fn load(root: &Path, profile: Option<&str>) -> Result<Project, ProjectError> {
    let mut toml = FoundryToml::read(root, profile)?;
    let compiler = toml.compiler()?;
    let test = toml.folder("test", "test")?;
    let config = Config { seed: toml.seed(), ..Config::default() };
    let mut project = Project {
        layout: Layout::Foundry,
        sources: vec![toml.source()?],
        tests: test.clone(),
        test_folders: vec![test],
        scripts: Some(toml.folder("script", "script")?),
        libraries: toml.libraries()?,
        include_paths: toml.folders("include_paths")?.unwrap_or_default(),
        compiler,
        test_config: toml.test_config(),
        config,
        ..Project::empty(root)
    };
    for (key, default) in [("out", "out"), ("cache_path", "cache")] {
        project.outputs.push(toml.folder(key, default)?);
    }

    let mut remappings = Remappings::new(root);
    remappings.read_text_file(&mut project.warnings);
    toml.remappings(|text| remappings.add(text))?;
    if toml.boolean("auto_detect_remappings")?.unwrap_or(true) {
        let own = project.sources.iter().chain(&project.test_folders).chain(&project.scripts);
        let own: Vec<PathBuf> = own.cloned().collect();
        remappings.detect(&project.libraries, &own);
    }
    project.remappings = remappings.finish();
    project.warnings.append(&mut toml.warnings);
    Ok(project)
}

#[cfg(test)]
mod tests;
