//! What can be wrong with a command or with the files that it reads and writes.
