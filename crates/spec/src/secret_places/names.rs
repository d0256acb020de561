//! What credentials are called: fields of settings, variables.

/// Parts of names that credentials have: fields of settings, variables.
const CREDENTIAL_NAMES: &[&str] = &[
    "token",
    "secret",
    "pass",
    "pwd",
    "auth",
    "credential",
    "apikey",
    "api_key",
    "api-key",
    "access_key",
    "access-key",
    "private_key",
    "private-key",
    "signing_key",
    "encryption_key",
    "key-data",
];

/// Whether a field or a variable is called as credentials are: `_authToken`, `AWS_SECRET_ACCESS_KEY`.
pub fn is_credential_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    CREDENTIAL_NAMES.iter().any(|part| name.contains(part))
}

/// Whether settings say something that may be a credential: anything that is called so, or a URL with a user. Comments
/// count: what was commented out may still open something.
pub fn says_credential(text: &str) -> bool {
    is_credential_name(text) || text.lines().any(has_user)
}

/// Whether a URL in a line names a user: `https://user:password@host`.
fn has_user(line: &str) -> bool {
    let mut rests = line.split("://").skip(1);
    rests.any(|rest| {
        let authority = rest
            .split(|c: char| c.is_whitespace() || matches!(c, '/' | '"' | '\'' | '?' | '#'))
            .next()
            .unwrap_or_default();
        authority.contains('@')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_settings_say_is_looked_at() {
        let check = |text: &str, want: bool| assert_eq!(says_credential(text), want, "{text}");
        check("[source.crates-io]\nreplace-with = \"copy\"\n", false);
        check("[source.copy]\nindex = \"https://host.example/index\"\n", false);
        check("[registries.own]\ntoken = \"x\"\n", true);
        check("registries = { own = { token = \"x\" } }\n", true);
        check("# token = \"x\"\n", true);
        check("index = \"sparse+https://user:word@host.example/\"\n", true);
        check("GOPROXY=https://me@proxy.example,direct\n", true);
        check("GOFLAGS=-mod=mod\nGOPROXY=https://proxy.example/a@b\n", false);
        check("", false);
    }

    #[test]
    fn names_of_credentials_are_known() {
        for name in [
            "GH_TOKEN",
            "AWS_SECRET_ACCESS_KEY",
            "PGPASSWORD",
            "_authToken",
            "VAULT_TOKEN",
            "MYSQL_PWD",
        ] {
            assert!(is_credential_name(name), "{name}");
        }
        for name in ["VAULT_ADDR", "NOMAD_REGION", "LANG", "KUBECONFIG", "registry"] {
            assert!(!is_credential_name(name), "{name}");
        }
    }
}
