//! Sources of pages, in the dialects that programs write them in.

use argrail_spec::help::{Page, Subject, man_includes, read_man};

use super::shown::{commands, options, words};

fn read(text: &str) -> Page {
    read_man(
        text,
        &Subject {
            name: "moss",
            path: &[],
        },
    )
}

fn check(dialect: &str, source: &str, expected: &[&str]) {
    assert_eq!(options(&read(source)), expected, "{dialect}");
}

#[test]
fn a_page_in_man_macros_tells_all() {
    let page = read(
        r#"'\" t
.\" a comment
.TH MOSS 1 "today" "moss 1.0" "User Commands"
.SH NAME
moss \- grow moss on stones
.SH SYNOPSIS
.B moss
[\fB\-q\fR] [\fB\-k\fIkind\fR] \fISTONE\fR ...
.SH OPTIONS
.TP
\fB\-a\fR, \fB\-\-all\fR
Grow
.B everywhere\c
\&.
.TP
.BI \-k " kind" ", \-\-kind=" kind
Which.
.TP
.BI \-o file
Where.
.SH COMMANDS
.TP
add
Not one.
.SH "SEE ALSO"
.TP
.B \-\-never
"#,
    );
    assert_eq!(page.about.as_deref(), Some("grow moss on stones"));
    assert_eq!(options(&page), ["-a --all", "-k --kind kind", "-o file", "-q"]);
    assert_eq!(page.options[0].description, "Grow everywhere.");
    assert_eq!(page.options[0].seen.line, 11);
    assert_eq!(words(&page), ["STONE..."]);
    assert_eq!(commands(&page), [""; 0]);
}

#[test]
fn a_page_in_mdoc_tells_all() {
    let page = read(
        r#".Dd May 1, 2020
.Dt MOSS 1
.Os
.Sh NAME
.Nm moss
.Nd grow moss on stones
.Sh SYNOPSIS
.Nm
.Op Fl qv
.Op Fl k Ar kind
.Ar stone ...
.Sh DESCRIPTION
The options are as follows:
.Bl -tag -width indent
.It Fl k Ar kind , Fl Fl kind Ns = Ns Ar kind
Which
.Ar kind .
.It Fl q
Quiet.
.It Fl v
Loud.
.It Xo
.Fl o Ns Ar file
.Xc
Where.
.El
"#,
    );
    assert_eq!(page.about.as_deref(), Some("grow moss on stones"));
    assert_eq!(options(&page), ["-k --kind kind", "-q", "-v", "-o file"]);
    assert_eq!(page.options[0].description, "Which kind.");
    assert_eq!(words(&page), ["stone..."]);
}

#[test]
fn dialects_of_generators() {
    check(
        "pod2man",
        ".if n .sp\n.de IX\n..\n.TH M 1\n.SH OPTIONS\n.IP \"\\fB\\-a\\fR, \\fB\\-\\-all\\fR\" 4\n.IX Item \"-a, --all\"\nAll.\n",
        &["-a --all"],
    );
    check(
        "help2man",
        ".TH M 1\n.SH DESCRIPTION\n.HP\n\\fB\\-\\-out\\fR=\\fIFILE\\fR\n.IP\nWrite.\n",
        &["--out FILE"],
    );
    check(
        "docbook",
        ".TH M 1\n.SH OPTIONS\n.PP\n\\fB\\-\\-deep\\fR\n.RS 4\nDeep\\&.\n.RE\n",
        &["--deep"],
    );
    check(
        "docutils",
        ".TH M 1\n.SH OPTIONS\n.INDENT 0.0\n.TP\n.BI \\-\\-name \\ NAME\nIts name.\n.UNINDENT\n",
        &["--name NAME"],
    );
    check(
        "go-md2man",
        ".TH M 1\n.SH OPTIONS\n.PP\n\\fB\\-\\-tls\\fP=\\fItrue\\fP|\\fIfalse\\fP\n  Safe.\n",
        &["--tls"],
    );
    check(
        "md2man with headings",
        ".TH M 1\n.SH OPTIONS\n.SS \\fB--cpu\\fP=\\fInumber\\fP\n.PP\nHow many.\n",
        &["--cpu number"],
    );
    check(
        "bullets",
        ".TH M 1\n.SH OPTIONS\n.sp\n.IP \\(bu 2\n\\-\\-all,\n\\-A\n.sp\nAll.\n",
        &["--all -A"],
    );
    check(
        "own macros",
        ".TH M 1\n.de OPT\n.TP\n.B \\\\$1\n..\n.SH OPTIONS\n.OPT \\-\\-own\nOwn.\n",
        &["--own"],
    );
    check(
        "conditions",
        ".TH M 1\n.SH OPTIONS\n.ie t \\{\\\n.TP\n.B \\-\\-ink\nInk.\n.\\}\n.el \\{\\\n.TP\n.B \\-\\-screen\nScreen.\n.\\}\n",
        &["--screen"],
    );
    check(
        "stacked heads",
        ".TH M 1\n.SH OPTIONS\n.PD 0\n.TP\n.B \\-c\n.TP\n.B \\-\\-count\n.PD\nCount.\n",
        &["-c --count"],
    );
}

#[test]
fn a_page_may_be_another() {
    assert_eq!(man_includes(".so man1/stone.1\n"), Some("man1/stone.1"));
    assert_eq!(man_includes(".TH MOSS 1\n"), None);
    assert_eq!(read(".so man1/stone.1\n"), Page::default());
}
