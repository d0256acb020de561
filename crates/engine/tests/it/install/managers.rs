//! Package managers that stand in for the real ones: what they are asked, what they are given, and what they cannot do.

use std::fs;

use argrail_engine::ready::install::{
    Act, Egress, Experimental, Family, Global, Hold, Outlook, Recipe, Registries, Rights, Run, Scripts, Skip,
    Unconfined,
};

use super::scene::{Scene, program};

/// What is done, or why nothing is.
fn outlook(scene: &Scene, entry: &str) -> Result<Recipe, Skip> {
    match scene.plan(entry).ways.remove(0).outlook {
        Outlook::Will(recipe) => Ok(recipe),
        Outlook::Skipped(skip) => Err(skip),
    }
}

fn recipe(scene: &Scene, entry: &str) -> Recipe {
    outlook(scene, entry).unwrap()
}

fn skip(scene: &Scene, entry: &str) -> Skip {
    outlook(scene, entry).unwrap_err()
}

fn runs(recipe: &Recipe) -> Vec<&Run> {
    let acts = recipe.acts.iter();
    acts.filter_map(|act| match act {
        Act::Run(run) => Some(&**run),
        Act::Fetch(_) | Act::Unpack { .. } | Act::Keep { .. } | Act::Copy { .. } => None,
    })
    .collect()
}

fn words(run: &Run) -> Vec<String> {
    run.argv.iter().skip(1).map(|word| word.shown()).collect()
}

fn hosts(run: &Run) -> Vec<String> {
    match &run.egress {
        Egress::Hosts { names, .. } => names.clone(),
        Egress::None | Egress::Public => Vec::new(),
    }
}

/// Says where packages come from, and installs a program that it writes itself.
fn npm() -> String {
    format!(
        "#!/bin/sh\ncase \"$*\" in\n'config get registry'*) echo https://r.example/npm/; exit ;;\n\
         'config get @own:registry'*) echo https://own.example/; exit ;;\n'config get'*) echo undefined; exit ;;\nesac\n\
         while [ \"$1\" != --prefix ]; do shift; done\nmkdir -p \"$2/node_modules/.bin\" \"$2/node_modules/pkg\"\n\
         cat > \"$2/node_modules/pkg/cli\" <<'END'\n{}END\nchmod 755 \"$2/node_modules/pkg/cli\"\n\
         ln -s ../pkg/cli \"$2/node_modules/.bin/tool\"\ntouch \"$HOME/planted\" 2>/dev/null\nexit 0\n",
        program("2.1.0")
    )
}

const NPM: &str = "{ method: npm, package: \"@own/tool@2\", global: true }";

#[test]
fn npm_installs_into_a_folder_of_its_own_without_scripts() {
    let mut scene = Scene::new();
    scene.tool("npm", &npm());
    let made = recipe(&scene, NPM);
    let run = runs(&made)[0];
    assert_eq!(hosts(run), ["r.example", "own.example"]);
    assert_eq!(run.hold, Hold::Sandbox);
    assert!(matches!(
        run.egress,
        Egress::Hosts {
            at: Registries::Public,
            ..
        }
    ));
    let told = words(run).join(" ");
    assert!(
        told.starts_with("install --prefix OWN --ignore-scripts"),
        "{told}"
    );
    assert!(told.ends_with("-- @own/tool@2"), "{told}");
    let installed = scene.install(NPM).0.unwrap();
    assert_eq!(installed.method, "npm");
    assert!(
        installed.program.ends_with("node_modules/.bin/tool"),
        "{installed:?}"
    );
    assert!(!scene.places.home().join("planted").exists());
    // More, where the person wants it.
    scene.wishes.scripts = Scripts::Allowed;
    assert!(!words(runs(&recipe(&scene, NPM))[0]).contains(&"--ignore-scripts".to_owned()));
    scene.wishes.global = Global::Asked;
    assert!(
        matches!(skip(&scene, NPM), Skip::Sources { .. }),
        "this npm has no global folder"
    );
}

#[test]
fn a_manager_that_fails_is_quoted_and_leaves_nothing() {
    let scene = Scene::new();
    let script = npm().replace("exit 0", "echo it is broken >&2; exit 7");
    scene.tool("npm", &script);
    let error = argrail_acli::Error::from(&scene.install(NPM).0.unwrap_err());
    let methods = error.get_detail("methods").unwrap().to_string();
    assert!(
        methods.contains("exit code 7") && methods.contains("it is broken"),
        "{methods}"
    );
    assert!(!error.to_string().contains("it is broken"), "{error}");
    assert_eq!((scene.receipt(), scene.shelf()), (None, Vec::new()));
}

