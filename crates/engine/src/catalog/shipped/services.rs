//! Programs that talk to services, build, install and administer.

use super::Shipped;

/// The descriptions, sorted by name.
pub(super) const SERVICES: &[Shipped] = &[
    Shipped {
        name: "apt",
        description: "Packages of Debian and Ubuntu",
        text: include_str!("apt.json"),
    },
    Shipped {
        name: "apt-get",
        description: "Packages of Debian and Ubuntu, for scripts",
        text: include_str!("apt-get.json"),
    },
    Shipped {
        name: "aws",
        description: "Amazon Web Services",
        text: include_str!("aws.json"),
    },
    Shipped {
        name: "cargo",
        description: "Build, test and package Rust code",
        text: include_str!("cargo.json"),
    },
    Shipped {
        name: "curl",
        description: "Fetch or send data by URL",
        text: include_str!("curl.json"),
    },
    Shipped {
        name: "docker",
        description: "Containers and images, run by a daemon on this machine",
        text: include_str!("docker.json"),
    },
    Shipped {
        name: "gh",
        description: "Repositories, issues and pull requests on GitHub",
        text: include_str!("gh.json"),
    },
    Shipped {
        name: "git",
        description: "Version control: commits, branches, remotes",
        text: include_str!("git.json"),
    },
    Shipped {
        name: "go",
        description: "Build, test and manage Go code",
        text: include_str!("go.json"),
    },
    Shipped {
        name: "gpg",
        description: "Encrypt, sign and check data; manage keys",
        text: include_str!("gpg.json"),
    },
    Shipped {
        name: "helm",
        description: "Install and upgrade charts on Kubernetes",
        text: include_str!("helm.json"),
    },
    Shipped {
        name: "kubectl",
        description: "Control Kubernetes clusters",
        text: include_str!("kubectl.json"),
    },
    Shipped {
        name: "make",
        description: "Build what a makefile describes",
        text: include_str!("make.json"),
    },
    Shipped {
        name: "npm",
        description: "Packages and scripts of Node.js projects",
        text: include_str!("npm.json"),
    },
    Shipped {
        name: "pip",
        description: "Install Python packages",
        text: include_str!("pip.json"),
    },
    Shipped {
        name: "psql",
        description: "Ask and change PostgreSQL databases",
        text: include_str!("psql.json"),
    },
    Shipped {
        name: "rsync",
        description: "Copy and mirror directories",
        text: include_str!("rsync.json"),
    },
    Shipped {
        name: "scp",
        description: "Copy files between machines by SSH",
        text: include_str!("scp.json"),
    },
    Shipped {
        name: "ssh",
        description: "Run commands on other machines",
        text: include_str!("ssh.json"),
    },
    Shipped {
        name: "systemctl",
        description: "Services of systemd, run by a manager on this machine",
        text: include_str!("systemctl.json"),
    },
    Shipped {
        name: "terraform",
        description: "Infrastructure described by files",
        text: include_str!("terraform.json"),
    },
    Shipped {
        name: "wget",
        description: "Download files from the web",
        text: include_str!("wget.json"),
    },
];
