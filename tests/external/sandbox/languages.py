"""Language runtimes, static binaries and scripts."""

import os
import shutil
import subprocess
from pathlib import Path

from harness import policy

PYTHON = "python3"
SCRATCH = ["/tmp", "/dev/shm"]


def lines(text):
    """A program text without the indentation of this file."""
    shift = len(text) - len(text.lstrip("\n ")) - 1
    return "\n".join(line[shift:] for line in text.lstrip("\n").splitlines())


def python_alone(t):
    """Threads, libraries and temporary files, without starting anything."""
    threads = """
        import threading, queue
        q = queue.Queue()
        ts = [threading.Thread(target=q.put, args=(n,)) for n in range(50)]
        [x.start() for x in ts]; [x.join() for x in ts]
        print(q.qsize())
    """
    t.works("fifty threads", t.run(policy(), [PYTHON, "-c", lines(threads)]), "50")
    imports = """
        import ssl, sqlite3, ctypes, hashlib, json, zlib, lzma, bz2, uuid, socket, selectors, decimal
        print(ssl.create_default_context().cert_store_stats()['x509_ca'] >= 0)
        print(sqlite3.connect(':memory:').execute('select 41 + 1').fetchone())
        print(ctypes.CDLL(None).getpid() > 0)
        print(ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 7)())
    """
    t.works("ssl, sqlite3, ctypes", t.run(policy(), [PYTHON, "-c", lines(imports)]), "True\n(42,)\nTrue\n7\n")
    t.works("the user has a name", t.run(policy(), [PYTHON, "-c", "import getpass; print(getpass.getuser())"]), "user")
    machine = "import socket; print(socket.gethostname(), socket.gethostbyname(socket.gethostname()))"
    t.works("the machine too, which is not the host's", t.run(policy(), [PYTHON, "-c", machine]), "sandbox 127.0.0.1")
    home = "import pathlib; print(pathlib.Path.home())"
    t.works("and a home", t.run(policy(), [PYTHON, "-c", home]), str(t.home))
    mark = f"argrail-{os.getpid()}-"
    made = f"""
        import tempfile
        files = [tempfile.NamedTemporaryFile(prefix='{mark}', dir=d, delete=False) for d in {SCRATCH}]
        [f.write(b'x' * 100000) for f in files]; [f.close() for f in files]
        print(tempfile.gettempdir(), [open(f.name, 'rb').read(1) for f in files])
    """
    t.works("temporary files", t.run(policy(), [PYTHON, "-c", lines(made)]), "/tmp [b'x', b'x']")
    left = [name for place in SCRATCH for name in os.listdir(place) if name.startswith(mark)]
    t.check("none of them on the host", not left, left)


def python_outside(t):
    """What is not granted is neither read nor written."""
    work = t.work()
    (work / "in").write_text("inside")
    beside = t.work() / "secret"
    beside.write_text("outside")
    block = policy(read=[f"{work}/**"])
    reads = "import sys; print(open(sys.argv[1]).read())"
    t.works("reads inside", t.run(block, [PYTHON, "-c", reads, work / "in"]), "inside")
    t.fails("not outside", t.run(block, [PYTHON, "-c", reads, beside]), ("fs", str(beside)))
    for path in ["/etc/shadow", "/proc/1/environ", f"{t.home.parent}/suite/suite.py", "/sys/kernel/notes"]:
        t.fails(f"not {path}", t.run(block, [PYTHON, "-c", reads, path]))
    t.fails("writes nothing", t.run(block, [PYTHON, "-c", "open('new', 'w')"], cwd=work))
    hosts = "import os; print(sorted(os.listdir('/proc')))"
    ran = t.run(block, [PYTHON, "-c", hosts])
    t.check("sees no process of the host", ran.exit == 0 and f"'{os.getpid()}'" not in ran.stdout, ran)
    kills = f"import os; os.kill({os.getpid()}, 0)"
    t.fails("reaches no process of the host", t.run(block, [PYTHON, "-c", kills]))


