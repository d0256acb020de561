//! The words that tell what a command does, and how far each of them can be believed.
//!
//! Only words that mean the same to every tool stand here; a word that means a change to some and a read to others is
//! with the worse ones or is [`Meaning::Vague`]. No word is here for the sake of one tool; `ls`, `rm` and their like
//! are here because so many tools have subcommands of these names.

/// What a verb says about its command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Meaning {
    /// It reads and shows.
    Show,
    /// It is a verb, and says nothing either way: `check` may repair, `query` may insert.
    Vague,
    /// It speaks against a read without telling what happens.
    Doubt,
    /// It makes something new.
    Create,
    /// It changes something.
    Modify,
    /// It writes files.
    Write,
    /// It starts programs.
    Run,
    /// It brings something here over the network.
    Fetch,
    /// It sends something away.
    Send,
    /// It puts programs in place.
    Install,
    /// It keeps or forgets credentials.
    SignIn,
    /// It deletes something.
    Remove,
    /// It throws changes away.
    Undo,
    /// It ends what runs.
    End,
    /// It costs money.
    Pay,
}

/// Where a word has its meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Where {
    /// Wherever it stands: it is nothing but this verb.
    Anywhere,
    /// In names, and in sentences where verbs stand: it may be a noun, too.
    Verb,
    /// In names only.
    Name,
    /// As the first part of a name only: elsewhere it belongs to a noun.
    First,
    /// As the last part of a name only: it is a noun.
    Noun,
    /// In sentences only, where verbs stand.
    Text,
}

/// The words, in their base form, with blanks between them.
pub(super) const WORDS: &[(Meaning, Where, &str)] = &[
    (
        Meaning::Show,
        Where::Verb,
        "list show display print view describe search count compare diff inspect explain locate \
         preview peek enumerate",
    ),
    (
        Meaning::Show,
        Where::Text,
        "summarize summarise calculate compute examine find retrieve sum",
    ),
    (Meaning::Show, Where::Name, "ls cat find lookup grep whoami which"),
    (Meaning::Show, Where::First, "get read is has head tail"),
    (
        Meaning::Show,
        Where::Noun,
        "status info version versions help history log logs stat stats events changelog usage ps \
         top tree outdated summary",
    ),
    (
        Meaning::Vague,
        Where::Verb,
        "check verify validate test lint audit query report watch wait dump export monitor scan \
         analyze analyse debug trace resolve parse convert process filter render encode decode \
         decrypt hash plan select look",
    ),
    (
        Meaning::Vague,
        Where::Text,
        "get read return output log see use tell",
    ),
    (
        Meaning::Doubt,
        Where::Verb,
        "manage control handle administer maintain interact operate work",
    ),
    (Meaning::Doubt, Where::Text, "open"),
    (
        Meaning::Create,
        Where::Verb,
        "create add make new clone copy cp generate provision allocate fork duplicate insert mkdir \
         spawn schedule record register append snapshot enqueue invite grant authorize issue emit \
         mint",
    ),
    (
        Meaning::Modify,
        Where::Verb,
        "set update change modify edit alter rename move mv replace put apply patch assign attach \
         detach enable disable activate deactivate configure label tag annotate merge rebase commit \
         checkout switch lock unlock pin unpin start stop restart reload pause resume suspend \
         freeze thaw mount unmount umount link import load migrate upgrade downgrade fix repair \
         mend tidy sync synchronize refresh rotate scale resize close reopen archive approve deny \
         reject accept cancel mark unset unlink stash bump convert adjust tune manipulate \
         reconfigure renew expose connect disconnect bind trust encrypt sign promote demote swap \
         rewrite transform bring give expire deprecate yank withdraw transfer init initialize \
         initialise bootstrap setup build compile unpack extract compress decompress expand pack \
         package format fmt restore recover undelete evict drain quarantine block unblock \
         allow mask unmask leave claim flash calibrate optimize reindex begin continue store keep \
         remember let touch chmod chown save write stage unstage rearrange partition concatenate redo",
    ),
    (Meaning::Write, Where::Text, "write save extract unpack compress"),
    (
        Meaning::Run,
        Where::Verb,
        "run exec execute invoke launch call shell eval evaluate repl serve rerun replay proxy \
         forward trigger dispatch console",
    ),
    (Meaning::Run, Where::Name, "open"),
    (Meaning::Fetch, Where::Verb, "fetch pull download crawl mirror"),
    (
        Meaning::Send,
        Where::Verb,
        "push publish deploy send upload post submit mail email notify comment broadcast share \
         release reply tweet announce",
    ),
    (Meaning::Install, Where::Verb, "install"),
    (
        Meaning::SignIn,
        Where::Verb,
        "login logout signin signout authenticate deauthenticate",
    ),
    (
        Meaning::Remove,
        Where::Anywhere,
        "delete del remove rm rmdir destroy erase purge wipe uninstall unpublish truncate \
         prune overwrite clobber discard obliterate zap nuke unregister deregister deprovision \
         decommission forget unrecoverable",
    ),
    (
        Meaning::Remove,
        Where::Verb,
        "drop clean clear empty gc flush evacuate vacuum teardown reclaim lose",
    ),
    (
        Meaning::Undo,
        Where::Verb,
        "reset revert rollback undo reinitialize reimage",
    ),
    (
        Meaning::Undo,
        Where::Anywhere,
        "permanently irreversibly irrevocably irreversible irrevocable destructive destructively",
    ),
    (
        Meaning::End,
        Where::Anywhere,
        "terminate revoke poweroff reboot hibernate",
    ),
    (
        Meaning::End,
        Where::Verb,
        "kill shutdown halt abort isolate ban kick",
    ),
    (
        Meaning::Pay,
        Where::Verb,
        "pay charge buy purchase bill refund payout",
    ),
];

