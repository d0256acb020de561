//! Who may use a tool, and how that is shown (ATIP §3.2.7).

use schemars::JsonSchema;
use serde::Serialize;

use super::Extra;
use crate::secret_places::credential_family;

/// What a tool or a command wants before it works.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub struct Authentication {
    /// Whether nothing works without.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    /// The ways there are.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub methods: Vec<AuthMethod>,
    /// A command that says whether it is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check_command: Option<String>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Authentication {
    /// Returns the variables that hold a credential: those of its methods, and those that make one with them.
    pub fn variables(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for name in self.methods.iter().filter_map(|method| method.env_var.as_deref()) {
            let family = credential_family(name).map_or(&[][..], |family| family.secrets);
            for name in std::iter::once(name).chain(family.iter().copied()) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names
    }
}

/// One way to sign in.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub struct AuthMethod {
    /// `token`, `oauth`, `api-key`, `certificate` or `none`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The variable that holds the credential.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub env_var: Option<String>,
    /// The file that holds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config_path: Option<String>,
    /// The command that a person runs once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setup_command: Option<String>,
    /// What it must permit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scopes: Option<Vec<String>>,
    /// What it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}
