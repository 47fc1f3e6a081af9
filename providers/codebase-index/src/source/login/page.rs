//! The pages that the browser shows at the end of a login.

/// Takes the tokens out of the browser's history and address line.
const STRIP: &str = "history.replaceState(null, '', location.pathname)";

/// The only script that the page may run, by its SHA-256.
const STRIP_HASH: &str = "sha256-ibnFCIB2ZpNSQiSXVhoXGNfZD4ulKmPwLHm6CPkHm1w=";

/// A response with a page, nothing of which is kept or sent on.
pub(super) fn response(status: &str, title: &str, text: &str) -> String {
    let (title, text) = (escaped(title), escaped(text));
    let body = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <script>{STRIP}</script></head><body><h1>{title}</h1><p>{text}</p></body></html>"
    );
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: {length}\r\n\
         cache-control: no-store\r\nreferrer-policy: no-referrer\r\nx-content-type-options: nosniff\r\n\
         content-security-policy: default-src 'none'; script-src '{STRIP_HASH}'; frame-ancestors 'none'\r\n\
         connection: close\r\n\r\n{body}"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;
    use crate::source::credentials::decode;

    #[test]
    fn the_page_runs_its_own_script_and_no_other() {
        let hash = STRIP_HASH.strip_prefix("sha256-").unwrap().replace('+', "-").replace('/', "_");
        assert_eq!(decode(&hash).unwrap(), Sha256::digest(STRIP).to_vec());
        let page = response("200 OK", "<b>", "\"&</p>");
        assert!(
            page.contains(&format!("script-src '{STRIP_HASH}';"))
                && page.contains(&format!("<script>{STRIP}</script>"))
        );
        assert!(page.contains("<h1>&lt;b&gt;</h1><p>&quot;&amp;&lt;/p&gt;</p>"), "{page}");
    }
}
