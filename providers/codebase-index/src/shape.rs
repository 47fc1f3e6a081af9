//! Writing: sections, documents, status lines, what tools and commands say. It touches nothing.

pub(crate) mod answers;
pub(crate) mod listing;
pub(crate) mod sections;
pub(crate) mod standing;
