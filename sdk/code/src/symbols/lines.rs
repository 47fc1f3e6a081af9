//! Which line a byte is in.

/// Where the lines of a file end.
pub(super) struct Lines(Vec<u32>);

impl Lines {
    pub(super) fn of(source: &[u8]) -> Lines {
        let breaks = source.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        Lines(breaks.map(|(at, _)| at as u32).collect())
    }

    /// Gives a byte's line, counted from 1.
    pub(super) fn at(&self, byte: u32) -> u32 {
        self.0.partition_point(|end| *end < byte) as u32 + 1
    }
}
