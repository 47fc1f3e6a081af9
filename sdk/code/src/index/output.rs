//! Where a segment is written to; only ever forwards.

use std::io::{self, Write};

pub(super) struct Output<'a> {
    to: io::BufWriter<&'a mut dyn Write>,
    at: u64,
}

impl<'a> Output<'a> {
    pub(super) fn new(to: &'a mut dyn Write) -> Self {
        // 64 KiB: a flush of a few megabytes is some hundred calls.
        Self { to: io::BufWriter::with_capacity(1 << 16, to), at: 0 }
    }

    pub(super) fn at(&self) -> u64 {
        self.at
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.at += bytes.len() as u64;
        self.to.write_all(bytes)
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        self.to.flush()
    }
}
