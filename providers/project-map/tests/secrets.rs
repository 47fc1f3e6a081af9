//! What looks like a secret is in no map, whether a text or a name says it.

use ctxhost_sdk::serde_json::{self, json};

use crate::support::Place;

const SECRETS: &[(&str, &str)] = &[
    (
        "Posts to https://hooks.slack.com/services/T00000000/B00000000/abcdefghijklmnopqrstuvwx always",
        "B00000000",
    ),
    ("Asks with token=s3cr3tvalue99 for the things", "s3cr3tvalue99"),
    ("Sends Bearer abcdEFGH12345678 with all it asks", "abcdEFGH12345678"),
    ("The admin password is hunter2secret", "hunter2secret"),
    (
        "Mails with 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 to people",
        "ngeVfQFYQlKU0ufo8x5d1A",
    ),
    (
        "Stores with AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq in it",
        "Eby8vdM02x",
    ),
];

fn check(place: &Place, secrets: &[&str]) {
    assert_eq!(place.run("init", &[]).exit, 0);
    place.check_clean();
    let maps = place.maps().into_values().collect::<String>().to_lowercase();
    assert!(maps.contains("cart_client"), "{maps}");
    for secret in secrets {
        assert!(!maps.contains(&secret.to_lowercase()), "{secret}: {maps}");
        for query in ["shop", "things people asks sends", "order cart price", "module"] {
            let reply = place.run("context", &[query]);
            let data = serde_json::to_string(&reply.data).expect("a document");
            assert!(!reply.text.contains(secret) && !data.contains(secret), "{secret}: {data}");
        }
    }
}

#[test]
fn no_text_tells_a_secret() {
    for (text, secret) in SECRETS {
        let place = Place::new();
        place.write("README.md", &format!("# Shop\n\n{text}.\n"));
        place.write("web/README.md", &format!("# Web\n\n{text}.\n"));
        let package = json!({"name": "shop", "description": text}).to_string();
        place.write("web/package.json", &package);
        place.write("Cargo.toml", &format!("[package]\nname = \"shop\"\ndescription = \"{text}\"\n"));
        place.write(
            "src/net/order_client.py",
            &format!("\"\"\"{text}.\"\"\"\n\n\ndef fetch_order():\n    pass\n"),
        );
        check(&place, &[secret]);
    }
}

#[test]
fn no_name_tells_a_secret_and_the_file_is_counted() {
    let key = "AKIA0123456789ABCDEF";
    let token = format!("ghp_{}", "0123456789".repeat(4));
    let place = Place::new();
    place.write(
        "src/keys.rs",
        &format!("//! Order of the cart.\n\npub const {key}: u8 = 1;\npub struct Keys;\n"),
    );
    place.write(&format!("src/{token}.md"), "# Module\n\nThe order of the price in the cart.\n");
    for name in ["a", "b", "c", "d"] {
        place.write(&format!("{key}/{name}.rs"), "//! Things of the order.\n\npub fn module() {}\n");
    }
    check(&place, &[key, &token]);
    let index = place.read(".pi-map.index.md");
    assert!(index.starts_with("<!-- ") && index.contains("files="), "{index}");
    assert!(place.read("src/.pi-map.index.md").contains("`src/keys.rs`"));
    // The hint says what helps against a line that somebody wrote.
    place.change("src/.pi-map.md", "<!-- notes:end", &format!("{token}\n<!-- notes:end"));
    let reply = place.run("validate", &[]);
    assert!(reply.exit == 1 && reply.text.contains("take the line out of the notes;"), "{}", reply.text);
}
