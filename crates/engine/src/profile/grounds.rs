//! What a program must see to start: itself, and what it is made of, beside what every sandbox has.
//!
//! A tool in the home must start, and the home must stay out of sight. So a program's own directory is shown, the
//! libraries beside it (`../lib`), the package that its symlink leads into, and the same for its interpreter: never
//! the home or anything above it, and never `../share`, where a home keeps what is private.

use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use argrail_sandbox::SYSTEM_DIRECTORIES;
use argrail_sandbox::policy::PathPattern;

use super::secret_files::SecretFiles;
use super::spot::Spot;
use crate::files::find_program;
use crate::files::untrusted::open_at_once;

/// Where programs keep what they are made of, beside the directory they are in.
const LIBRARIES: &[&str] = &["lib", "lib32", "lib64", "libexec"];
/// Directories of programs whose parent has libraries.
const PROGRAMS: &[&str] = &["bin", "sbin", "libexec", "Scripts"];
/// Files that stand at the top of a project whose scripts are run, and how far below it those may lie.
const PROJECT_FILES: &[&str] = &["package.json", "pyproject.toml", "pyvenv.cfg"];
const PROJECT_CLIMB: usize = 8;
/// Where interpreters are found in the sandbox.
pub(crate) const SYSTEM_PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
/// The longest `#!` line, and the longest beginning of a script that hands itself over.
const LINE: u64 = 512;
const RELAY: u64 = 4096;

/// What one program may see, and where its interpreter is looked for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Grounds {
    /// Trees and files, without symlinks in their paths.
    trees: Vec<PathBuf>,
    files: Vec<PathBuf>,
    /// Directories for `#!/usr/bin/env NAME`.
    pub(crate) search: Vec<PathBuf>,
}

impl Grounds {
    /// Looks at what belongs to the program at `path`, which is absolute.
    pub(crate) fn of(path: &Path, home: &Path) -> Self {
        let mut grounds = Self {
            trees: Vec::new(),
            files: Vec::new(),
            search: Vec::new(),
        };
        let directory = path.parent().and_then(|parent| parent.canonicalize().ok());
        grounds.search.extend(directory);
        grounds.search.extend(SYSTEM_PATH.split(':').map(PathBuf::from));
        grounds.belongs(path, home);
        if let Some(interpreter) = interpreter(path) {
            let found = if interpreter.is_absolute() {
                Some(interpreter)
            } else {
                find_program(&interpreter, &grounds.search)
            };
            found.iter().for_each(|file| grounds.belongs(file, home));
        }
        if let Some(relay) = relay(path) {
            grounds.belongs(&relay, home);
        }
        grounds
    }

    /// Shows a script that the program is told to run, too, with the project that it is part of.
    pub(crate) fn with_script(mut self, script: &Path, home: &Path) -> Self {
        self.belongs(script, home);
        let real = script.canonicalize().ok();
        if let Some(project) = real.as_deref().and_then(|file| project(file, home)) {
            self.tree(project, home);
        }
        self
    }

    /// The same; an interpreter that is neither beside the program nor the system's is looked for in these directories,
    /// shown, and found: `node` of a version manager, for one.
    pub(crate) fn found(path: &Path, home: &Path, search: &[PathBuf]) -> Self {
        let grounds = Self::of(path, home);
        let name = interpreter(path).filter(|name| name.is_relative() && !grounds.finds(name));
        let elsewhere = name.and_then(|name| find_program(name, search));
        match elsewhere {
            Some(interpreter) => grounds.with_interpreter(&interpreter, home),
            None => grounds,
        }
    }

    fn with_interpreter(mut self, interpreter: &Path, home: &Path) -> Self {
        self.belongs(interpreter, home);
        let directory = interpreter.parent().and_then(|parent| parent.canonicalize().ok());
        // After the program's own directory, before the system's.
        let at = self.search.len().min(1);
        self.search.splice(at..at, directory);
        self
    }

    /// Whether a name leads to a file where programs are looked for.
    fn finds(&self, name: &Path) -> bool {
        find_program(name, &self.search).is_some()
    }

    /// Returns where programs are looked for, as a variable says it.
    pub(crate) fn path(&self) -> String {
        let texts = self.search.iter().filter_map(|directory| directory.to_str());
        let plain: Vec<&str> = texts.filter(|text| !text.contains([':', '\0'])).collect();
        plain.join(":")
    }

