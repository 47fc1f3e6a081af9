//! When a symbol or a path is meant by how somebody writes it.

/// How near a name is to what it may mean; the smaller the nearer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Apart {
    /// It is the same.
    Same,
    /// It is its end: `renew` means `SubscriptionService.renew`.
    End,
    /// It is the same or its end but for capitals.
    Capitals,
}

/// The last part of a qualified name: `renew` of `SubscriptionService.renew~2`.
pub(crate) fn leaf(symbol: &str) -> &str {
    let plain = unnumbered(symbol);
    plain.rsplit(['.', ':', '#', '/']).find(|part| !part.is_empty()).unwrap_or(plain)
}

/// Where several symbols of a file have one name, all but the first have a number behind it.
fn unnumbered(symbol: &str) -> &str {
    match symbol.rsplit_once('~') {
        Some((name, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            name
        }
        _ => symbol,
    }
}

/// How near a written name is to a symbol, if it can mean it.
pub(crate) fn apart(symbol: &str, name: &str) -> Option<Apart> {
    let (symbol, name) = (dotted(symbol), dotted(name));
    if symbol == name {
        return Some(Apart::Same);
    }
    let symbol = unnumbered(&symbol);
    if ends(symbol, &name, '.') {
        return Some(Apart::End);
    }
    ends(&symbol.to_lowercase(), &name.to_lowercase(), '.').then_some(Apart::Capitals)
}

/// How near a written path is to a file's, if it can mean it.
pub(crate) fn path_apart(whole: &str, path: &str) -> Option<Apart> {
    let path = trimmed(path);
    if whole == path {
        return Some(Apart::Same);
    }
    if ends(whole, path, '/') {
        return Some(Apart::End);
    }
    ends(&whole.to_lowercase(), &path.to_lowercase(), '/').then_some(Apart::Capitals)
}

/// The last part of a written path.
pub(crate) fn file_name(path: &str) -> &str {
    let path = trimmed(path);
    path.rsplit('/').next().unwrap_or(path)
}

fn trimmed(path: &str) -> &str {
    path.trim_start_matches("./").trim_matches('/')
}

/// A qualified name with dots, whatever its language writes.
fn dotted(name: &str) -> String {
    name.replace("::", ".").replace(['#', '/'], ".")
}

fn ends(whole: &str, end: &str, separator: char) -> bool {
    !end.is_empty()
        && whole.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with(separator))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_means_what_it_is_or_ends() {
        let check =
            |symbol: &str, name: &str, expected| assert_eq!(apart(symbol, name), expected, "{symbol} {name}");
        check("Service.renew", "Service.renew", Some(Apart::Same));
        check("Service.renew", "Service::renew", Some(Apart::Same));
        check("Service.renew", "renew", Some(Apart::End));
        check("Service.renew~2", "renew", Some(Apart::End));
        check("Service.renew", "service.Renew", Some(Apart::Capitals));
        check("Service.prerenew", "renew", None);
        check("renew", "Service.renew", None);
        check("renew", "", None);
    }

    #[test]
    fn the_last_part_of_a_symbol() {
        let check = |symbol, expected| assert_eq!(leaf(symbol), expected);
        check("a.b.c", "c");
        check("A::b", "b");
        check("b~3", "b");
        check("operator~", "operator~");
        check("...", "...");
        check("", "");
    }

    #[test]
    fn a_path_means_what_it_is_or_ends() {
        let check =
            |path: &str, expected| assert_eq!(path_apart("src/app/Main.rs", path), expected, "{path}");
        check("src/app/Main.rs", Some(Apart::Same));
        check("./src/app/Main.rs", Some(Apart::Same));
        check("app/Main.rs", Some(Apart::End));
        check("main.rs", Some(Apart::Capitals));
        check("p/Main.rs", None);
        check("/", None);
    }
}
