//! What files themselves say, as the code index has it.

use crate::select::inventory::Named;

/// The texts of the files of an inventory. Pages say of a file what matters most; its text settles what they leave open.
pub(crate) trait Texts {
    /// Which files hold a word as `words::split` gives it, by their place in the inventory, and how much the word is about
    /// the file, from 0 to 1.
    fn holding(&self, word: &str) -> Vec<(usize, f64)>;

    /// Where a name is defined, in whatever case.
    fn defining(&self, name: &str) -> Vec<(usize, Named)>;
}

/// No texts: pages alone are asked.
pub(crate) struct NoTexts;

impl Texts for NoTexts {
    fn holding(&self, _word: &str) -> Vec<(usize, f64)> {
        Vec::new()
    }

    fn defining(&self, _name: &str) -> Vec<(usize, Named)> {
        Vec::new()
    }
}
