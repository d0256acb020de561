//! busybox: tabs, and a list of applets.

use super::check;

#[test]
fn a_list_of_applets() {
    check(
        "tinybox",
        r#"TinyBox v1.2 multi-call binary.

Usage: tinybox [function [arguments]...]
   or: tinybox --list

	TinyBox combines many small tools into one.

Currently defined functions:
	[, [[, ar, cat, chmod, cp, head,
	ls, mv, wc
"#,
        r#"# TinyBox combines many small tools into one.
--list:
$ ar:
$ cat:
$ chmod:
$ cp:
$ head:
$ ls:
$ mv:
$ wc:
> ?function:"#,
    );
}

#[test]
fn an_applet_in_tabs() {
    check(
        "tinybox cp",
        r#"TinyBox v1.2 multi-call binary.

Usage: cp [-arPLf] SOURCE... DEST

Copy SOURCEs to DEST

	-a	Same as -dpR
	-R,-r	Recurse
	-d,-P	Preserve symlinks (default if -R)
	--no-check-certificate	Do not check
	-t DIR	Copy all SOURCEs into DIR
"#,
        r#"# Copy SOURCEs to DEST
-a: Same as -dpR
-R -r: Recurse
-d -P: Preserve symlinks (default if -R)
--no-check-certificate: Do not check
-t <DIR:directory>: Copy all SOURCEs into DIR
-L:
-f:
> SOURCE...:
> DEST:"#,
    );
}
