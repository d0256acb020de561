//! Words with one dash: openssl, gcc, find, nmap.

use super::check;

#[test]
fn words_with_one_dash() {
    check(
        "seal",
        r#"Usage: seal [options] [file...]

General options:
 -help               Display this summary
 -in infile          Input file (default stdin)
 -inform PEM|DER     Input format - DER or PEM
 -days +int          Number of days
 -xoflen +int        Output length
 -*                  Any supported digest

Output options:
 -out outfile        Output file
 -noout              Do not output
"#,
        r#"-help: Display this summary
-in <infile:file> = stdin: Input file (default stdin)
-inform <PEM|DER>: Input format - DER or PEM
-days <+int>: Number of days
-xoflen <+int>: Output length
-out <outfile:file>: Output file
-noout: Do not output
> ?file:file...:"#,
    );
}

#[test]
fn attached_values() {
    check(
        "forge",
        r#"Usage: forge [options] file...
Options:
  -pass-exit-codes         Exit with highest error code from a phase.
  --help={common|params}[,...].
                           Display specific types of options.
  -foffload=<targets>      Specify targets.
  -print-multi-os-directory Display the relative path to libraries.
  -Wa,<options>            Pass comma-separated <options> on.
  -Xlinker <arg>           Pass <arg> on to the linker.
  -save-temps              Do not delete intermediate files.
  -save-temps=<arg>        Do not delete intermediate files.
  -###                     Like -v but not executed.
  -o <file>                Place the output into <file>.
"#,
        r#"-pass-exit-codes: Exit with highest error code from a phase.
--help <{common|params}[,...]>: Display specific types of options.
-foffload <targets>: Specify targets.
-print-multi-os-directory: Display the relative path to libraries.
-Wa <options>: Pass comma-separated <options> on.
-Xlinker <arg>: Pass <arg> on to the linker.
-save-temps [arg]: Do not delete intermediate files.
-###: Like -v but not executed.
-o <file:file>: Place the output into <file>.
> file:file...:"#,
    );
}

#[test]
fn rows_of_options() {
    check(
        "seek",
        r#"Usage: seek [-H] [-L] [-D debugopts] [path...] [expression]

Positional options (always true):
      -daystart -follow -nowarn

Tests (N can be +N or -N or N):
      -amin N -anewer FILE -empty -name PATTERN
      -nouser -perm [-/]MODE -size N[bck] -type [bcd]

Actions:
      -delete -printf FORMAT -exec COMMAND ;
"#,
        r#"-daystart:
-follow:
-nowarn:
-amin <N:integer>:
-anewer <FILE:file>:
-empty:
-name <PATTERN>:
-nouser:
-perm <[-/]MODE>:
-size <N[bck]>:
-type [bcd]:
-H:
-L:
-D <debugopts>:
> ?path:file...:
> ?expression:"#,
    );
}

#[test]
fn colons_and_slashes() {
    check(
        "knock",
        r#"Usage: knock [Options] {target}
TARGETS:
  Ex: example.org, 10.0.0-255.1-254
  -iL <file>: Input from list of hosts
  -PS/PA/PU[portlist]: probes to given ports
  -n/-R: Never resolve/Always resolve [default: sometimes]
  -oN/-oX <file>: Output in normal, XML
     format, respectively.
  --min-group/max-group <size>: Group sizes
  --delay/--max-delay <time>: Adjust delay
  -f; --mtu <val>: fragment packets
  -g/--source-port <num>: Use given port
  -v: Increase verbosity (use -vv or more)
EXAMPLES:
  knock -v -Z host
"#,
        r#"-iL <file:file>: Input from list of hosts
-PS [portlist]: probes to given ports
-n: Never resolve/Always resolve [default: sometimes]
-R: Never resolve/Always resolve [default: sometimes]
-oN <file:file>: Output in normal, XML format, respectively.
-oX <file:file>: Output in normal, XML format, respectively.
--min-group <size>: Group sizes
--delay <time>: Adjust delay
--max-delay <time>: Adjust delay
-f: fragment packets
--mtu <val>: fragment packets
-g --source-port <num:integer>: Use given port
-v: Increase verbosity (use -vv or more)
> target:"#,
    );
}

#[test]
fn values_that_touch_a_letter() {
    check(
        "pearl",
        r#"Usage: pearl [switches] [file]
  -F/pattern/       split at it
  -Idirectory       where to look
  -Xint             interpret only
  -read-@lists      read lists
  --mode (+|-)x     change a bit
"#,
        r#"-F <pattern>: split at it
-I <directory:directory>: where to look
-Xint: interpret only
-read-@lists: read lists
--mode <(+|-)x>: change a bit
> ?file:file:"#,
    );
}
