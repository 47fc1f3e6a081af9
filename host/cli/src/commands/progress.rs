//! How far a provider's work has come, on a terminal and for anything that takes longer than a moment.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};

/// What is done by then shows no bar: it would only flicker.
const MOMENT: Duration = Duration::from_secs(1);
/// A provider's words beside the bar; more would wrap on a narrow terminal.
const WORDS: usize = 40;

/// A bar that appears when work goes on, and is gone when nobody holds it any more.
///
/// It is drawn on standard error, and only where that is a terminal.
#[derive(Default)]
pub(super) struct Progress(Mutex<Drawn>);

#[derive(Default)]
struct Drawn {
    since: Option<Instant>,
    bar: Option<ProgressBar>,
}

impl Progress {
    pub(super) fn show(&self, done: u64, total: Option<u64>, text: &str) {
        if total == Some(done) {
            // What comes next is the result.
            return self.clear();
        }
        let mut drawn = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if drawn.since.get_or_insert_with(Instant::now).elapsed() < MOMENT {
            return;
        }
        let bar =
            drawn.bar.get_or_insert_with(|| ProgressBar::no_length().with_style(style(total.is_some())));
        if let Some(total) = total {
            bar.set_length(total);
        }
        bar.set_message(words(text));
        bar.set_position(done);
    }

    /// Makes room for a line; the bar comes back with the next step.
    pub(super) fn clear(&self) {
        let mut drawn = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bar) = drawn.bar.take() {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

fn style(counted: bool) -> ProgressStyle {
    let template = if counted { "{bar:30} {pos}/{len} {msg}" } else { "{spinner} {pos} {msg}" };
    // Both templates are ours and right; the plain bar would do as well.
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// A provider's words, harmless on a terminal and on one line.
fn words(text: &str) -> String {
    text.chars().filter(|character| !character.is_control()).take(WORDS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_provider_stay_on_one_short_line() {
        assert_eq!(words("a\nb\u{1b}[31mc"), "ab[31mc");
        assert_eq!(words(&"x".repeat(100)).len(), WORDS);
    }

    #[test]
    fn nothing_is_drawn_in_the_first_moment_and_a_bar_afterwards() {
        let progress = Progress::default();
        progress.show(1, Some(10), "files");
        assert!(progress.0.lock().unwrap().bar.is_none());
        progress.0.lock().unwrap().since = Instant::now().checked_sub(MOMENT);
        progress.show(2, Some(10), "files");
        let position = progress.0.lock().unwrap().bar.as_ref().map(|bar| (bar.position(), bar.length()));
        assert_eq!(position, Some((2, Some(10))));
        progress.show(10, Some(10), "files");
        assert!(progress.0.lock().unwrap().bar.is_none());
    }
}