#[test]
fn cargo_compiles_in_the_sandbox_with_the_index_as_only_host() {
    let scene = Scene::new();
    let script = format!(
        "#!/bin/sh\n[ -w \"$CARGO_HOME\" ] || mkdir -p \"$CARGO_HOME\"\n\
         case \"$*\" in *'--root /tmp/root a') echo 'failed to download from `https://i.example/config.json`' >&2; exit 101 ;; esac\n\
         while [ \"$1\" != --root ]; do shift; done\nmkdir -p \"$2/bin\"\ncat > \"$2/bin/tool\" <<'END'\n{}END\nchmod 755 \"$2/bin/tool\"\n",
        program("2.1.0")
    );
    scene.tool("cargo", &script);
    let config = scene.places.home().join(".cargo/config.toml");
    fs::create_dir_all(config.parent().unwrap()).unwrap();
    fs::write(
        &config,
        "[source.own]\nregistry = \"sparse+https://own.example/index/\"\n",
    )
    .unwrap();
    let entry = "{ method: cargo, package: tool }";
    let made = recipe(&scene, entry);
    let run = runs(&made)[0];
    assert_eq!(hosts(run), ["own.example", "i.example"]);
    assert!(made.notes.iter().any(|note| note.contains("compiled")));
    assert!(words(run).contains(&config.display().to_string()));
    assert_eq!(scene.install(entry).0.unwrap().method, "cargo");
}

#[test]
fn go_uses_proxies_and_never_the_sources_themselves() {
    let scene = Scene::new();
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = env ] && {{ echo 'https://p.example,direct'; echo s.example; exit; }}\n\
         [ \"$GOPROXY\" = https://p.example ] || exit 9\ncat > \"$GOBIN/tool\" <<'END'\n{}END\nchmod 755 \"$GOBIN/tool\"\n",
        program("2.1.0")
    );
    scene.tool("go", &script);
    let entry = "{ method: go, package: \"g.example/tool\" }";
    let made = recipe(&scene, entry);
    let run = runs(&made)[0];
    assert_eq!(hosts(run), ["p.example", "s.example"]);
    assert_eq!(words(run), ["install", "--", "g.example/tool@latest"]);
    scene.install(entry).0.unwrap();
}

#[test]
fn a_systems_manager_needs_its_system_root_and_a_yes() {
    let mut scene = Scene::new();
    let apt = "{ method: apt, package: tool }";
    assert!(matches!(skip(&scene, apt), Skip::Absent("apt-get")));
    scene.tool("apt-get", "#!/bin/sh\nexit 0\n");
    let Skip::Privilege { command } = skip(&scene, apt) else {
        panic!("a user cannot");
    };
    assert_eq!(
        command.join(" "),
        "apt-get install --yes --no-install-recommends tool"
    );
    scene.machine.rights = Rights::Root;
    assert_eq!(skip(&scene, apt), Skip::Unconfined);
    scene.wishes.unconfined = Unconfined::Accepted;
    let made = recipe(&scene, apt);
    assert!(runs(&made).iter().all(|run| run.hold == Hold::Nothing));
    assert_eq!(words(runs(&made)[0]), ["update"], "there are no lists yet");
    assert!(made.notes.iter().any(|note| note.contains("without a sandbox")));
    for (entry, family) in [("dnf", Family::Fedora), ("pacman", Family::Arch)] {
        let entry = format!("{{ method: {entry}, package: tool }}");
        assert_eq!(skip(&scene, &entry), Skip::Family(family));
    }
    scene.machine.family = Some(Family::Arch);
    assert_eq!(skip(&scene, apt), Skip::Family(Family::Debian));
}

#[test]
fn methods_of_others_and_experiments_are_skipped() {
    let mut scene = Scene::new();
    for method in ["choco", "scoop"] {
        let entry = format!("{{ method: {method}, package: tool }}");
        assert!(matches!(skip(&scene, &entry), Skip::Os(_)), "{method}");
    }
    for method in ["brew", "npm", "pip", "cargo", "go"] {
        let entry = format!("{{ method: {method}, package: tool }}");
        assert!(matches!(skip(&scene, &entry), Skip::Absent(_)), "{method}");
    }
    scene.file("bin/tool", &program("2.1.0"));
    let entry = "{ method: vendored, path: ./bin/tool, experimental: true }";
    assert_eq!(skip(&scene, entry), Skip::Experimental);
    let unknown = "{ method: teleport, experimental: true }\n{ method: scoop, package: tool }";
    assert_eq!(skip(&scene, unknown), Skip::Unknown);
    scene.wishes.experimental = Experimental::Tried;
    recipe(&scene, entry);
    assert_eq!(skip(&scene, unknown), Skip::Unknown);
}
