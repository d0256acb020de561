//! BSD: bundles of letters in a usage line, after an error.

use super::check;

#[test]
fn letters_in_a_bundle() {
    check(
        "plumb",
        r#"plumb: unknown option -- h
usage: plumb [-46bDhlnruvz] [-I length] [-i interval] [-s addr | device]
	     [-T keyword] [-w timeout] [-x proxy[:port]] [destination] [port]
       plumb -k [-f file]
"#,
        r#"-4:
-6:
-b:
-D:
-h:
-l:
-n:
-r:
-u:
-v:
-z:
-I <length>:
-i <interval>:
-s <addr>:
-T <keyword>:
-w <timeout>:
-x <proxy[:port]>:
-k:
-f <file:file>:
> ?destination:
> ?port:integer:"#,
    );
}

#[test]
fn a_summary_in_tabs() {
    check(
        "plumb",
        r#"usage: plumb [-dkN] [-p port] [host]
	Command Summary:
		-d		Detach from stdin
		-k		Keep sockets open
		-p port		Local port
	Port numbers can be ranges
"#,
        r#"-d: Detach from stdin
-k: Keep sockets open
-p <port:integer>: Local port
-N:
> ?host:"#,
    );
}

#[test]
fn remarks_are_no_words() {
    check(
        "hostel plan",
        r#"usage: hostel [global options] plan [-al] [-c class] name
       [flags and rooms in any order]
       -a is the same as -l -c ANY
       -l lists all rooms of a house
"#,
        r#"-a:
-l:
-c <class>:
> name:"#,
    );
}
