//! Tables of what was written and what it comes to.
