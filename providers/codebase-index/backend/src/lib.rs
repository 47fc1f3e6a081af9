//! The reference backend of codebase-index.
