//! What the tools answer, for the model: one block a match.

use std::collections::BTreeSet;

use ctxhost_sdk::{
    protocol::pilot_index::{Match, QueryResult, SymbolResult},
    text::fence,
};

/// `pilot_query` as text.
pub(crate) fn matches(result: &QueryResult, fences: &[String]) -> String {
    if result.symbols.is_empty() {
        return format!("Nothing matches {:?}.{}\n", result.query, unfinished(result.complete));
    }
    let head = format!("{} matches for {:?}.{}\n", result.count, result.query, unfinished(result.complete));
    let one = |(at, found): (usize, &Match)| {
        let language = fences.get(at).map_or("", String::as_str);
        let preview = if found.preview.is_empty() { String::new() } else { fence(language, &found.preview) };
        format!(
            "\n{}. {} ({}) - {}:{}-{}\nscore {:.2}{}\n{preview}",
            at + 1,
            found.name,
            found.kind,
            found.file,
            found.line,
            found.end_line,
            found.score,
            if found.reason.is_empty() { String::new() } else { format!(": {}", found.reason) },
        )
    };
    result.symbols.iter().enumerate().map(one).fold(head, |text, one| text + &one)
}

/// `pilot_symbol` as text.
pub(crate) fn symbol(result: &SymbolResult, fences: &[String]) -> String {
    // A file is listed once for each definition in it that uses the name.
    let files: BTreeSet<&str> = result.references.iter().map(|used| used.file.as_str()).collect();
    let mut text = format!(
        "{} definitions and {} files with references of {:?}.{}\n",
        result.definitions.len() as u64 + result.more_definitions,
        files.len() as u64 + result.more_references,
        result.name,
        unfinished(result.complete)
    );
    for (at, found) in result.definitions.iter().enumerate() {
        text += &format!(
            "\n{} ({}) - {}:{}-{}\n",
            found.name, found.kind, found.file, found.line, found.end_line
        );
        let shown = [found.doc.trim_end(), found.signature.trim_end()].join("\n");
        text += &fence(fences.get(at).map_or("", String::as_str), shown.trim_start_matches('\n'));
    }
    if result.more_definitions > 0 {
        text += &format!("\nand {} more definitions\n", result.more_definitions);
    }
    if !result.references.is_empty() {
        let marked = result.references.iter().any(|used| used.by_name_only);
        let note = if marked {
            " (`by name only` marks files that do not name the owner, so another may be meant)"
        } else {
            ""
        };
        text += &format!("\nUsed in{note}:\n");
    }
    for used in &result.references {
        let lines: Vec<String> = used.lines.iter().map(u64::to_string).collect();
        let lines = if lines.is_empty() { String::new() } else { format!(":{}", lines.join(",")) };
        let symbol = used.symbol.as_deref().map(|name| format!(" in {name}")).unwrap_or_default();
        let mark = if used.by_name_only { ", by name only" } else { "" };
        text += &format!("- {}{lines}{symbol} ({}x{mark})\n", used.file, used.count);
    }
    if result.more_places > 0 {
        text += &format!("- and {} more places in these files\n", result.more_places);
    }
    if result.more_references > 0 {
        text += &format!("- and {} more files\n", result.more_references);
    }
    text
}

fn unfinished(complete: bool) -> &'static str {
    if complete { "" } else { " The index is not complete yet, so there may be more." }
}

/// The same for the same question and answer: FNV-1a over both.
pub(crate) fn result_id(query: &str, symbols: &[Match]) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut take = |text: &str| {
        for byte in text.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    };
    take(query);
    for found in symbols {
        take(&format!("{}:{}:{}", found.file, found.line, found.name));
    }
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use ctxhost_sdk::protocol::pilot_index::{Definition, Reference};

    use super::*;

    #[test]
    fn matches_are_listed_with_place_score_and_preview() {
        let found = Match {
            name: "Index.add".to_owned(),
            kind: "method".to_owned(),
            file: "a.ts".to_owned(),
            line: 3,
            end_line: 9,
            score: 4.25,
            reason: "exact name".to_owned(),
            preview: "add() {\n".to_owned(),
            ..Match::default()
        };
        let result = QueryResult {
            query: "add".to_owned(),
            count: 1,
            complete: true,
            symbols: vec![found],
            ..QueryResult::default()
        };
        assert_eq!(
            matches(&result, &["typescript".to_owned()]),
            "1 matches for \"add\".\n\n1. Index.add (method) - a.ts:3-9\nscore 4.25: exact name\n```typescript\nadd() {\n```\n"
        );
        let none = QueryResult { query: "zzz".to_owned(), ..QueryResult::default() };
        assert_eq!(
            matches(&none, &[]),
            "Nothing matches \"zzz\". The index is not complete yet, so there may be more.\n"
        );
    }

    #[test]
    fn a_symbol_is_shown_with_its_uses() {
        let result = SymbolResult {
            name: "add".to_owned(),
            complete: true,
            definitions: vec![Definition {
                name: "Index.add".to_owned(),
                kind: "method".to_owned(),
                file: "a.rs".to_owned(),
                line: 3,
                end_line: 9,
                signature: "fn add()".to_owned(),
                doc: "/// Adds.".to_owned(),
                ..Definition::default()
            }],
            references: ["main", "stop"]
                .map(|symbol| Reference {
                    file: "b.rs".to_owned(),
                    symbol: Some(symbol.to_owned()),
                    lines: vec![1, 4],
                    count: 2,
                    by_name_only: symbol == "stop",
                })
                .to_vec(),
            more_definitions: 2,
            more_places: 5,
            more_references: 3,
        };
        assert_eq!(
            symbol(&result, &["rust".to_owned()]),
            "3 definitions and 4 files with references of \"add\".\n\nIndex.add (method) - a.rs:3-9\n```rust\n/// Adds.\nfn add()\n```\n\nand 2 more definitions\n\nUsed in (`by name only` marks files that do not name the owner, so another may be meant):\n- b.rs:1,4 in main (2x)\n- b.rs:1,4 in stop (2x, by name only)\n- and 5 more places in these files\n- and 3 more files\n"
        );
    }

    #[test]
    fn the_same_answer_has_the_same_id() {
        let found = |line| Match { file: "a".to_owned(), line, ..Match::default() };
        assert_eq!(result_id("q", &[found(1)]), result_id("q", &[found(1)]));
        assert_ne!(result_id("q", &[found(1)]), result_id("q", &[found(2)]));
        assert_ne!(result_id("q", &[]), result_id("r", &[]));
    }
}
