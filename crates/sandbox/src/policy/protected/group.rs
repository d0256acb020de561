//! Protected paths that have a place and a reason in common.

/// Where the paths of a group start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GroupRoot {
    /// In a home.
    Home,
    /// In a workspace.
    Workspace,
    /// At the root of the machine.
    Machine,
}

/// Whether git may change the paths of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ToGit {
    /// It may not: nothing in a history says which settings an agent or an editor has here.
    Fixed,
    /// It may: they are git's own, or files that projects keep in their history, so that a checkout has to write them.
    Left,
}

/// Paths with one reason.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProtectedGroup {
    pub(super) place: GroupRoot,
    pub(super) git: ToGit,
    /// Why, to be read behind "it is protected:".
    pub(super) why: &'static str,
    pub(super) paths: &'static [&'static str],
}

/// What makes a home run programs.
pub(super) const fn home(why: &'static str, paths: &'static [&'static str]) -> ProtectedGroup {
    ProtectedGroup {
        place: GroupRoot::Home,
        git: ToGit::Fixed,
        why,
        paths,
    }
}

/// What makes a workspace run programs.
pub(super) const fn workspace(
    git: ToGit,
    why: &'static str,
    paths: &'static [&'static str],
) -> ProtectedGroup {
    ProtectedGroup {
        place: GroupRoot::Workspace,
        git,
        why,
        paths,
    }
}

/// What makes the whole machine run programs.
pub(super) const fn machine(why: &'static str, paths: &'static [&'static str]) -> ProtectedGroup {
    ProtectedGroup {
        place: GroupRoot::Machine,
        git: ToGit::Fixed,
        why,
        paths,
    }
}