    /// Whether a path of ours lies in what is shown.
    pub(crate) fn shows(&self, path: &Path) -> bool {
        self.trees.iter().any(|tree| path.starts_with(tree))
    }

    /// Returns the paths to read, as a policy names them.
    pub(crate) fn patterns(&self) -> impl Iterator<Item = PathPattern> {
        let trees = self.trees.iter().map(|tree| PathPattern::tree(tree));
        trees.chain(self.files.iter().map(|file| PathPattern::exact(file)))
    }

    /// Whether anything is looked for where not every sandbox looks.
    pub(crate) fn is_more_than_base(&self) -> bool {
        !self.search.iter().all(|directory| is_base(directory))
    }

    /// Shows a program by the name it has and by the file that it is.
    fn belongs(&mut self, path: &Path, home: &Path) {
        let named = path
            .parent()
            .and_then(|parent| parent.canonicalize().ok())
            .and_then(|parent| Some(parent.join(path.file_name()?)));
        let real = path.canonicalize().ok();
        for file in named.into_iter().chain(real) {
            self.around(&file, home);
        }
    }

    fn around(&mut self, file: &Path, home: &Path) {
        if is_base(file) {
            return;
        }
        let Some(directory) = file.parent() else { return };
        if holds_home(directory, home) {
            // The home itself is on the path: only the file is shown.
            if file.metadata().is_ok_and(|meta| meta.is_file()) && !file.is_symlink() {
                push(&mut self.files, file);
            }
            return;
        }
        self.tree(directory, home);
        if let Some(package) = package(file) {
            self.tree(&package, home);
        }
        let Some(prefix) = directory.parent() else { return };
        if prefix.join("pyvenv.cfg").is_file() {
            self.tree(prefix, home);
        } else if directory
            .file_name()
            .is_some_and(|name| PROGRAMS.iter().any(|known| name == *known))
        {
            for name in LIBRARIES {
                let libraries = prefix.join(name);
                // A link may lead anywhere.
                if libraries.symlink_metadata().is_ok_and(|meta| meta.is_dir()) {
                    self.tree(&libraries, home);
                }
            }
        }
    }

    /// Shows a tree, without the credentials in it: a program may live beside them, and is not made of them.
    fn tree(&mut self, tree: &Path, home: &Path) {
        if holds_home(tree, home) || self.shows(tree) {
            return;
        }
        for part in SecretFiles::of(home).without(Spot::Tree(tree.to_owned()), tree) {
            match &part {
                Spot::Tree(tree) => push(&mut self.trees, tree),
                Spot::File(file) => push(&mut self.files, file),
            }
        }
    }
}

fn push(list: &mut Vec<PathBuf>, path: &Path) {
    if !list.iter().any(|known| known == path) {
        list.push(path.to_owned());
    }
}

/// Whether a directory is the home or above it.
fn holds_home(directory: &Path, home: &Path) -> bool {
    home.starts_with(directory)
}

pub(crate) fn is_base(path: &Path) -> bool {
    SYSTEM_DIRECTORIES.iter().any(|base| path.starts_with(base))
}

/// The package that a file is part of: all of `node_modules`, since packages share what they need, or one directory
/// of `/opt`.
fn package(file: &Path) -> Option<PathBuf> {
    let mut path = PathBuf::new();
    for (depth, component) in file.components().enumerate() {
        path.push(component);
        if component == Component::Normal("node_modules".as_ref()) {
            return Some(path);
        }
        if depth == 2 && path.starts_with("/opt") && path != *file {
            return Some(path);
        }
    }
    None
}

/// The project that a script is part of: the nearest directory above it that says so, and never the home.
fn project<'f>(file: &'f Path, home: &Path) -> Option<&'f Path> {
    let above = file.ancestors().skip(1).take(PROJECT_CLIMB);
    above
        .take_while(|directory| !holds_home(directory, home))
        .find(|directory| PROJECT_FILES.iter().any(|name| directory.join(name).is_file()))
}

