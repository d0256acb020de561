//! A server as the configuration names it.

use std::fmt;

use super::secret::Secret;

/// A server and the name that the user gave it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// The name, by which its tools are called.
    pub name: String,
    /// How it is reached.
    pub reach: Reach,
}

/// How a server is reached.
#[derive(Clone, PartialEq, Eq)]
pub enum Reach {
    /// A program that is started and spoken to over its standard streams.
    Command {
        /// The program: a name, or an absolute path.
        program: String,
        /// Its arguments. They are shown to nobody, for some hold keys.
        args: Vec<String>,
        /// Variables that it gets besides a small base.
        env: Vec<(String, Secret)>,
    },
    /// An address that speaks streamable HTTP.
    Url {
        /// The address. Of it only scheme, host and port are shown.
        url: String,
        /// Headers that every request gets.
        headers: Vec<(String, Secret)>,
    },
}

impl fmt::Debug for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Command { program, args, env } => f
                .debug_struct("Command")
                .field("program", program)
                .field("args", &args.len())
                .field("env", env)
                .finish(),
            Self::Url { headers, .. } => f
                .debug_struct("Url")
                .field("headers", headers)
                .finish_non_exhaustive(),
        }
    }
}

impl Reach {
    /// Returns the values that nobody is shown.
    pub(super) fn secrets(&self) -> impl Iterator<Item = &Secret> {
        let (Self::Command { env: named, .. } | Self::Url { headers: named, .. }) = self;
        named.iter().map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_secret_is_not_printed() {
        let command = Reach::Command {
            program: "server".into(),
            args: vec!["--key=k3y".into()],
            env: vec![("TOKEN".into(), Secret::new("t0ken"))],
        };
        let url = Reach::Url {
            url: "https://x.example/?key=k3y".into(),
            headers: vec![("Authorization".into(), Secret::new("t0ken"))],
        };
        for reach in [command, url] {
            let printed = format!("{reach:?}");
            assert!(
                !printed.contains("k3y") && !printed.contains("t0ken"),
                "{printed}"
            );
        }
    }
}
