//! What the answer of a model says.

use serde::Deserialize;

use super::EmbedError;

#[derive(Deserialize)]
struct Reply {
    data: Vec<Embedding>,
}

#[derive(Deserialize)]
struct Embedding {
    index: Option<usize>,
    embedding: Vec<f32>,
}

/// The vectors in the order of what was asked, whatever order they came in.
pub(super) fn vectors(bytes: &[u8], count: usize) -> Result<Vec<Vec<f32>>, EmbedError> {
    let wrong = |what: String| EmbedError::Wrong(what);
    // What serde says of a wrong answer could quote it.
    let reply: Reply = serde_json::from_slice(bytes)
        .map_err(|error| wrong(format!("no list of vectors, at byte {} of its JSON", error.column())))?;
    if reply.data.len() != count {
        return Err(wrong(format!("{} vectors for {count} texts", reply.data.len())));
    }
    let mut ordered: Vec<Option<Vec<f32>>> = vec![None; count];
    for (place, item) in reply.data.into_iter().enumerate() {
        if item.embedding.iter().any(|number| !number.is_finite()) {
            return Err(wrong("a number of a vector is not finite".to_owned()));
        }
        let slot = ordered.get_mut(item.index.unwrap_or(place));
        let slot = slot.ok_or_else(|| wrong("an index beyond what was asked".to_owned()))?;
        if slot.replace(item.embedding).is_some() {
            return Err(wrong("one index twice".to_owned()));
        }
    }
    // As many as were asked, and none twice: none is missing.
    Ok(ordered.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_ordered_by_their_index() {
        let reply =
            br#"{"object":"list","data":[{"index":1,"embedding":[2,3]},{"index":0,"embedding":[0.5,1]}]}"#;
        assert_eq!(vectors(reply, 2), Ok(vec![vec![0.5, 1.0], vec![2.0, 3.0]]));
        let reply = br#"{"data":[{"embedding":[1]},{"embedding":[2]}]}"#;
        assert_eq!(vectors(reply, 2), Ok(vec![vec![1.0], vec![2.0]]));
    }

    #[test]
    fn what_is_no_answer_is_told_without_quoting_it() {
        for (reply, count) in [
            (r#"{"data":[]}"#, 1),
            (r#"{"data":[{"index":1,"embedding":[1]}]}"#, 1),
            (r#"{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}"#, 2),
            (r#"{"data":[{"index":0,"embedding":[1e999]}]}"#, 1),
            (r#"{"data":[{"index":0,"embedding":"c2VjcmV0"}]}"#, 1),
            (r#"{"secret":1}"#, 1),
            ("secret", 1),
            ("", 1),
        ] {
            let error = vectors(reply.as_bytes(), count).expect_err(reply);
            assert!(matches!(error, EmbedError::Wrong(_)), "{error}");
            assert!(!["secret", "c2VjcmV0"].iter().any(|word| error.to_string().contains(word)), "{error}");
        }
    }
}
