//! Text and documents, made of what was decided.
