//! What a repository is called at the backend.

use ctxhost_code::walk::WorkTree;

/// Longer names are cut; hosts allow some hundred characters for each part.
const LONGEST: usize = 200;

/// Gives the name: `owner/name` of the remote `origin`, or else that of the folder.
pub(super) fn of(tree: &WorkTree) -> String {
    let folder = || tree.top().file_name().map_or("root".into(), |name| name.to_string_lossy());
    tree.remote("origin").as_deref().and_then(of_address).unwrap_or_else(|| plain(&folder()))
}

/// Gives the name that an address ends with: everything behind the host. A path on this machine says nothing of an owner.
fn of_address(address: &str) -> Option<String> {
    let address = address.trim();
    let path = match address.split_once("://") {
        Some(("file", _)) => return last(address),
        Some((_, rest)) => rest.split_once('/')?.1,
        // `user@host:owner/name`; a path on this machine has a slash before any colon.
        None => match address.split_once(':') {
            Some((host, path)) if !host.contains('/') => path,
            _ => return last(address),
        },
    };
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let steps: Vec<_> = path.split('/').filter(|step| !matches!(*step, "" | "." | ".." | "~")).collect();
    let joined = steps.join("/");
    let name = plain(joined.strip_suffix(".git").unwrap_or(&joined));
    (!name.is_empty()).then_some(name)
}

fn last(path: &str) -> Option<String> {
    let path = path.trim_end_matches('/');
    let path = path.strip_suffix("/.git").unwrap_or(path);
    let name = path.rsplit(['/', ':']).next().unwrap_or(path);
    let name = plain(name.strip_suffix(".git").unwrap_or(name));
    (!matches!(&*name, "" | "." | "..")).then_some(name)
}

/// Takes out what no name has: control characters, which would end a line somewhere.
fn plain(name: &str) -> String {
    name.chars().map(|letter| if letter.is_control() { '_' } else { letter }).take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::of_address;

    #[test]
    fn addresses_say_owner_and_name() {
        for (address, expected) in [
            ("https://host.example/owner/name.git", Some("owner/name")),
            ("https://user:word@host.example:8443/owner/name/", Some("owner/name")),
            ("git@host.example:owner/name.git", Some("owner/name")),
            ("ssh://git@host.example:22/group/sub/name.git", Some("group/sub/name")),
            ("host.example:~/name.git", Some("name")),
            ("https://host.example/owner/name?x=1", Some("owner/name")),
            ("/srv/git/name.git", Some("name")),
            ("../name/.git", Some("name")),
            ("file:///srv/git/name.git/", Some("name")),
            ("..", None),
            ("https://host.example/", None),
            ("https://host.example", None),
            ("", None),
        ] {
            assert_eq!(of_address(address).as_deref(), expected, "{address}");
        }
        assert_eq!(of_address(&format!("h:{}", "n".repeat(300))).unwrap().len(), 200);
    }
}
