//! Java: javac, commons-cli, jcommander, picocli, and pages without placeholders.

use super::check;

#[test]
fn javac() {
    check(
        "jbrew",
        r#"Usage: jbrew <options> <source files>
where possible options include:
  @<filename>                  Read options from file
  -Akey[=value]                Options to pass on
  --add-modules <module>(,<module>)*
        Root modules to resolve
  --class-path <path>, -classpath <path>, -cp <path>
        Where to find files
  -g:{lines,vars}              Generate only some info
  -J<flag>                     Pass <flag> on
  --help, -help, -?            Print this help message
"#,
        r#"-Akey [value]: Options to pass on
--add-modules <module(,module)*>: Root modules to resolve
--class-path -classpath -cp <path:file>: Where to find files
-g <lines|vars>: Generate only some info
-J <flag>: Pass <flag> on
--help -help -?: Print this help message
> source files:"#,
    );
}

#[test]
fn commons_cli() {
    check(
        "mill",
        r#"usage: mill [options] [<goal(s)>]

Options:
 -am,--also-make                        also build what is required
 -b,--builder <arg>                     The id of the build strategy
 -D,--define <arg>                      Define a property
 -h,--help                              Display help information
"#,
        r#"-am --also-make: also build what is required
-b --builder <arg>: The id of the build strategy
-D --define <arg>: Define a property
-h --help: Display help information
> ?goal(s):"#,
    );
}

#[test]
fn jcommander() {
    check(
        "barn",
        r#"Usage: barn [options] [command] [command options]
  Options:
    --help, -h
      show help
      Default: false
  * --host, -H
      host name
    --level
      Default: INFO
      Possible Values: [INFO, WARN]
  Commands:
    feed      feed animals
      Usage: feed [options]
        Options:
          --hay
            give hay
            Default: true
"#,
        r#"--help -h = false: show help Default: false
--host -H <> !: host name
--level <INFO|WARN> = INFO: Default: INFO Possible Values: [INFO, WARN]
$ feed: feed animals"#,
    );
}

#[test]
fn picocli() {
    check(
        "juice",
        r#"Usage: juice [-hV] [-o=<file>] [--fruit=<kind>]... <press> [COMMAND]
Press fruit.
      <press>           the press
      --fruit=<kind>    which, may be repeated
  -h, --help            Show this help message and exit.
  -o, --output=<file>   where
  -V, --version         Print version information and exit.
Commands:
  clean  Clean the press
"#,
        r#"# Press fruit. <press>           the press
--fruit <kind> +: which, may be repeated
-h --help: Show this help message and exit.
-o --output <file:file>: where
-V --version: Print version information and exit.
$ clean: Clean the press
> press:"#,
    );
}

#[test]
fn without_placeholders() {
    check(
        "plough",
        r#"
USAGE: plough [option...] [task...]

-?, -h, --help                     Shows this help message.
-a, --no-rebuild                   Do not rebuild project dependencies. [deprecated]
-b, --build-file                   Specify the build file. [deprecated]
--console                          Specifies which type of console output to generate. Values are 'plain', 'auto' (default), 'rich' or 'verbose'.
--continue                         Continue task execution after a task failure.
-D, --system-prop                  Set system property of the JVM (e.g. -Dmyprop=myvalue).
--max-workers                      Configure the number of concurrent workers Plough is allowed to use.
--                                 Signals the end of built-in options.
"#,
        r#"-? -h --help: Shows this help message.
-a --no-rebuild (old): Do not rebuild project dependencies. [deprecated]
-b --build-file <:file> (old): Specify the build file. [deprecated]
--console <plain|auto|rich|verbose>: Specifies which type of console output to generate. Values are 'plain', 'auto' (default), 'rich' or 'verbose'.
--continue: Continue task execution after a task failure.
-D --system-prop: Set system property of the JVM (e.g. -Dmyprop=myvalue).
--max-workers: Configure the number of concurrent workers Plough is allowed to use.
> ?task...:"#,
    );
}

#[test]
fn names_stacked_on_lines_of_their_own() {
    check(
        "jsift",
        r#"Usage: jsift <options> <path>

Options:
  -gp <path>
  -grainpath <path>
  --grain-path <path>      Where the grain lies
  -q <sieve name>
  --fine-sieve <sieve name>...
                           Which sieve to use
  -drychaff
  --dry-chaff              Dry what is left
  --low <n>
  --lower <n>              Never below that
  --mill <String: name of-  The mill
    the mill>
"#,
        r#"-gp -grainpath --grain-path <path:file>: Where the grain lies
-q --fine-sieve <sieve name>: Which sieve to use
-drychaff --dry-chaff: Dry what is left
--low <n:integer>:
--lower <n:integer>: Never below that
--mill <String: name of->: The mill the mill>
> path:file:"#,
    );
}
