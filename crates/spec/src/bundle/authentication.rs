//! The `auth` block of a bundle in the words of ATIP §3.2.7.

use crate::atip::{AuthMethod, Authentication};
use crate::cli_md::Auth;

/// Returns who may use the bundle.
///
/// A check whose yes is another exit code than 0 cannot be said in ATIP and is left out.
pub(super) fn authentication(auth: &Auth) -> Authentication {
    let login = auth.login.as_ref();
    let setup = login.map(|login| login.cmd.as_str().to_owned());
    let state = auth.state.as_ref();
    let variables = auth.state_env().iter().map(|name| AuthMethod {
        kind: "token".to_owned(),
        env_var: Some(name.value.clone()),
        setup_command: setup.clone(),
        ..AuthMethod::default()
    });
    let paths = state.and_then(|state| state.paths.as_deref()).unwrap_or_default();
    let files = paths.iter().map(|path| AuthMethod {
        kind: "oauth".to_owned(),
        config_path: Some(path.value.clone()),
        setup_command: setup.clone(),
        ..AuthMethod::default()
    });
    let mut methods: Vec<AuthMethod> = variables.chain(files).collect();
    if methods.is_empty()
        && let Some(setup) = &setup
    {
        methods.push(AuthMethod {
            kind: "oauth".to_owned(),
            setup_command: Some(setup.clone()),
            ..AuthMethod::default()
        });
    }
    let check = login.and_then(|login| login.completes_when.as_ref());
    let check = check.filter(|check| check.exit_code.unwrap_or(0) == 0);
    Authentication {
        required: Some(true),
        methods,
        check_command: check.map(|check| check.cmd.as_str().to_owned()),
        ..Authentication::default()
    }
}
