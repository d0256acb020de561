//! The command line of people: verbs and their flags. Agents never see these; they get the tool `cli`.

use std::ffi::OsString;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use argrail_engine::call::Wait;
use argrail_spec::lint::FileKind;
use clap::{Args, Parser, Subcommand};

use crate::args::agent::AgentArgs;
use crate::args::audit::AuditArgs;
use crate::args::bundle::{AddArgs, InstallArgs, StatusArgs};
use crate::args::deciding::{ApprovalsArgs, ApproveArgs, DenyArgs, GrantArgs, GrantsArgs, RevokeArgs};
use crate::args::infer::InferArgs;
use crate::args::new::NewArgs;

/// One program through which any AI agent can use any command-line tool.
#[derive(Debug, Parser)]
#[command(
    name = "argrail",
    version,
    about,
    max_term_width = 100,
    disable_help_subcommand = true,
    after_help = "argrail --agent [--commands=A,B] [--depth=N] prints what argrail is, as metadata for other hosts."
)]
pub struct CommandLine {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
    /// Print one JSON envelope on stdout, also for errors.
    #[arg(long, global = true)]
    pub json: bool,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Serve the tool `cli` to agents over MCP: stdio, or HTTP with --http.
    Serve(ServeArgs),
    /// Answer one command exactly as the MCP tool would, and print the envelope. With --provider, make the
    /// tool calls of a model provider's message.
    Call(CallArgs),
    /// Run one command by the same path, for a person: raw output, and the tool's own exit number.
    Run(RunArgs),
    /// Say whether a command would run, ask or be refused, with every rule behind it. Runs nothing.
    Why(WhyArgs),
    /// Answer commands line by line, with history and completion.
    Repl,
    /// Run one command under a sandbox block of AIP-29, enforced by the kernel.
    Sandbox(SandboxArgs),
    /// Find the tools on this machine. Nothing is executed without --probe.
    Scan(ScanArgs),
    /// Accept a project or a changed tool, after showing what it wants.
    Trust(TrustArgs),
    /// Add a bundle: show what it wants, accept it, install its program.
    Add(AddArgs),
    /// Install the programs of bundles that were added.
    Install(InstallArgs),
    /// Show how far each bundle is: installed, in range, set up, signed in.
    Status(StatusArgs),
    /// Drive other agents, each in its sandbox, by what they say of themselves.
    Agent(AgentArgs),
    /// Show what waits for a person; with --watch, on a screen to decide on.
    Approvals(ApprovalsArgs),
    /// Say yes to a question, once, or with --for and --scope to calls like it.
    Approve(ApproveArgs),
    /// Say no to a question, and perhaps why.
    Deny(DenyArgs),
    /// List what is allowed without a question, and until when.
    Grants(GrantsArgs),
    /// Allow calls beforehand, without a question, by a pattern and for a time.
    Grant(GrantArgs),
    /// Take back grants, and answers that nobody has used yet.
    Revoke(RevokeArgs),
    /// List every tool that is known, and how far it may be used.
    List(ListArgs),
    /// Show what is known about a tool or one of its commands, and where each field comes from.
    Show(ShowArgs),
    /// Find the command for what you want to do.
    Search(SearchArgs),
    /// Learn what a tool can be told to do from its help, its manual and its completions, and print it as metadata.
    /// With --from-file, read one text and start nothing.
    Infer(InferArgs),
    /// Write a first version of something to complete: a bundle for a program.
    New(NewArgs),
    /// Check metadata, patterns, configuration and other files, with line and column.
    Lint(LintArgs),
    /// Print the definitions of tools as a model provider takes them.
    Export(ExportArgs),
    /// Tell what changed between two metadata files: what breaks, what does not, and the effects.
    Diff(DiffArgs),
    /// Show, check and export the record of calls.
    Audit(AuditArgs),
    /// Say what this machine can enforce; with --prove, try real escapes and show them failing.
    Doctor(DoctorArgs),
}

/// `argrail serve`.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// Serve streamable HTTP on a loopback address (127.0.0.1:0 picks a port) or on unix:PATH.
    #[arg(long, value_name = "ADDR")]
    pub http: Option<String>,
    /// Read the bearer token from this file, or make one there.
    #[arg(long, value_name = "FILE", requires = "http")]
    pub token_file: Option<PathBuf>,
    /// Accept requests of web pages from this origin. May be repeated; none is accepted otherwise.
    #[arg(long = "allow-origin", value_name = "ORIGIN", requires = "http")]
    pub allow_origins: Vec<String>,
    /// Allow no more than this delegation does (ATIP §4.3), whoever connects.
    #[arg(long, value_name = "FILE")]
    pub delegation: Option<PathBuf>,
    /// Let a call wait so long for a person before it is answered with the question's name: 20s, 0.
    #[arg(long, value_name = "D", value_parser = crate::amount::wait)]
    pub wait: Option<Duration>,
    /// Take what the client answers to elicitation/create for a person's word. Over HTTP only from clients with a
    /// credential that was made for it: argrail approvals --new-token FILE --elicitation.
    #[arg(long)]
    pub elicitation: bool,
}