def python_starts(t):
    """subprocess and multiprocessing, with and without a list."""
    echo = "import subprocess; print(subprocess.run(['echo', 'started'], capture_output=True, text=True).stdout)"
    t.fails("subprocess fails", t.run(policy(), [PYTHON, "-c", echo]), ("syscall", "fork"))
    t.works("with a list it works", t.run(policy(spawn=["echo"]), [PYTHON, "-c", echo]), "started")
    other = t.run(policy(spawn=["cat"]), [PYTHON, "-c", echo])
    t.fails("for what is listed only", other, ("exec", "echo"))
    shell = "import os; print(os.system('echo started'))"
    t.fails("os.exec fails", t.run(policy(), [PYTHON, "-c", "import os; os.execv('/bin/echo', ['echo', 'started'])"]), ("exec", "/bin/echo"))
    searched = "import os; os.execvp('echo', ['echo', 'started'])"
    ran = t.run(policy(), ["sh", "-c", "exec echo started"])
    t.fails("a shell's exec fails", ran, ("exec", "/bin/echo"))
    ran = t.run(policy(), [PYTHON, "-c", searched])
    t.fails("os.execvp fails", ran, ("exec", "/bin/echo"))
    t.check("only what is there is told", not ran.denied("exec", "/sbin/echo"), ran)
    t.works("a shell that is listed", t.run(policy(spawn=["sh"]), [PYTHON, "-c", shell]), "started\n0")
    work = t.work()
    own = f"""
        import os, shutil, subprocess
        shutil.copy('/bin/echo', '{work}/own'); os.chmod('{work}/own', 0o755)
        subprocess.run(['{work}/own', 'started'])
    """
    ran = t.run(policy(write=[f"{work}/**"], spawn=["echo"]), [PYTHON, "-c", lines(own)])
    t.fails("a copy of what is listed", ran, ("exec", f"{work}/own"))
    loader = "import subprocess, glob; l = glob.glob('/lib*/ld-linux*')[0]; subprocess.run([l, '/usr/bin/env'], check=True)"
    t.fails("the loader starts nothing else", t.run(policy(spawn=["echo"]), [PYTHON, "-c", loader]))
    pool = """
        import multiprocessing as m
        def square(n): return n * n
        if __name__ == '__main__':
            with m.get_context('fork').Pool(3) as pool: print(sum(pool.map(square, range(100))))
            lock, value = m.Lock(), m.Value('i', 0)
            with lock: value.value += 5
            print(value.value)
    """
    (work / "pool.py").write_text(lines(pool))
    ran = t.run(policy(read=[f"{work}/**"], spawn=[]), [PYTHON, work / "pool.py"])
    t.works("multiprocessing by fork", ran, "328350\n5")
    (work / "spawn.py").write_text(lines(pool).replace("'fork'", "'spawn'"))
    ran = t.run(policy(read=[f"{work}/**"], spawn=[PYTHON]), [PYTHON, work / "spawn.py"])
    t.works("multiprocessing by spawn", ran, "328350\n5")
    t.fails("neither without the right", t.run(policy(read=[f"{work}/**"]), [PYTHON, work / "pool.py"]))
    executor = "import concurrent.futures as c; print(c.ProcessPoolExecutor(2).submit(abs, -3).result())"
    t.works("concurrent.futures", t.run(policy(spawn=[]), [PYTHON, "-c", executor]), "3")
    aio = """
        import asyncio
        async def main():
            p = await asyncio.create_subprocess_exec('echo', 'started', stdout=-1)
            print((await p.communicate())[0])
        asyncio.run(main())
    """
    t.works("asyncio", t.run(policy(spawn=["echo"]), [PYTHON, "-c", lines(aio)]), "started")


def node(t):
    """Workers, child processes and files of node."""
    work = t.work()
    (work / "in").write_text("inside")
    beside = t.work() / "secret"
    beside.write_text("outside")
    block = policy(read=[f"{work}/**"])
    t.works("runs", t.run(policy(), ["node", "-p", "[1, 2].map(n => n * 2).join()"]), "2,4")
    worker = """
        const { Worker, isMainThread, parentPort } = require('worker_threads');
        if (isMainThread) new Worker(__filename).on('message', m => console.log(m)); else parentPort.postMessage('from a worker');
    """
    (work / "worker.js").write_text(lines(worker))
    t.works("worker_threads", t.run(block, ["node", work / "worker.js"]), "from a worker")
    wasm = "new WebAssembly.Memory({initial: 1}); console.log(require('zlib').gzipSync('x'.repeat(1e6)).length > 100)"
    t.works("WebAssembly and zlib", t.run(policy(), ["node", "-e", wasm]), "true")
    crypto = "console.log(require('crypto').createHash('sha256').update('x').digest('hex').length)"
    t.works("crypto", t.run(policy(), ["node", "-e", crypto]), "64")
    (work / "m.mjs").write_text("import fs from 'node:fs/promises'; console.log(await fs.readFile('in', 'utf8'));\n")
    t.works("modules and fs/promises", t.run(block, ["node", "m.mjs"], cwd=work), "inside")
    reads = "console.log(require('fs').readFileSync(process.argv[1], 'utf8'))"
    t.fails("reads nothing outside", t.run(block, ["node", "-e", reads, beside]), ("fs", str(beside)))
    t.fails("writes nothing", t.run(block, ["node", "-e", "require('fs').writeFileSync('new', '')"], cwd=work))
    starts = "console.log(require('child_process').execFileSync('echo', ['started']).toString())"
    t.fails("child_process fails", t.run(policy(), ["node", "-e", starts]), ("syscall", "fork"))
    t.works("with a list it works", t.run(policy(spawn=["echo"]), ["node", "-e", starts]), "started")
    t.fails("for what is listed only", t.run(policy(spawn=["cat"]), ["node", "-e", starts]), ("exec", "echo"))
    fork = """
        const c = require('child_process');
        if (process.send) process.send('from a fork'); else c.fork(__filename).on('message', m => console.log(m));
    """
    (work / "fork.js").write_text(lines(fork))
    t.works("fork with messages", t.run(policy(read=[f"{work}/**"], spawn=["node"]), ["node", work / "fork.js"]), "from a fork")