/// The interpreter in the `#!` line of a script, or the name that `env` looks for.
pub(crate) fn interpreter(path: &Path) -> Option<PathBuf> {
    let file = open_at_once(path).ok()?;
    let mut head = Vec::new();
    file.take(LINE).read_to_end(&mut head).ok()?;
    let line = head.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let mut words = line
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
        .map(|word| Path::new(std::ffi::OsStr::from_bytes(word)));
    let first = words.next()?;
    if first.file_name()? != "env" {
        return Some(first.to_owned());
    }
    let name = words.find(|word| !word.as_os_str().as_bytes().starts_with(b"-"))?;
    (name.components().count() == 1).then(|| name.to_owned())
}

/// The program beside a script that the script hands itself over to, as installers of Python write scripts whose
/// interpreter has too long a path for a `#!` line. It is the script's interpreter in all but name.
pub(crate) fn relay(path: &Path) -> Option<PathBuf> {
    let file = open_at_once(path).ok()?;
    let mut head = Vec::new();
    file.take(RELAY).read_to_end(&mut head).ok()?;
    let rest = head.strip_prefix(b"#!/bin/sh\n'''exec' ")?;
    let line = rest.split(|byte| *byte == b'\n').next()?;
    let named = line.strip_suffix(b" \"$0\" \"$@\"")?;
    let bare = named
        .strip_prefix(b"\"")
        .and_then(|named| named.strip_suffix(b"\""));
    let named = Path::new(std::ffi::OsStr::from_bytes(bare.unwrap_or(named)));
    (named.is_absolute() && named.parent() == path.parent() && named.is_file()).then(|| named.to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use argrail_testkit::Home;

    use super::*;

    /// What is shown of a program, below the home's root.
    fn shown(home: &Home, path: &str) -> Vec<String> {
        let root = home.root();
        let grounds = Grounds::of(&root.join(path), &root.join("home"));
        let all = grounds.trees.iter().chain(&grounds.files);
        let mut all: Vec<String> = all
            .map(|path| path.strip_prefix(root).unwrap_or(path).display().to_string())
            .collect();
        all.sort();
        all
    }

    fn file(home: &Home, path: &str, text: &str) {
        let path = home.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn a_program_brings_what_it_is_made_of_and_never_the_home() {
        let home = Home::new();
        file(&home, "home/.local/bin/plain", "\x7fELF");
        file(&home, "home/.local/lib/x", "");
        file(&home, "home/.local/share/keyring", "");
        assert_eq!(
            shown(&home, "home/.local/bin/plain"),
            ["home/.local/bin", "home/.local/lib"]
        );
        // A program in the home itself is shown alone.
        file(&home, "home/stray", "\x7fELF");
        assert_eq!(shown(&home, "home/stray"), ["home/stray"]);
        // A package behind a symlink.
        file(
            &home,
            "home/.n/v1/lib/node_modules/pkg/cli.js",
            "#!/usr/bin/env node\n",
        );
        file(&home, "home/.n/v1/bin/node", "\x7fELF");
        let cli = home.root().join("home/.n/v1/bin/pkg");
        symlink("../lib/node_modules/pkg/cli.js", cli).unwrap();
        assert_eq!(
            shown(&home, "home/.n/v1/bin/pkg"),
            ["home/.n/v1/bin", "home/.n/v1/lib"]
        );
        // A virtual environment, and the interpreter's own.
        let venv = home.root().join("home/.pipx/venvs/tool");
        let python = format!("#!{}/bin/python\n", venv.display());
        file(&home, "home/.pipx/venvs/tool/pyvenv.cfg", "");
        file(&home, "home/.pipx/venvs/tool/bin/tool", &python);
        file(&home, "home/.python/bin/python3", "\x7fELF");
        file(&home, "home/.python/lib/os.py", "");
        symlink("../../../../.python/bin/python3", venv.join("bin/python")).unwrap();
        symlink(
            "../../.pipx/venvs/tool/bin/tool",
            home.root().join("home/.local/bin/tool"),
        )
        .unwrap();
        assert_eq!(
            shown(&home, "home/.local/bin/tool"),
            [
                "home/.local/bin",
                "home/.local/lib",
                "home/.pipx/venvs/tool",
                "home/.pipx/venvs/tool/bin",
                "home/.python/bin",
                "home/.python/lib"
            ]
        );
        // A library directory that is a link leads nowhere.
        file(&home, "home/.odd/bin/odd", "\x7fELF");
        symlink(home.root(), home.root().join("home/.odd/lib")).unwrap();
        assert_eq!(shown(&home, "home/.odd/bin/odd"), ["home/.odd/bin"]);
        // A program that lives beside credentials is not made of them.
        file(&home, "home/.fly/bin/flyctl", "\x7fELF");
        file(&home, "home/.fly/config.yml", "");
        assert_eq!(shown(&home, "home/.fly/bin/flyctl"), ["home/.fly/bin"]);
        file(&home, "home/.env/pyvenv.cfg", "");
        file(&home, "home/.env/bin/tool", "\x7fELF");
        assert_eq!(shown(&home, "home/.env/bin/tool"), ["home/.env", "home/.env/bin"]);
        file(&home, "home/.config/pyvenv.cfg", "");
        file(&home, "home/.config/bin/tool", "\x7fELF");
        file(&home, "home/.config/gh/hosts.yml", "");
        assert_eq!(
            shown(&home, "home/.config/bin/tool"),
            ["home/.config/bin", "home/.config/pyvenv.cfg"]
        );
        // What every sandbox has needs no grant.
        let system = Grounds::of(Path::new("/usr/bin/env"), home.root());
        assert_eq!(system.trees, Vec::<PathBuf>::new());
    }

    #[test]
    fn a_script_brings_its_project() {
        let home = Home::new();
        let root = home.root();
        file(&home, "home/code/pkg/package.json", "{}");
        file(&home, "home/code/pkg/build/index.js", "");
        file(&home, "home/code/lone/server.py", "");
        file(&home, "home/server.py", "");
        file(&home, "home/package.json", "{}");
        let check = |script: &str, trees: &[&str], files: &[&str]| {
            let grounds = Grounds::of(Path::new("/bin/sh"), &root.join("home"));
            let grounds = grounds.with_script(&root.join(script), &root.join("home"));
            let below = |paths: &[&str]| paths.iter().map(|path| root.join(path)).collect::<Vec<_>>();
            assert_eq!(
                (grounds.trees, grounds.files),
                (below(trees), below(files)),
                "{script}"
            );
        };
        check(
            "home/code/pkg/build/index.js",
            &["home/code/pkg/build", "home/code/pkg"],
            &[],
        );
        check("home/code/lone/server.py", &["home/code/lone"], &[]);
        // A project that is the whole home is none.
        check("home/server.py", &[], &["home/server.py"]);
        check("home/absent.py", &[], &[]);
    }

    #[test]
    fn interpreters_are_read_from_the_first_line() {
        let home = Home::new();
        let check = |text: &str, want: Option<&str>| {
            file(&home, "script", text);
            let found = interpreter(&home.root().join("script"));
            assert_eq!(found.as_deref(), want.map(Path::new), "{text:?}");
        };
        check("#!/bin/sh\n", Some("/bin/sh"));
        check("#! /bin/sh -e\nx", Some("/bin/sh"));
        check("#!/usr/bin/env node\n", Some("node"));
        check("#!/usr/bin/env -S deno run\n", Some("deno"));
        check("#!/usr/bin/env a/b\n", None);
        check("#!\n", None);
        check("\x7fELF", None);
        check("", None);
    }

    #[test]
    fn a_script_hands_itself_over_only_to_what_lies_beside_it() {
        let home = Home::new();
        file(&home, "env/bin/python", "");
        file(&home, "other/python", "");
        let at = |name: &str| home.root().join(name).display().to_string();
        let check = |line: &str, want: Option<&str>| {
            file(
                &home,
                "env/bin/tool",
                &format!("#!/bin/sh\n{line}\n' '''\nimport x\n"),
            );
            let found = relay(&home.root().join("env/bin/tool"));
            assert_eq!(found, want.map(|want| home.root().join(want)), "{line}");
        };
        let exec = |path: &str| format!("'''exec' {path} \"$0\" \"$@\"");
        check(&exec(&at("env/bin/python")), Some("env/bin/python"));
        check(
            &exec(&format!("\"{}\"", at("env/bin/python"))),
            Some("env/bin/python"),
        );
        check(&exec(&at("other/python")), None);
        check(&exec(&at("env/bin/absent")), None);
        check("exec python \"$0\" \"$@\"", None);
    }
}
