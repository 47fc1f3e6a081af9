//! The memory as the model reads it.

use ctxhost_sdk::{
    protocol::pilot_index::{Episode, Recalled},
    text::first_lines,
};

use crate::select::memory::Recall;

/// The document's figures, in characters.
const EPISODE: usize = 1_800;
const ALL: usize = 6_000;

/// How long one field may be, so that every field of an episode has a place in it.
const FIELD: usize = 600;

/// The block in two sizes; empty where nothing has to do with the prompt.
pub(crate) fn blocks(recalls: &[Recall<'_>]) -> Vec<String> {
    if recalls.is_empty() {
        return Vec::new();
    }
    let head = format!("[Relevant Project Memory — {} matches]\n", recalls.len());
    let block = |write: &dyn Fn(&Episode) -> String| {
        let body = recalls.iter().fold(head.clone(), |body, recall| body + "\n" + &write(recall.episode));
        first_lines(&body, ALL).0.to_owned()
    };
    vec![block(&whole), block(&short)]
}

fn whole(episode: &Episode) -> String {
    let field = |name: &str, text: &Option<String>| {
        text.as_deref().filter(|text| !text.trim().is_empty()).map(|text| format!("{name}: {}\n", line(text)))
    };
    let list = |name: &str, texts: &[String]| {
        (!texts.is_empty()).then(|| format!("{name}: {}\n", line(&texts.join(", "))))
    };
    let fields = [
        field("Problem", &episode.problem),
        field("Root cause", &episode.root_cause),
        field("Solution", &episode.solution),
        field("Summary", &episode.summary),
        field("Outcome", &episode.outcome),
        list("Files", &episode.files),
        list("Symbols", &episode.symbols),
        list("Tags", &episode.tags),
    ];
    let text =
        fields.into_iter().flatten().fold(format!("{}\n", line(&episode.title)), |text, field| text + &field);
    first_lines(&text, EPISODE).0.to_owned()
}

fn short(episode: &Episode) -> String {
    let files =
        if episode.files.is_empty() { String::new() } else { format!(" ({})", episode.files.join(", ")) };
    format!("- {}\n", line(&format!("{}{files}", episode.title)))
}

/// A text in one line that is not too long.
fn line(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(FIELD) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The recalls as the spec writes them.
pub(crate) fn recalled(recalls: &[Recall<'_>]) -> Vec<Recalled> {
    let one = |recall: &Recall<'_>| Recalled {
        id: recall.episode.id.chars().take(64).collect(),
        title: recall.episode.title.clone(),
        score: recall.score,
        signals: recall.signals,
    };
    recalls.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use ctxhost_sdk::protocol::pilot_index::MemorySignals;

    use super::*;

    fn recall(episode: &Episode) -> Recall<'_> {
        Recall { episode, score: 2.0, signals: MemorySignals::default() }
    }

    fn long(id: &str) -> Episode {
        let text = || Some("word ".repeat(1_000));
        Episode {
            id: id.to_owned(),
            title: "Repair the cache".to_owned(),
            problem: text(),
            summary: text(),
            root_cause: text(),
            solution: text(),
            files: vec!["a.rs".to_owned()],
            ..Episode::default()
        }
    }

    #[test]
    fn the_block_is_what_the_document_says() {
        let episode = Episode {
            title: "Repair the cache".to_owned(),
            problem: Some("It drops\ntoo much".to_owned()),
            solution: Some("Edited a.rs".to_owned()),
            outcome: Some("success".to_owned()),
            files: vec!["a.rs".to_owned()],
            symbols: vec!["evict".to_owned()],
            tags: vec!["cache".to_owned(), "rs".to_owned()],
            ..Episode::default()
        };
        let blocks = blocks(&[recall(&episode)]);
        assert_eq!(
            blocks[0],
            "[Relevant Project Memory — 1 matches]\n\nRepair the cache\nProblem: It drops too much\nSolution: Edited a.rs\nOutcome: success\nFiles: a.rs\nSymbols: evict\nTags: cache, rs\n"
        );
        assert_eq!(blocks[1], "[Relevant Project Memory — 1 matches]\n\n- Repair the cache (a.rs)\n");
    }

    #[test]
    fn an_episode_and_all_of_them_have_an_end() {
        let episodes = [long("a"), long("b"), long("c")];
        let recalls: Vec<_> = episodes.iter().map(recall).collect();
        let blocks = blocks(&recalls);
        assert!(blocks[0].chars().count() <= 6_000 && blocks[0].ends_with('\n'));
        assert!(whole(&episodes[0]).chars().count() <= 1_800);
        assert!(blocks[0].starts_with("[Relevant Project Memory — 3 matches]\n"));
    }

    #[test]
    fn no_recall_gives_no_block() {
        assert_eq!(blocks(&[]), [""; 0]);
    }
}
