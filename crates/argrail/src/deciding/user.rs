//! Whose process this is.

/// Returns the user of this process, by name, or by number where nobody has given it a name.
pub(crate) fn name() -> String {
    let uid = rustix::process::getuid().as_raw();
    let list = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    by_list(&list, uid).unwrap_or_else(|| uid.to_string())
}

fn by_list(list: &str, uid: u32) -> Option<String> {
    let uid = uid.to_string();
    list.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next().filter(|name| !name.is_empty())?;
        (fields.nth(1)? == uid).then(|| name.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_users_names_them() {
        let list =
            "root:x:0:0:root:/root:/bin/sh\nbad\n:x:7:7::/:/bin/sh\nanna:x:1000:1000::/data/anna:/bin/sh\n";
        assert_eq!(by_list(list, 0).as_deref(), Some("root"));
        assert_eq!(by_list(list, 1000).as_deref(), Some("anna"));
        assert_eq!(by_list(list, 7), None);
        assert_eq!(by_list("", 0), None);
    }
}
