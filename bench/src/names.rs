//! Names of two hundred commands, kind by kind: those of real tools, and those that are hard on a vocabulary.

/// Programs that people have, in no order.
const TOOLS: &str = "
    git gh curl wget jq yq rg fd bat fzf sed awk grep find xargs sort uniq cut tr head tail wc diff patch
    tar gzip bzip2 xz zip unzip zstd 7z rsync scp ssh sftp nc nmap dig host ping traceroute mtr tcpdump
    docker podman kubectl helm k9s kind minikube terraform tofu ansible packer vault consul nomad vagrant
    aws gcloud az doctl flyctl heroku vercel netlify wrangler railway supabase stripe twilio
    node npm npx yarn pnpm bun deno tsc eslint prettier vite webpack esbuild jest vitest playwright
    python3 pip pipx uv poetry ruff black mypy pytest tox conda jupyter
    cargo rustc rustup rustfmt clippy-driver go gofmt java javac mvn gradle kotlinc scala sbt
    ruby gem bundle rails php composer perl cpan lua luarocks ghc cabal stack elixir mix erl
    gcc g++ clang clang++ make cmake ninja meson bazel gdb lldb valgrind strace ltrace perf
    psql mysql sqlite3 redis-cli mongosh clickhouse duckdb influx pg_dump mysqldump
    ffmpeg ffprobe magick convert exiftool pandoc pdftotext qpdf tesseract sox yt-dlp
    systemctl journalctl crontab at ps top htop kill lsof ss ip iptables nft df du free uptime uname
    openssl gpg age sops pass ssh-keygen certbot step cosign trivy grype syft
    vim nano emacs code tmux screen less man tree ls cat cp mv rm mkdir chmod chown ln touch stat";

/// How many names each kind has.
const COUNT: usize = 200;

/// Returns each kind with its names.
pub(crate) fn kinds() -> [(&'static str, Vec<String>); 6] {
    [
        ("real tools", tools()),
        ("like g++, python3.11", versioned()),
        ("20 random letters", random(20, b"abcdefghijklmnopqrstuvwxyz")),
        (
            "20 random letters and digits, mixed case",
            random(
                20,
                b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
            ),
        ),
        ("2 random hex digits", random(2, b"0123456789abcdef")),
        // What vocabularies have the fewest pairs of.
        ("20 letters of qxzjvkw", random(20, b"qxzjvkw")),
    ]
}

fn tools() -> Vec<String> {
    TOOLS.split_whitespace().take(COUNT).map(str::to_owned).collect()
}

fn versioned() -> Vec<String> {
    let stems = [
        "python3.",
        "g++-",
        "clang++-",
        "ruby2.",
        "x86_64-linux-gnu-gcc-",
        "php8.",
        "node_",
        "llvm-ar-",
    ];
    let names = (0..).flat_map(|number| stems.map(|stem| format!("{stem}{number}")));
    names.take(COUNT).collect()
}

/// Names of `length` characters out of `alphabet`, the same in every run. They begin with a letter or digit, as
/// names have to.
fn random(length: usize, alphabet: &[u8]) -> Vec<String> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        // Xorshift: no secrets here, only variety.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut names = Vec::with_capacity(COUNT);
    while names.len() < COUNT {
        let letter = |number: u64| {
            let at = usize::try_from(number % 1_000_003).unwrap_or(0) % alphabet.len();
            alphabet.get(at).copied().map_or('x', char::from)
        };
        let name: String = (0..length).map(|_| letter(next())).collect();
        if name.starts_with(|first: char| first.is_ascii_alphanumeric()) && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

#[test]
fn each_kind_has_two_hundred_different_names() {
    for (kind, mut names) in kinds() {
        names.sort();
        names.dedup();
        assert_eq!(names.len(), COUNT, "{kind}");
    }
}