SOURCE = """
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int count, char **words) {
    puts("static");
    if (count > 1) { FILE *file = fopen(words[1], "r"); if (!file) { perror(words[1]); return 3; } }
    if (count > 2) { execl(words[2], words[2], (char *)0); perror(words[2]); return 4; }
    return 0;
}
"""


def static_binaries(t):
    """Programs without a loader or a library."""
    work = t.work()
    (work / "s.c").write_text(SOURCE)
    for name, flags in [("static", ["-static"]), ("static-pie", ["-static-pie"]), ("dynamic", [])]:
        subprocess.run(["cc", *flags, "-o", work / name, work / "s.c"], check=True)
        t.works(f"{name} runs", t.run(policy(), [work / name]), "static")
        t.works(f"{name} runs by a relative path", t.run(policy(), [f"./{name}"], cwd=work), "static")
        ran = t.run(policy(), [work / name, work / "s.c"])
        t.fails(f"{name} reads nothing", ran, ("fs", str(work / "s.c")))
        ran = t.run(policy(read=[f"{work}/**"]), [work / name, work / "s.c", "/bin/true"])
        t.check(f"{name} starts nothing", ran.exit == 4 and ran.denied("exec", "/bin/true"), ran)
        block = policy(read=[f"{work}/**"], spawn=[work / name])
        t.works(f"{name} is started from a list", t.run(block, ["sh", "-c", f"{work}/{name}"]), "static")
    if not shutil.which("busybox"):
        t.skip("busybox is not installed")
    else:
        t.works("busybox runs", t.run(policy(), ["busybox", "echo", "boxed"]), "boxed")
        t.fails("busybox reads nothing", t.run(policy(), ["busybox", "cat", work / "s.c"]), ("fs", str(work / "s.c")))
        ran = t.run(policy(read=[f"{work}/**"]), ["busybox", "sh", "-c", "cat s.c"], cwd=work)
        t.fails("busybox sh starts no applet", ran, ("exec", "/proc/self/exe"))
        ran = t.run(policy(read=[f"{work}/**"], spawn=["busybox"]), ["busybox", "sh", "-c", "busybox head -n 2 s.c"], cwd=work)
        t.works("but itself, if that is listed", ran, "#include")
    if not shutil.which("go"):
        return t.skip("go is not installed")
    (work / "main.go").write_text('package main\nimport "fmt"\nfunc main() { c := make(chan int); go func() { c <- 1 }(); fmt.Println("go", <-c) }\n')
    cache = {**os.environ, "GOCACHE": str(work / "cache"), "CGO_ENABLED": "0"}
    subprocess.run(["go", "build", "-o", work / "gone", work / "main.go"], check=True, env=cache)
    t.works("a go program runs", t.run(policy(), [work / "gone"]), "go 1")


