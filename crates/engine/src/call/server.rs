//! A tool of an MCP server, called by an approved call.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use argrail_acli::{Answer, Call, Code, Error, Text};
use argrail_sandbox::Cancel;
use argrail_spec::config::{McpServer, Transport};
use argrail_spec::digest::{Digest, FieldHasher};
use argrail_spec::mcp_tools::{arguments, tool_name};
use serde_json::{Map, Value, json};

use super::intent::{Intent, intend};
use super::plan::{Frame, Read};
use super::secrets::CallSecrets;
use super::shop::Shop;
use super::tool::Tool;
use crate::catalog::mcp::{self, Grant, Hold, Means, Telling};
use crate::files::find_program;
use crate::output::{CAP, mask_data};
use crate::policy::{Approved, Confinement};
use crate::profile::{policy_digest, profile, summary, timeout};
use crate::refusal;
use crate::run::apart;

/// How long a server may take, unless somebody says otherwise.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A tool of a server that is to be called, and how.
pub(super) struct Plan {
    server: McpServer,
    /// The command that the tool is here.
    command: String,
    /// What the server calls it.
    tool: String,
    arguments: Map<String, Value>,
    hold: Hold,
    frame: Frame,
}

impl Plan {
    /// Fixes a call.
    ///
    /// # Errors
    /// When the server is not there any more, or would not understand the words.
    pub(super) fn of(shop: &Shop, read: &Read<'_>, call: &Call) -> Result<Self, Error> {
        let tool = read.tool;
        let gone = || {
            Error::new(
                Code::SetupRequired,
                Text::new("no MCP server is called {} any more").value(&tool.name),
            )
            .hint("A person has to name it in config.json, under mcpServers")
        };
        let server = shop.stock.config.mcp_servers.get(&tool.name).ok_or_else(gone)?;
        let invoked = &read.facts.invoked;
        let [command] = invoked.path.as_slice() else {
            return Err(gone());
        };
        let described = tool.metadata.commands.get(command).ok_or_else(gone)?;
        let arguments = arguments(described, invoked)
            .map_err(|error| error.refusal(&format!("{} {command}", tool.name)))?;
        let hold = hold(shop, read, call)?;
        let server = match &hold {
            // On its own word a server gets no credentials: it has no network to use them for.
            Hold::Closed => without_variables(server.clone()),
            Hold::Granted(_) => server.clone(),
        };
        let name = tool_name(command, described).to_owned();
        Ok(Self {
            frame: frame(shop, read, call, (&server, &name, &arguments, &hold)),
            server,
            command: command.clone(),
            tool: name,
            arguments,
            hold,
        })
    }

    pub(super) fn frame(&self) -> Frame {
        self.frame.clone()
    }
}

/// What an answer holds for: which server, what it is asked, and what it may touch.
fn frame(
    shop: &Shop,
    read: &Read<'_>,
    call: &Call,
    (server, name, arguments, hold): (&McpServer, &str, &Map<String, Value>, &Hold),
) -> Frame {
    let mut fields = FieldHasher::default();
    fields.put("server", mcp::identity(server).to_string());
    let sandbox = match hold {
        Hold::Closed => json!({"confinement": "closed"}),
        Hold::Granted(grant) => {
            fields.put("hold", policy_digest(&grant.policy, &grant.protected).to_string());
            let names = variables(server);
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            summary(
                &grant.policy,
                Confinement::Effects,
                &shop.surroundings.home,
                &names,
            )
        }
    };
    let program = match &server.transport {
        Transport::Command { command, .. } => tool_file(command, &read.tool.search),
        Transport::Url { .. } => None,
    };
    let text = serde_json::to_string(arguments).unwrap_or_default();
    Frame {
        argv: [read.tool.name.as_str(), name, &text]
            .map(OsString::from)
            .to_vec(),
        directory: shop.directory(call.caller()),
        program,
        stdin: Digest::of(""),
        variables: variables(server),
        profile: fields.finish(),
        sandbox,
    }
}

fn tool_file(command: &str, search: &[PathBuf]) -> Option<PathBuf> {
    let found = match command.contains('/') {
        true => Some(PathBuf::from(command)),
        false => find_program(command, search),
    };
    found.and_then(|file| file.canonicalize().ok())
}

/// Starts or dials the server, calls the tool, and makes the answer.
///
/// # Errors
/// When the server cannot be reached, does not answer, or says that the tool failed.
pub(super) async fn run(
    shop: &Shop,
    tool: &Tool,
    plan: Plan,
    approved: &Approved,
    (call, secrets): (&Call, &CallSecrets),
) -> Result<Answer, Error> {
    let Plan {
        server,
        command,
        tool: name,
        arguments,
        hold,
        ..
    } = plan;
    let invoked = &approved.facts().invoked;
    let duration = invoked
        .effects
        .duration
        .as_ref()
        .and_then(|time| time.timeout.as_deref());
    let means = Means {
        launcher: shop.surroundings.launcher.clone(),
        home: shop.surroundings.home.clone(),
        own: shop.ground(tool, call.caller()).own,
        search: tool.search.to_vec(),
        timeout: timeout(duration, shop.stock.config.call_timeout, TIMEOUT),
    };
    let cancel = Cancel::new().map_err(Error::execution)?;
    let intent = Intent {
        tool,
        approved,
        argv: call.words().iter().map(OsString::from).collect(),
        program: None,
        directory: shop.directory(call.caller()),
        env_keys: variables(&server),
        sandbox: &format!("{hold:?}"),
        mask: &secrets.mask,
    };
    intend(shop, call, intent).await?.note(call);
    let asked = Arc::new((tool.name.clone(), name, server, hold));
    let given = Arc::clone(&asked);
    let called = apart(cancel.clone(), move || {
        let (server_name, tool, server, hold) = &*given;
        mcp::call(
            mcp::Call {
                name: server_name,
                server,
                tool,
                arguments,
                hold,
                cancel: Some(&cancel),
            },
            &means,
        )
    })
    .await
    .map_err(|error| Error::execution(&error))?
    .map_err(|error| Error::from(&error))?;
    let mut called = called;
    for said in called.content.iter_mut().chain(&mut called.structured) {
        mask_data(said, &secrets.output);
    }
    let telling = Telling {
        server: &tool.name,
        command: &command,
        hold: &asked.3,
        most: CAP,
    };
    let draft = shop.keep.draft(call.caller().account());
    called.to_answer(&telling, |text| draft.whole(text))
}

/// The names of the variables that a server gets.
fn variables(server: &McpServer) -> Vec<String> {
    match &server.transport {
        Transport::Command { env, .. } => env.keys().cloned().collect(),
        Transport::Url { .. } => Vec::new(),
    }
}

fn without_variables(mut server: McpServer) -> McpServer {
    match &mut server.transport {
        Transport::Command { env, .. } => env.clear(),
        Transport::Url { .. } => {}
    }
    server
}

/// What the server may touch: what it is made of, and where a person said yes, what any call may that a person said yes
/// to. Hosts and files outside of the roots are opened by settled words alone, here too.
fn hold(shop: &Shop, read: &Read<'_>, call: &Call) -> Result<Hold, Error> {
    match read.terms.confinement {
        Confinement::Closed => Ok(Hold::Closed),
        Confinement::Effects => {
            let ground = shop.ground(read.tool, call.caller());
            let made = profile(read.facts, read.terms, &PathBuf::from("/"), &ground)
                .map_err(|refusal| refusal::refused(&refusal))?;
            Ok(Hold::Granted(Box::new(Grant::from(made))))
        }
    }
}