/// Verbs of two words: the second one changes what the first one says.
pub(super) const PARTICLES: &[(&str, &[&str], Meaning)] = &[
    ("log", &["in", "into", "out", "off", "onto"], Meaning::SignIn),
    ("sign", &["in", "into", "out", "off"], Meaning::SignIn),
    ("set", &["up"], Meaning::Create),
    ("spin", &["up"], Meaning::Create),
    ("bring", &["up"], Meaning::Modify),
    ("check", &["out", "in"], Meaning::Modify),
    ("clean", &["up"], Meaning::Remove),
    ("get", &["rid"], Meaning::Remove),
    ("throw", &["away"], Meaning::Remove),
    ("take", &["away", "out"], Meaning::Remove),
    ("tear", &["down"], Meaning::Remove),
    ("shut", &["down"], Meaning::End),
    ("power", &["off", "down"], Meaning::End),
    ("switch", &["off"], Meaning::End),
    ("roll", &["back"], Meaning::Undo),
    ("go", &["back"], Meaning::Undo),
    ("back", &["up"], Meaning::Create),
    ("turn", &["on", "off"], Meaning::Modify),
    (
        "tell",
        &[
            "whether", "who", "what", "which", "how", "why", "where", "when", "if",
        ],
        Meaning::Show,
    ),
];

/// Nouns made of verbs.
pub(super) const NOUNS: &[(&str, &str)] = &[
    ("deletion", "delete"),
    ("removal", "remove"),
    ("destruction", "destroy"),
    ("truncation", "truncate"),
    ("termination", "terminate"),
    ("revocation", "revoke"),
    ("cleanup", "clean"),
    ("creation", "create"),
    ("installation", "install"),
    ("modification", "modify"),
    ("deployment", "deploy"),
];

/// Past forms that no ending tells.
pub(super) const IRREGULAR: &[(&str, &str)] = &[
    ("lost", "lose"),
    ("overwritten", "overwrite"),
    ("written", "write"),
    ("rewritten", "rewrite"),
    ("sent", "send"),
    ("built", "build"),
    ("made", "make"),
    ("undone", "undo"),
    ("reset", "reset"),
];

/// Verbs that destroy what was there when a disk is their object.
pub(super) const SHAPING: &[&str] = &[
    "format",
    "partition",
    "flash",
    "initialize",
    "initialise",
    "build",
    "make",
];

/// Disks, for them.
pub(super) const DISKS: &[&str] = &[
    "disk",
    "disks",
    "device",
    "devices",
    "drive",
    "drives",
    "filesystem",
    "filesystems",
    "partition",
    "partitions",
];

/// Words for what is secret.
pub(super) const SECRETS: &[&str] = &[
    "password",
    "passwords",
    "passphrase",
    "passphrases",
    "secret",
    "secrets",
    "token",
    "tokens",
    "credential",
    "credentials",
    "passwd",
    "apikey",
    "keychain",
    "keyring",
    "vault",
    "netrc",
];

/// Words for what often holds a secret among other things.
pub(super) const SETTINGS: &[&str] = &[
    "config",
    "configs",
    "configuration",
    "setting",
    "settings",
    "env",
    "environment",
    "variable",
    "variables",
    "inspect",
];

/// Words before `key` that make it one.
pub(super) const SECRET_KEYS: &[&str] = &["private", "secret", "access", "api", "signing", "encryption"];

/// Words that put something on the network.
pub(super) const NETWORK: &[&str] = &["registry", "internet", "http", "https", "ftp", "online", "web"];

/// Words for files and what holds them.
pub(super) const FILES: &[&str] = &[
    "file",
    "files",
    "directory",
    "directories",
    "folder",
    "folders",
    "archive",
    "archives",
    "path",
    "paths",
    "disk",
    "disks",
    "device",
    "devices",
    "filesystem",
    "partition",
    "partitions",
    "symlink",
    "symlinks",
    "backup",
    "backups",
    "tree",
];