def scripts(t):
    """`#!` lines by way of env, as the command and as something that it starts."""
    work = t.work()
    shell, python, direct = work / "by-env", work / "split", work / "direct"
    shell.write_text('#!/usr/bin/env bash\necho "bash says $1"; cat "$2"\n')
    python.write_text("#!/usr/bin/env -S python3 -u\nimport sys\nprint('python says', sys.argv[1])\nopen(sys.argv[2])\n")
    direct.write_text('#!/bin/sh -e\necho "sh says $1"\n')
    for script in (shell, python, direct):
        script.chmod(0o755)
    t.works("env bash as the command", t.run(policy(), [direct, "hi"]), "sh says hi")
    ran = t.run(policy(), [shell, "hi", "/etc/shadow"])
    t.fails("it may start nothing", ran, ("syscall", "fork"))
    t.check("but runs", "bash says hi" in ran.stdout, ran)
    t.works("a listed program of it runs", t.run(policy(spawn=["cat"]), [shell, "hi", "/dev/null"]), "bash says hi")
    t.works("env -S as the command", t.run(policy(), [python, "hi", "/dev/null"]), "python says hi")
    t.fails("it may read nothing", t.run(policy(), [python, "hi", shell]), ("fs", str(shell)))
    named = work / "named"
    named.write_text('#!/bin/sh\necho "I am ${0##*/}"\n')
    named.chmod(0o755)
    link = t.work() / "other-name"
    link.symlink_to(named)
    t.works("a script knows the name of its symlink", t.run(policy(), [link]), "I am other-name")
    both = policy(read=[f"{work}/**", f"{link.parent}/**"])
    t.works("also where that is granted", t.run(both, [link]), "I am other-name")
    half = policy(read=[f"{link.parent}/**"])
    t.works("and runs where only that is", t.run(half, [link]), "I am ")
    reads = [f"{work}/**"]
    listed = policy(read=reads, spawn=[shell, "env", "bash", "cat"])
    t.works("env bash from a list", t.run(listed, ["sh", "-c", f"{shell} hi /dev/null"]), "bash says hi")
    listed = policy(read=reads, spawn=[python, "env", "python3"])
    t.works("env -S from a list", t.run(listed, ["sh", "-c", f"{python} hi /dev/null"]), "python says hi")
    t.fails("what is not listed is not started", t.run(listed, ["sh", "-c", f"{direct} hi"]), ("exec", str(direct)))
    ran = t.run(policy(read=reads, spawn=[shell]), ["true"])
    t.check("a script alone in a list is refused, with what is missing", ran.exit == 6 and "bash" in str(ran), ran)


def rust(t):
    """cargo and rustc of rustup, which live in a home."""
    if not os.environ["TOOLCHAIN"]:
        return t.skip("cargo does not come from rustup")
    toolchain = Path(os.environ["TOOLCHAIN"])
    cargo, rustc = toolchain / "bin" / "cargo", toolchain / "bin" / "rustc"
    block = policy(read=[f"{toolchain}/**"])
    t.works("cargo itself", t.run(block, [cargo, "--version"]), "cargo")
    t.works("rustc itself", t.run(block, [rustc, "--version"]), "rustc")
    t.fails("rustc without its libraries", t.run(policy(), [rustc, "--version"]))
    if not os.environ["CARGO"]:
        return t.skip("rustup itself cannot be read by this user")
    proxy = Path(os.environ["CARGO"])
    rustup, home = toolchain.parent.parent, proxy.parent.parent
    env = {"RUSTUP_HOME": str(rustup), "CARGO_HOME": str(home), "RUSTUP_TOOLCHAIN": toolchain.name}
    reads = [f"{home}/**", f"{rustup}/**"]
    t.works("cargo by way of rustup", t.run(policy(read=reads, env=env, spawn=[cargo]), [proxy, "--version"]), "cargo")
    ran = t.run(policy(read=reads, env=env), [proxy, "--version"])
    t.fails("which starts nothing if nothing is listed", ran, ("exec", str(cargo)))
    work = t.work()
    (work / "src").mkdir()
    (work / "src" / "main.rs").write_text('fn main() { println!("built"); }\n')
    (work / "Cargo.toml").write_text('[package]\nname = "tiny"\nversion = "0.1.0"\nedition = "2021"\n')
    (work / "Cargo.lock").touch()
    # The search path of the sandbox has no directory of a home, and RUSTC is no variable that a policy may set.
    build = [cargo, "build", "--offline", "--quiet", "--config", f'build.rustc="{rustc}"']
    writes = [f"{work}/target/**", work / "Cargo.lock"]
    listed = policy(read=[*reads, f"{work}/**"], write=writes, env=env, spawn=[rustc, "cc", *linkers(toolchain)])
    t.works("cargo builds", t.run(listed, build, cwd=work))
    t.works("a program", t.run(policy(), [work / "target" / "debug" / "tiny"]), "built")
    listed["exec"]["spawn"] = ["cc"]
    t.fails("but not without rustc", t.run(listed, [*build, "--release"], cwd=work), ("exec", str(rustc)))


def linkers(toolchain):
    """What `cc` starts to link: its own parts, and those of rust."""
    named = [subprocess.check_output(["cc", f"-print-prog-name={name}"], text=True).strip() for name in ("collect2", "ld")]
    return [*named, *(path for path in toolchain.glob("lib/rustlib/*/bin/**/*") if path.is_file())]


CASES = [python_alone, python_outside, python_starts, node, static_binaries, scripts, rust]
