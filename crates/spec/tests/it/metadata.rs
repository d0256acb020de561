//! Metadata of any shape that the draft allows, for properties.

use argrail_spec::atip::{
    Argument, Atip, AtipForm, AuthMethod, Authentication, Binary, Command, Cost, Duration, Effects, Extra,
    Filesystem, Filter, Interactive, Kind, Metadata, Omitted, Opt, Pattern, Step, Trust, Variable,
};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

fn words() -> impl Strategy<Value = String> {
    "[A-Za-zä][a-z .]{0,11}"
}

fn name() -> impl Strategy<Value = String> {
    "[a-z][a-z0-9+._-]{0,6}"
}

fn list() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(words(), 0..3)
}

fn extra() -> impl Strategy<Value = Extra> {
    let value = select(vec![json!(1), json!("a"), json!([true, null]), json!({"b": {}})]);
    prop::collection::hash_map("x-[a-z]{1,3}", value, 0..2).prop_map(|map| map.into_iter().collect())
}

fn value() -> impl Strategy<Value = Value> {
    select(vec![
        json!(1),
        json!("a"),
        json!(true),
        json!(["a"]),
        json!(-7),
        json!({}),
    ])
}

prop_compose! {
    fn filesystem()(read: Option<bool>, write: Option<bool>, delete: Option<bool>, paths in option::of(list()),
                    extra in extra()) -> Filesystem {
        Filesystem { read, write, delete, paths, extra }
    }
}

prop_compose! {
    fn side_effects()(
        filesystem in option::of(filesystem()),
        (network, subprocess, idempotent, reversible, destructive) in any::<(Option<bool>, Option<bool>, Option<bool>, Option<bool>, Option<bool>)>(),
        (creates, modifies, deletes) in (option::of(list()), option::of(list()), option::of(list())),
        cost in option::of((option::of(words()), any::<Option<bool>>(), extra())),
        duration in option::of((option::of(words()), option::of(words()))),
        interactive in option::of((option::of(words()), any::<Option<bool>>())),
        extra in extra(),
    ) -> Effects {
        Effects {
            filesystem, network, subprocess, idempotent, reversible, destructive, creates, modifies, deletes,
            cost: cost.map(|(estimate, billable, extra)| Cost { estimate, billable, extra }),
            duration: duration.map(|(typical, timeout)| Duration { typical, timeout, ..Duration::default() }),
            interactive: interactive.map(|(stdin, tty)| Interactive { stdin, tty, ..Interactive::default() }),
            extra,
        }
    }
}

prop_compose! {
    fn method()(kind in words(), env_var in option::of(words()), config_path in option::of(words()),
                setup_command in option::of(words()), scopes in option::of(list()),
                description in option::of(words()), extra in extra()) -> AuthMethod {
        AuthMethod { kind, env_var, config_path, setup_command, scopes, description, extra }
    }
}

prop_compose! {
    fn authentication()(required: Option<bool>, methods in prop::collection::vec(method(), 0..2),
                        check_command in option::of(words()), extra in extra()) -> Authentication {
        Authentication { required, methods, check_command, extra }
    }
}

prop_compose! {
    fn argument()(name in name(), kind in select(Kind::ALL.to_vec()), description in words(), required: Option<bool>,
                  default in option::of(value()), variadic: Option<bool>,
                  values in option::of(prop::collection::vec(value(), 0..3)), pattern in option::of(words()),
                  schema in option::of(value()), extra in extra()) -> Argument {
        Argument { name, kind, description, required, default, variadic, values, pattern, schema, extra }
    }
}

prop_compose! {
    fn opt()(argument in argument(), flags in prop::collection::vec("--?[a-z]{1,3}", 0..3),
             env_var in option::of(words()), exclusive in list()) -> Opt {
        Opt {
            name: argument.name, flags, kind: argument.kind, description: argument.description,
            required: argument.required, default: argument.default, values: argument.values, env_var, exclusive,
            variadic: argument.variadic, pattern: argument.pattern, schema: argument.schema, extra: argument.extra,
        }
    }
}

