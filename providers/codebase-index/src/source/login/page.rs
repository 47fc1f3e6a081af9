//! The pages that the browser shows at the end of a login.

/// Takes the tokens out of the browser's history and address line.
const STRIP: &str = "history.replaceState(null, '', location.pathname)";

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
         content-security-policy: default-src 'none'; script-src 'unsafe-inline'; frame-ancestors 'none'\r\n\
         connection: close\r\n\r\n{body}"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
