//! The grammars that providers share, each with the query that finds its symbols.
