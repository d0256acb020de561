//! Programs of a normal system: files, text, processes, languages, and programs that start others.

use super::Shipped;

/// The descriptions, sorted by name.
pub(super) const PROGRAMS: &[Shipped] = &[
    Shipped {
        name: "awk",
        description: "Process text by patterns and actions",
        text: include_str!("awk.json"),
    },
    Shipped {
        name: "base64",
        description: "Encode or decode base64",
        text: include_str!("base64.json"),
    },
    Shipped {
        name: "basename",
        description: "Print the last part of paths",
        text: include_str!("basename.json"),
    },
    Shipped {
        name: "bash",
        description: "A shell",
        text: include_str!("bash.json"),
    },
    Shipped {
        name: "busybox",
        description: "Many small programs in one",
        text: include_str!("busybox.json"),
    },
    Shipped {
        name: "cat",
        description: "Print files one after another",
        text: include_str!("cat.json"),
    },
    Shipped {
        name: "chmod",
        description: "Change modes of files",
        text: include_str!("chmod.json"),
    },
    Shipped {
        name: "chown",
        description: "Change owners of files",
        text: include_str!("chown.json"),
    },
    Shipped {
        name: "cmp",
        description: "Compare two files byte by byte",
        text: include_str!("cmp.json"),
    },
    Shipped {
        name: "comm",
        description: "Compare two sorted files line by line",
        text: include_str!("comm.json"),
    },
    Shipped {
        name: "cp",
        description: "Copy files",
        text: include_str!("cp.json"),
    },
    Shipped {
        name: "cut",
        description: "Print parts of lines",
        text: include_str!("cut.json"),
    },
    Shipped {
        name: "dash",
        description: "A small shell",
        text: include_str!("dash.json"),
    },
    Shipped {
        name: "date",
        description: "Print the time, or set it",
        text: include_str!("date.json"),
    },
    Shipped {
        name: "dd",
        description: "Copy blocks of data",
        text: include_str!("dd.json"),
    },
    Shipped {
        name: "df",
        description: "Show free space of file systems",
        text: include_str!("df.json"),
    },
    Shipped {
        name: "diff",
        description: "Compare files line by line",
        text: include_str!("diff.json"),
    },
    Shipped {
        name: "dirname",
        description: "Print paths without their last part",
        text: include_str!("dirname.json"),
    },
    Shipped {
        name: "du",
        description: "Show how much space files take",
        text: include_str!("du.json"),
    },
    Shipped {
        name: "echo",
        description: "Print words",
        text: include_str!("echo.json"),
    },
    Shipped {
        name: "egrep",
        description: "Print lines that match an extended regular expression",
        text: include_str!("egrep.json"),
    },
    Shipped {
        name: "env",
        description: "Start a program with other variables, or print them",
        text: include_str!("env.json"),
    },
    Shipped {
        name: "false",
        description: "Fail",
        text: include_str!("false.json"),
    },
    Shipped {
        name: "fd",
        description: "Find files by name",
        text: include_str!("fd.json"),
    },
    Shipped {
        name: "fdfind",
        description: "Find files by name",
        text: include_str!("fdfind.json"),
    },
    Shipped {
        name: "fgrep",
        description: "Print lines that contain a string",
        text: include_str!("fgrep.json"),
    },
    Shipped {
        name: "file",
        description: "Tell what kind of file it is",
        text: include_str!("file.json"),
    },
    Shipped {
        name: "find",
        description: "Walk directories and test files",
        text: include_str!("find.json"),
    },
    Shipped {
        name: "gawk",
        description: "Process text by patterns and actions",
        text: include_str!("gawk.json"),
    },
    Shipped {
        name: "grep",
        description: "Print lines that match a pattern",
        text: include_str!("grep.json"),
    },
    Shipped {
        name: "gunzip",
        description: "Expand compressed files",
        text: include_str!("gunzip.json"),
    },
    Shipped {
        name: "gzip",
        description: "Compress or expand files",
        text: include_str!("gzip.json"),
    },
    Shipped {
        name: "head",
        description: "Print the beginning of files",
        text: include_str!("head.json"),
    },
    Shipped {
        name: "hostname",
        description: "Print the name of the host, or set it",
        text: include_str!("hostname.json"),
    },
    Shipped {
        name: "id",
        description: "Print user and groups",
        text: include_str!("id.json"),
    },
    Shipped {
        name: "jq",
        description: "Process JSON by a filter",
        text: include_str!("jq.json"),
    },
    Shipped {
        name: "kill",
        description: "Send a signal to processes",
        text: include_str!("kill.json"),
    },
    Shipped {
        name: "less",
        description: "Show text page by page",
        text: include_str!("less.json"),
    },
    Shipped {
        name: "ln",
        description: "Make links",
        text: include_str!("ln.json"),
    },
    Shipped {
        name: "ls",
        description: "List directory contents",
        text: include_str!("ls.json"),
    },
    Shipped {
        name: "man",
        description: "Show pages of the manual",
        text: include_str!("man.json"),
    },
    Shipped {
        name: "mawk",
        description: "Process text by patterns and actions",
        text: include_str!("mawk.json"),
    },
    Shipped {
        name: "md5sum",
        description: "Print or check MD5 checksums",
        text: include_str!("md5sum.json"),
    },
    Shipped {
        name: "mkdir",
        description: "Make directories",
        text: include_str!("mkdir.json"),
    },
    Shipped {
        name: "more",
        description: "Show text page by page",
        text: include_str!("more.json"),
    },
    Shipped {
        name: "mv",
        description: "Move or rename files",
        text: include_str!("mv.json"),
    },
    Shipped {
        name: "nano",
        description: "Edit text on a screen",
        text: include_str!("nano.json"),
    },
    Shipped {
        name: "nice",
        description: "Start a program with another priority",
        text: include_str!("nice.json"),
    },
    Shipped {
        name: "nl",
        description: "Number lines",
        text: include_str!("nl.json"),
    },
    Shipped {
        name: "node",
        description: "Run JavaScript programs",
        text: include_str!("node.json"),
    },
    Shipped {
        name: "nohup",
        description: "Start a program that goes on without a terminal",
        text: include_str!("nohup.json"),
    },
    Shipped {
        name: "passwd",
        description: "Change passwords",
        text: include_str!("passwd.json"),
    },
    Shipped {
        name: "printf",
        description: "Print words in a format",
        text: include_str!("printf.json"),
    },
    Shipped {
        name: "ps",
        description: "Show processes",
        text: include_str!("ps.json"),
    },
    Shipped {
        name: "pwd",
        description: "Print the working directory",
        text: include_str!("pwd.json"),
    },
    Shipped {
        name: "python",
        description: "Run Python programs",
        text: include_str!("python.json"),
    },
    Shipped {
        name: "python3",
        description: "Run Python programs",
        text: include_str!("python3.json"),
    },
    Shipped {
        name: "readlink",
        description: "Print where a link leads",
        text: include_str!("readlink.json"),
    },
    Shipped {
        name: "realpath",
        description: "Print where paths lead",
        text: include_str!("realpath.json"),
    },
    Shipped {
        name: "rg",
        description: "Search directories for a pattern",
        text: include_str!("rg.json"),
    },
    Shipped {
        name: "rm",
        description: "Delete files",
        text: include_str!("rm.json"),
    },
    Shipped {
        name: "rmdir",
        description: "Delete empty directories",
        text: include_str!("rmdir.json"),
    },
    Shipped {
        name: "sed",
        description: "Edit text by a script",
        text: include_str!("sed.json"),
    },
    Shipped {
        name: "seq",
        description: "Print numbers in order",
        text: include_str!("seq.json"),
    },
    Shipped {
        name: "sh",
        description: "The shell",
        text: include_str!("sh.json"),
    },
    Shipped {
        name: "sha1sum",
        description: "Print or check SHA-1 checksums",
        text: include_str!("sha1sum.json"),
    },
    Shipped {
        name: "sha256sum",
        description: "Print or check SHA-256 checksums",
        text: include_str!("sha256sum.json"),
    },
    Shipped {
        name: "sha512sum",
        description: "Print or check SHA-512 checksums",
        text: include_str!("sha512sum.json"),
    },
    Shipped {
        name: "sleep",
        description: "Wait",
        text: include_str!("sleep.json"),
    },
    Shipped {
        name: "sort",
        description: "Sort lines of text",
        text: include_str!("sort.json"),
    },
    Shipped {
        name: "stat",
        description: "Show what is known of files",
        text: include_str!("stat.json"),
    },
    Shipped {
        name: "sudo",
        description: "Start a program as another user",
        text: include_str!("sudo.json"),
    },
    Shipped {
        name: "tac",
        description: "Print lines of files in reverse",
        text: include_str!("tac.json"),
    },
    Shipped {
        name: "tail",
        description: "Print the end of files",
        text: include_str!("tail.json"),
    },
    Shipped {
        name: "tar",
        description: "Pack, list and unpack archives",
        text: include_str!("tar.json"),
    },
    Shipped {
        name: "tee",
        description: "Copy standard input to files and on",
        text: include_str!("tee.json"),
    },
    Shipped {
        name: "timeout",
        description: "Start a program and end it after a while",
        text: include_str!("timeout.json"),
    },
    Shipped {
        name: "top",
        description: "Show processes, again and again",
        text: include_str!("top.json"),
    },
    Shipped {
        name: "touch",
        description: "Set times of files, and make those that are missing",
        text: include_str!("touch.json"),
    },
    Shipped {
        name: "tr",
        description: "Replace, squeeze or delete characters of standard input",
        text: include_str!("tr.json"),
    },
    Shipped {
        name: "tree",
        description: "Show directories as a tree",
        text: include_str!("tree.json"),
    },
    Shipped {
        name: "true",
        description: "Succeed",
        text: include_str!("true.json"),
    },
    Shipped {
        name: "uname",
        description: "Print what system this is",
        text: include_str!("uname.json"),
    },
    Shipped {
        name: "uniq",
        description: "Print or count repeated lines",
        text: include_str!("uniq.json"),
    },
    Shipped {
        name: "unzip",
        description: "List, test and unpack zip archives",
        text: include_str!("unzip.json"),
    },
    Shipped {
        name: "vi",
        description: "Edit text on a screen",
        text: include_str!("vi.json"),
    },
    Shipped {
        name: "vim",
        description: "Edit text on a screen",
        text: include_str!("vim.json"),
    },
    Shipped {
        name: "wc",
        description: "Count lines, words and bytes",
        text: include_str!("wc.json"),
    },
    Shipped {
        name: "which",
        description: "Find programs in PATH",
        text: include_str!("which.json"),
    },
    Shipped {
        name: "whoami",
        description: "Print the user",
        text: include_str!("whoami.json"),
    },
    Shipped {
        name: "xargs",
        description: "Start a program with words from input",
        text: include_str!("xargs.json"),
    },
    Shipped {
        name: "zcat",
        description: "Print compressed files",
        text: include_str!("zcat.json"),
    },
    Shipped {
        name: "zip",
        description: "Pack files into zip archives",
        text: include_str!("zip.json"),
    },
    Shipped {
        name: "zsh",
        description: "A shell",
        text: include_str!("zsh.json"),
    },
];
