//! The words that tell what an option does.

/// Parts of a name that turn the rest round: `--no-delete`, `--keep-going`, `--skip-install`.
pub(super) const TURNS: &[&str] = &[
    "no", "not", "non", "without", "never", "skip", "keep", "ignore", "disable", "exclude", "dont", "only",
    "if", "show", "list", "print", "allow", "max", "min", "on", "include", "with", "filter", "by",
];

/// Whole names of options by which a command only tells what it would do.
pub(super) const REHEARSES: &[&str] = &[
    "dry-run",
    "dryrun",
    "dry",
    "simulate",
    "just-print",
    "no-act",
    "whatif",
    "what-if",
    "no-op",
    "noop",
    "pretend",
];

/// Whole names of options that answer questions beforehand.
pub(super) const ASSENTS: &[&str] = &[
    "yes",
    "assume-yes",
    "assumeyes",
    "auto-approve",
    "autoapprove",
    "no-confirm",
    "noconfirm",
    "skip-confirm",
    "skip-confirmation",
    "no-prompt",
    "confirm",
    "no-ask",
    "approve",
    "yes-i-really-mean-it",
    "accept-all",
];

/// Whole names of options that keep a command from a change which it makes otherwise: who can be told not to lock, locks.
///
/// Only what is held back from whatever the command is: `--ignore-scripts` is an option of all commands of a tool of which
/// few run scripts, and `df --no-sync` names what is so anyway.
pub(super) const HOLDS_BACK: &[&str] = &[
    "no-lock",
    "nolock",
    "without-lock",
    "no-init",
    "no-auto-init",
    "skip-init",
    "no-auto-install",
    "no-install",
    "skip-install",
    "no-restore",
    "no-build",
    "skip-build",
    "no-fetch",
    "no-python-downloads",
    "no-write",
    "no-save",
];

/// Whole names of options that get past a safeguard.
pub(super) const INSISTS: &[&str] = &["force", "forced", "hard", "force-with-lease", "yolo"];

/// Whole names of options whose value is a file that is written.
pub(super) const OUTPUTS: &[&str] = &[
    "output",
    "out",
    "outfile",
    "output-file",
    "out-file",
    "output-dir",
    "out-dir",
    "outdir",
    "output-directory",
    "output-path",
    "output-document",
    "log-file",
    "logfile",
    "dest",
    "destination",
    "save-to",
    "write-to",
    "target-dir",
    "export",
    "dump",
    "report-file",
    "directory-prefix",
    "destdir",
    "install-dir",
    "trace-file",
    "save",
];

/// Whole names of options that change files where they are.
pub(super) const IN_PLACE: &[&str] = &[
    "in-place",
    "inplace",
    "write",
    "fix",
    "fix-all",
    "autofix",
    "overwrite-original",
];

/// Names of values that are files or directories.
pub(super) const PATHS: &[&str] = &[
    "file",
    "filename",
    "path",
    "dir",
    "directory",
    "folder",
    "outfile",
    "output",
    "out",
    "pathname",
    "filepath",
    "dest",
    "destination",
    "target",
    "logfile",
    "out-file",
    "output-file",
    "output-dir",
    "out-dir",
    "outdir",
];

/// Names of values that are no files, whatever the option is called.
pub(super) const FORMATS: &[&str] = &[
    "format", "fmt", "type", "mode", "style", "template", "level", "fields", "columns", "encoding", "kind",
];

/// Names of values that are programs.
pub(super) const PROGRAMS: &[&str] = &[
    "cmd",
    "command",
    "program",
    "prog",
    "utility",
    "shell",
    "exec",
    "executable",
];

/// Parts of names of options whose value is started.
pub(super) const STARTS: &[&str] = &[
    "exec",
    "execute",
    "execdir",
    "command",
    "cmd",
    "pager",
    "editor",
    "hook",
    "eval",
    "preprocessor",
    "run",
    "shell",
    "script",
    "rsh",
];

/// What may be removed without any loss: parts of text.
pub(super) const TEXT: &[&str] = &[
    "prefix",
    "suffix",
    "whitespace",
    "newline",
    "newlines",
    "line",
    "lines",
    "char",
    "chars",
    "character",
    "characters",
    "comment",
    "comments",
    "color",
    "colors",
    "colour",
    "colours",
    "duplicate",
    "duplicates",
    "blank",
    "blanks",
    "header",
    "headers",
    "quotes",
    "escape",
    "escapes",
    "leading",
    "trailing",
    "slash",
    "slashes",
    "extension",
    "column",
    "columns",
    "padding",
    "spaces",
    "indentation",
    "carriage",
    "accents",
    "punctuation",
    "word",
    "words",
    "screen",
    "field",
    "fields",
];