/// `argrail call`.
#[derive(Debug, Args)]
pub struct CallArgs {
    /// The command, as one string: argrail call 'help x-argrail'.
    #[arg(
        value_name = "COMMAND STRING",
        allow_hyphen_values = true,
        required_unless_present_any = ["provider", "tool"],
        conflicts_with_all = ["provider", "tool", "input", "files"]
    )]
    pub command: Option<String>,
    /// Call this tool with the JSON object of --input as its arguments.
    #[arg(long, value_name = "NAME", requires = "input", conflicts_with = "provider")]
    pub tool: Option<String>,
    /// Make the tool calls in a message of this provider, and print its answers to them.
    #[arg(long, value_enum, value_name = "P", requires = "input")]
    pub provider: Option<Provider>,
    /// With --provider, the file of its message; with --tool, the JSON itself. - is stdin for both.
    #[arg(long, value_name = "FILE|JSON")]
    pub input: Option<OsString>,
    /// Who asks, for the record and for a delegation of that name in the configuration. It only ever narrows.
    #[arg(long, value_name = "NAME")]
    pub caller: Option<String>,
    /// Look the function up in this metadata file rather than in the catalogue, and run nothing: the command line is
    /// printed. May be repeated.
    #[arg(long = "file", value_name = "FILE", requires = "provider")]
    pub files: Vec<PathBuf>,
    /// Wait so long for a person if one has to be asked: 30s, 5m. Not at all, unless said.
    #[arg(long, value_name = "D", value_parser = crate::amount::wait, conflicts_with = "files")]
    pub wait: Option<Duration>,
}

impl CallArgs {
    /// Returns how long the call waits for a person.
    pub fn waits(&self) -> Wait {
        Wait::For(self.wait.unwrap_or_default())
    }
}

/// `argrail run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// The command and its words.
    #[arg(
        value_name = "ARGV",
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub argv: Vec<String>,
}

/// `argrail why`.
#[derive(Debug, Args)]
pub struct WhyArgs {
    /// Judge it as if this caller asked: a delegation of that name in the configuration then applies.
    #[arg(long, value_name = "NAME")]
    pub caller: Option<String>,
    /// The command and its words.
    #[arg(
        value_name = "ARGV",
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub argv: Vec<String>,
}

/// Whose tool calls are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Provider {
    /// A message or a call of chat completions, or an item of a response.
    Openai,
    /// A message, or a block of type tool_use.
    Anthropic,
    /// An answer, or a functionCall.
    Gemini,
    /// A tools/call request, or its parameters.
    Mcp,
}

/// `argrail export`.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// Which tools; all that may be used if none is named.
    #[arg(value_name = "TOOL")]
    pub tools: Vec<String>,
    /// Whose definitions.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: ExportFormat,
    /// Keep to the provider's strict mode, so that it can hold the model to the definitions.
    #[arg(long)]
    pub strict: bool,
    /// Take this metadata file, too. May be repeated; the catalogue is left out unless a tool is named.
    #[arg(long = "file", value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// What `argrail export` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ExportFormat {
    /// Functions of chat completions.
    Openai,
    /// Tools of messages.
    Anthropic,
    /// Function declarations.
    Gemini,
    /// The result of tools/list.
    Mcp,
    /// The metadata itself.
    Atip,
}

/// `argrail diff`.
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// The metadata, or the CLI.md, as it was.
    #[arg(value_name = "OLD")]
    pub old: PathBuf,
    /// The metadata, or the CLI.md, as it is.
    #[arg(value_name = "NEW")]
    pub new: PathBuf,
}

/// `argrail sandbox`.
#[derive(Debug, Args)]
pub struct SandboxArgs {
    /// The block: YAML or JSON, by itself or under the key `sandbox`.
    #[arg(long, value_name = "FILE")]
    pub policy: PathBuf,
    /// End it after this long: 500ms, 30s, 5m.
    #[arg(long, value_name = "D", default_value = "10m", value_parser = crate::amount::duration)]
    pub timeout: Duration,
    /// End it when it has written this much: 65536, 64K, 16M.
    #[arg(long, value_name = "N", default_value = "16M", value_parser = crate::amount::bytes)]
    pub max_output: u64,
    /// Give a name this address, for tests and local services. May be repeated.
    #[arg(long, value_name = "NAME=ADDR", value_parser = crate::amount::name_and_address)]
    pub resolve: Vec<(String, IpAddr)>,
    /// Let allowed names lead to this machine's loopback addresses, for tests and local services.
    #[arg(long)]
    pub allow_loopback: bool,
    /// The command, after --.
    #[arg(value_name = "ARGV", required = true, last = true)]
    pub argv: Vec<OsString>,
}

