//! [`ClientSettings`] holds the settings of the editor's user, as the client sends them: in `initializationOptions`, pushed
//! with `workspace/didChangeConfiguration`, or pulled with `workspace/configuration`. The engine's table defines each key, and
//! a project's `bellwether.toml` is read with the project.

use bellwether::project::Config;
use serde_json::Value;

/// The section of the client's settings that is ours.
pub(crate) const SECTION: &str = "bellwether";

/// The settings of the editor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ClientSettings {
    /// The values that the user set.
    pub(crate) config: Config,
    /// Whether the client allows executing what workspaces name; `None` if it does not say.
    pub(crate) trusted: Option<bool>,
    /// Whether the client shows diagnostics, with what belongs to them, in the same place as hovers.
    pub(crate) diagnostics_in_hover: bool,
    /// Whether the client has commands that show a finding's trace and copy it.
    pub(crate) finding_commands: bool,
}

impl ClientSettings {
    /// Reads `initializationOptions`. The texts describe mistakes in it.
    pub(crate) fn from_options(options: Option<Value>) -> (Self, Vec<String>) {
        let mut options = options.unwrap_or_default();
        let mut told = |key: &str| options.as_object_mut().and_then(|options| options.shift_remove(key));
        // Whatever is not plainly yes is no.
        let trusted = told("trusted").filter(|told| !told.is_null()).map(|told| told == Value::Bool(true));
        let diagnostics_in_hover = told("diagnosticsInHover") == Some(Value::Bool(true));
        let finding_commands = told("findingCommands") == Some(Value::Bool(true));
        let (config, warnings) = Config::from_json(&options);
        (
            Self { config, trusted, diagnostics_in_hover, finding_commands },
            warnings.into_iter().map(|warning| warning.message).collect(),
        )
    }

    /// Takes settings that were pushed or pulled: they replace those before. None where they say nothing about us, so that
    /// they have to be asked for. Trust does not change this way, nor how the client shows things.
    pub(crate) fn update(&mut self, settings: &Value) -> Option<Vec<String>> {
        let ours = settings.get(SECTION).unwrap_or(settings);
        if ours.as_object().is_none_or(|object| object.is_empty() && settings.get(SECTION).is_none()) {
            return None;
        }
        let (config, warnings) = Config::from_json(ours);
        self.config = config;
        Some(warnings.into_iter().map(|warning| warning.message).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn trust_is_taken_off_before_settings_are_read() {
        for (options, trusted) in [
            (None, None),
            (Some(json!(null)), None),
            (Some(json!({ "workers": 2 })), None),
            (Some(json!({ "trusted": null })), None),
            (Some(json!({ "trusted": true })), Some(true)),
            (Some(json!({ "trusted": false })), Some(false)),
            (Some(json!({ "trusted": "perhaps" })), Some(false)),
        ] {
            let (settings, warnings) = ClientSettings::from_options(options.clone());
            assert_eq!((settings.trusted, warnings), (trusted, vec![]), "{options:?}");
        }
    }

    #[test]
    fn how_the_client_shows_things_is_taken_off_too() {
        for (options, shown) in [
            (json!({}), (false, false)),
            (json!({ "diagnosticsInHover": true }), (true, false)),
            (json!({ "findingCommands": true }), (false, true)),
            (json!({ "diagnosticsInHover": 1, "findingCommands": "yes" }), (false, false)),
        ] {
            let (settings, warnings) = ClientSettings::from_options(Some(options.clone()));
            let told = (settings.diagnostics_in_hover, settings.finding_commands);
            assert_eq!((told, warnings), (shown, vec![]), "{options}");
        }
    }

    #[test]
    fn a_mistake_is_a_warning_that_names_the_key() {
        let (settings, warnings) = ClientSettings::from_options(Some(json!({ "workers": 0, "seeed": 1, "seed": 7 })));
        assert_eq!(settings.config.seed, Some(7));
        assert!(warnings[0].contains("`workers`") && warnings[1].contains("`seeed`"), "{warnings:?}");
    }

    #[test]
    fn what_is_pushed_replaces_what_was_set_and_nothing_pushed_says_nothing() {
        let set = |workers| Config { workers, ..Config::default() };
        for (pushed, after) in [
            (json!({ "bellwether": { "workers": 3 } }), Some(set(Some(3)))),
            (json!({ "workers": 3 }), Some(set(Some(3)))),
            (json!({ "bellwether": {} }), Some(set(None))),
            (json!({}), None),
            (json!(null), None),
            (json!([1]), None),
            (json!({ "bellwether": null }), None),
        ] {
            let mut settings =
                ClientSettings { config: set(Some(2)), trusted: Some(true), ..ClientSettings::default() };
            let told = settings.update(&pushed).map(|_| settings.config.clone());
            assert_eq!(told, after, "{pushed}");
            assert_eq!(settings.trusted, Some(true), "what was said of trust stays");
        }
    }
}
