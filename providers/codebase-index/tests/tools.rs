//! The tools, and the search of the command line.

use ctxhost_sdk::prelude::{Content, json};

use crate::support::{Place, backend::Backend, fits};

#[test]
fn a_search_syncs_first_and_gives_ranked_snippets() {
    let (place, backend) = (Place::new(), Backend::serve());
    let harness = place.harness(&backend);
    let search = |args| harness.tool("codebase_search", args, place.project()).expect("it runs");
    let reply = search(json!({"query": "renew a subscription", "repo": "shop", "limit": 3}));
    let document = reply.structured.clone().expect("a document");
    fits("search-result", &document);
    assert_eq!(
        (document["state"].clone(), document["results"][0]["path"].clone()),
        (json!("ready"), json!("src/renewal.rs"))
    );
    let Content::Text { text } = &reply.content[0] else { panic!("a text") };
    assert!(
        text.contains("pub fn renew_subscription") && text.ends_with("note: words alone are searched\n"),
        "{text}"
    );
    // What was written since then is found, though nobody told.
    place.write("project/src/main.rs", "fn charge_invoice() {}\n");
    let reply = search(json!({"query": "charge invoice"}));
    assert_eq!(reply.structured.expect("a document")["results"][0]["path"], json!("src/main.rs"));
    let wrong = search(json!({"query": 7}));
    assert!(wrong.is_error, "{wrong:?}");
}

#[test]
fn a_status_is_a_document_of_the_spec() {
    let (place, backend) = (Place::new(), Backend::serve());
    let harness = place.harness(&backend);
    harness.command("sync", &[], place.project()).expect("it runs");
    let reply = harness.tool("codebase_status", json!({}), place.project()).expect("it runs");
    let document = reply.structured.expect("a document");
    fits("status-result", &document);
    assert_eq!((document["state"].clone(), document["username"].clone()), (json!("ready"), json!("ada")));
    assert_eq!(
        document["backend"],
        json!({"url": backend.url, "development": false, "embedder": "none", "waiting": 0})
    );
    assert_eq!(
        (document["repos"][0]["files"].clone(), document["repos"][0]["left_out"].clone()),
        (json!(2), json!(1))
    );
    // A backend that knows only the document does not say how it is.
    backend.instead("health", 404, "no such thing");
    let reply = harness.tool("codebase_status", json!({}), place.project()).expect("it runs");
    assert_eq!(reply.structured.expect("a document")["state"], json!("ready"));
}

#[test]
fn commands_end_as_the_design_says() {
    let (place, backend) = (Place::new(), Backend::serve());
    let harness = place.harness(&backend);
    let check = |name: &str, args: &[&str], exit: u8| {
        let reply = harness.command(name, args, place.project()).expect("it runs");
        assert_eq!(reply.exit, exit, "{name} {args:?}: {}", reply.text);
    };
    check("sync", &[], 0);
    check("search", &["subscription"], 0);
    check("search", &["zzzzzz", "qqqqqq"], 3);
    check("search", &[], 2);
    check("search", &["x", "--limit", "0"], 2);
    check("sync", &["now"], 2);
    check("status", &["--file"], 2);
    check("login", &["now"], 2);
    check("logout", &["now"], 2);
    assert!(harness.command("other", &[], place.project()).is_err());
    backend.instead("sync", 500, "broken");
    check("sync", &[], 1);
}
