//! The outside world: the index, the project's files, the memory's file.