/// `argrail scan`.
#[derive(Debug, Args)]
pub struct ScanArgs {
    /// Ask programs what they are: each runs in the sandbox, without network, home and time to spare.
    #[arg(long)]
    pub probe: bool,
    /// Look into this directory instead of those of PATH. May be repeated.
    #[arg(long = "path", value_name = "DIR")]
    pub paths: Vec<PathBuf>,
    /// Do not believe what is remembered: look at everything again.
    #[arg(long)]
    pub refresh: bool,
    /// Ask this many programs at a time.
    #[arg(long, value_name = "N", requires = "probe", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: Option<u16>,
    /// Give each program this long: 500ms, 2s. At most 60s.
    #[arg(long, value_name = "D", requires = "probe", value_parser = crate::amount::duration)]
    pub timeout: Option<Duration>,
}

/// `argrail trust`.
#[derive(Debug, Args)]
pub struct TrustArgs {
    /// A directory of the project, the working directory if left out; or the name of a tool.
    #[arg(value_name = "DIR|TOOL")]
    pub what: Option<OsString>,
    /// Accept without being asked.
    #[arg(long)]
    pub yes: bool,
    /// Show what is trusted.
    #[arg(long, conflicts_with_all = ["what", "yes", "revoke"])]
    pub list: bool,
    /// Take it back.
    #[arg(long, conflicts_with = "yes")]
    pub revoke: bool,
}

/// `argrail doctor`.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// Try real escapes, in scratch sandboxes, and show what came of each.
    #[arg(long)]
    pub prove: bool,
}

/// `argrail list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Only tools whose description comes from here: native, shim, inferred, manual, mcp,
    /// project, shipped or bundle.
    #[arg(long, value_name = "S")]
    pub source: Option<String>,
}

/// `argrail lint`.
#[derive(Debug, Args)]
pub struct LintArgs {
    /// Files, and directories whose *.json files and Markdown manifests are checked.
    #[arg(value_name = "FILE|DIR", required_unless_present = "schema")]
    pub paths: Vec<PathBuf>,
    /// Hold them to the draft to the letter.
    #[arg(long)]
    pub strict: bool,
    /// Mend what needs no thought, in the files themselves.
    #[arg(long, conflicts_with = "schema")]
    pub fix: bool,
    /// How the complaints are printed.
    #[arg(long, value_enum, default_value_t = LintFormat::Text, conflicts_with = "schema")]
    pub format: LintFormat,
    /// Print the JSON Schema of this kind of file: atip, patterns, config, registry, trust, cache-entry, tools-json, or that of a manifest (cli, tool, agent-cli, acp, …).
    #[arg(long, value_name = "KIND", value_parser = kind_of_file, conflicts_with = "paths")]
    pub schema: Option<FileKind>,
}

/// How `argrail lint` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum LintFormat {
    /// For people: each line with a mark under the place.
    Text,
    /// One object per file.
    Json,
    /// SARIF 2.1.0, for code review tools.
    Sarif,
}

fn kind_of_file(word: &str) -> Result<FileKind, String> {
    let kinds = || FileKind::ALL.map(FileKind::as_str);
    FileKind::named(word).ok_or_else(|| format!("expected one of {}", kinds().join(", ")))
}

/// `argrail show`.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The tool.
    #[arg(required_unless_present = "context")]
    pub tool: Option<String>,
    /// One of its commands.
    #[arg(value_name = "CMD")]
    pub command: Vec<String>,
    /// How it is shown.
    #[arg(long, value_enum, default_value_t = ShowFormat::Text)]
    pub format: ShowFormat,
    /// Show the tools of this machine as a context that agents hand to each other.
    #[arg(long)]
    pub context: bool,
}

/// How `argrail show` shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ShowFormat {
    /// For people.
    Text,
    /// The metadata with the origin of each field.
    Json,
    /// The metadata alone.
    Atip,
}

/// `argrail search`.
#[derive(Debug, Args)]
pub struct SearchArgs {
    /// What you want to do, in your own words.
    #[arg(value_name = "WORDS", required = true)]
    pub words: Vec<String>,
    /// How many hits at most.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub limit: usize,
}
