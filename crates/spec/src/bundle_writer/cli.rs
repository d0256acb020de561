//! The `CLI.md` of a program.

use serde_json::{Map, Value, json};

use super::known::Known;
use super::sandbox::Needs;
use super::version::version_check;
use crate::atip::Metadata;
use crate::export::line;

/// Returns the front matter without its commands.
pub(super) fn front(id: &str, known: &Known<'_>, needs: &Needs) -> Map<String, Value> {
    let bin = known.bin;
    let title = known
        .metadata
        .and_then(|metadata| metadata.title.as_deref())
        .map(|title| line(title, 80))
        .filter(|title| !title.is_empty());
    let description = known
        .metadata
        .map(|metadata| line(&metadata.description, 2000))
        .filter(|text| !text.is_empty());
    let mut out = Map::new();
    out.insert("name".to_owned(), title.unwrap_or_else(|| bin.to_owned()).into());
    out.insert("id".to_owned(), id.into());
    out.insert(
        "description".to_owned(),
        description
            .unwrap_or_else(|| format!("The program {bin}."))
            .into(),
    );
    out.insert("version".to_owned(), "1.0.0".into());
    out.insert("bin".to_owned(), bin.into());
    out.insert("install".to_owned(), install(known));
    out.insert(
        "version_check".to_owned(),
        Value::Object(version_check(bin, known.version)),
    );
    if let Some(auth) = known.metadata.and_then(|metadata| auth(bin, metadata)) {
        out.insert("auth".to_owned(), auth);
    }
    out.insert("sandbox".to_owned(), needs.block());
    out.insert(
        "output".to_owned(),
        json!({"default_format": "text", "stream": "stdout", "error_stream": "stderr"}),
    );
    let help = json!([{"goal": "see what it can do", "cmd": format!("{bin} --help")}]);
    out.insert("examples".to_owned(), help);
    out
}

/// The packages that somebody who can be trusted says it is in; nothing if nobody does. A name is never guessed: whoever
/// registers the guess decides what is installed.
fn install(known: &Known<'_>) -> Value {
    let fits = |package: &str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.+@/".contains(c);
        !package.is_empty() && package.len() <= 256 && !package.starts_with('-') && package.chars().all(plain)
    };
    let found = known.found.iter().filter(|found| fits(&found.package));
    let list: Vec<Value> = found
        .map(|found| json!({"method": found.method, "package": found.package}))
        .collect();
    match list.is_empty() {
        true => Value::Null,
        false => Value::Array(list),
    }
}

/// What stands in the place of install methods that nobody knows. To a reader it is nothing, which lint tells.
pub(super) const UNFINISHED: (&str, &str) = (
    "install: null\n",
    "install: # unfinished
  # Nobody who can be trusted says which package has this program: no package manager of this machine, not argrail.
  # Write an entry for each system, of a package that you know to be this program, such as:
  #   - { method: apt, package: NAME }
",
);

/// How one signs in, where nothing works without and the commands are plain ones of the program itself.
fn auth(bin: &str, metadata: &Metadata) -> Option<Value> {
    let auth = metadata
        .authentication
        .as_ref()
        .filter(|auth| auth.required == Some(true))?;
    let plain = |c: char| c.is_ascii_alphanumeric() || " _./=:@,-".contains(c);
    let is_own = |cmd: &&str| cmd.split(' ').next() == Some(bin) && cmd.chars().all(plain);
    let mut setup = auth
        .methods
        .iter()
        .filter_map(|method| method.setup_command.as_deref());
    let cmd = setup.find(is_own);
    let check = auth.check_command.as_deref().filter(is_own);
    let is_variable = |name: &&str| {
        let capital = |c: char| c.is_ascii_uppercase() || c == '_';
        name.starts_with(capital) && name.chars().all(|c| capital(c) || c.is_ascii_digit())
    };
    let variables: Vec<&str> = auth
        .methods
        .iter()
        .filter_map(|method| method.env_var.as_deref())
        .filter(is_variable)
        .collect();
    let mut out = Map::new();
    if !variables.is_empty() {
        out.insert("state".to_owned(), json!({"env": variables}));
    }
    if let Some(cmd) = cmd {
        let mut login = json!({"cmd": cmd, "interactive": true});
        if let (Some(login), Some(check)) = (login.as_object_mut(), check) {
            login.insert("completes_when".to_owned(), json!({"cmd": check, "exit_code": 0}));
        }
        out.insert("login".to_owned(), login);
    }
    (!out.is_empty()).then_some(Value::Object(out))
}
