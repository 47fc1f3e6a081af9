//! The outside world: the project's files, the artifacts, git's exclude file.