fn command() -> impl Strategy<Value = Command> {
    let leaf = (
        words(),
        list(),
        prop::collection::vec(argument(), 0..2),
        prop::collection::vec(opt(), 0..2),
        option::of(side_effects()),
        list(),
        option::of(authentication()),
        any::<(Option<bool>, Option<bool>)>(),
        extra(),
    )
        .prop_map(
            |(description, aliases, arguments, options, effects, examples, authentication, marks, extra)| {
                Command {
                    description,
                    aliases,
                    arguments,
                    options,
                    effects,
                    examples,
                    authentication,
                    deprecated: marks.0,
                    hidden: marks.1,
                    extra,
                    ..Command::default()
                }
            },
        );
    leaf.prop_recursive(2, 6, 3, |inner| {
        (inner.clone(), prop::collection::vec((name(), inner), 0..3)).prop_map(|(mut command, below)| {
            command.commands = below.into_iter().collect();
            command
        })
    })
}

prop_compose! {
    fn pattern()(name in words(), description in words(), command in words(), variable in name(),
                 kind in select(Kind::ALL.to_vec()), default in option::of(value()), tags in list(),
                 executable: Option<bool>, extra in extra()) -> Pattern {
        let step = Step { command, description: description.clone(), extra: extra.clone() };
        let variables = [(variable, Variable { kind, description: description.clone(), default,
            ..Variable::default() })];
        Pattern { name, description, steps: vec![step], variables: variables.into_iter().collect(), tags, executable,
            extra }
    }
}

fn protocol() -> impl Strategy<Value = Atip> {
    let object = (list(), option::of(select(vec!["0.1", "0.4", "0.6"])), extra()).prop_map(
        |(features, least, extra)| Atip {
            version: "0.6".to_owned(),
            features,
            min_agent_version: least.map(str::to_owned),
            form: AtipForm::Object,
            extra,
        },
    );
    prop_oneof![Just(Atip::default()), object]
}

prop_compose! {
    fn later()(
        trust in option::of((option::of(words()), any::<Option<bool>>(), option::of(extra()))),
        binary in option::of((option::of(words()), option::of(words()))),
        partial: Option<bool>,
        filter in option::of((option::of(list()), any::<Option<u64>>())),
        counts: (Option<u64>, Option<u64>),
        omitted in option::of((option::of(words()), option::of(words()))),
    ) -> Metadata {
        Metadata {
            trust: trust.map(|(source, verified, integrity)| Trust { source, verified, integrity, ..Trust::default() }),
            binary: binary.map(|(hash, platform)| Binary { hash, platform, ..Binary::default() }),
            partial,
            filter: filter.map(|(commands, depth)| Filter { commands, depth, ..Filter::default() }),
            total_commands: counts.0,
            included_commands: counts.1,
            omitted: omitted.map(|(reason, safety_assumption)| Omitted { reason, safety_assumption, ..Omitted::default() }),
            ..Metadata::default()
        }
    }
}

prop_compose! {
    /// Metadata that says everything right.
    pub(crate) fn metadata()(
        later in later(),
        atip in protocol(),
        (name, version, description) in (name(), words(), words()),
        (schema, title, homepage, license) in (option::of(words()), option::of(words()), option::of(words()), option::of(words())),
        authentication in option::of(authentication()),
        effects in option::of(side_effects()),
        global_options in prop::collection::vec(opt(), 0..2),
        commands in prop::collection::vec((prop_oneof![name(), Just(String::new())], command()), 0..3),
        patterns in prop::collection::vec(pattern(), 0..2),
        extra in extra(),
    ) -> Metadata {
        Metadata {
            schema, atip, name, version: Some(version), title, description, homepage, license, authentication, effects,
            global_options, commands: commands.into_iter().collect(), patterns, extra, ..later
        }
    }
}
