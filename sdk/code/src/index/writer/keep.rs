//! Where a segment is kept: on the disk, or in memory when the disk does not take it.

use super::{
    super::{
        IndexError,
        bytes::sum,
        manifest::segment_path,
        merge::Stopped,
        segment::Segment,
        source::Source,
        view::{self, Part},
    },
    Writer,
};
use std::{
    io::{self, Write},
    path::Path,
    sync::Arc,
};

impl Writer {
    /// Writes a segment to the disk, or to memory when the disk does not take it; then the error comes along.
    pub(super) fn make(
        &mut self,
        write: &dyn Fn(&mut dyn Write) -> Result<u64, Stopped>,
    ) -> Result<(Part, Result<(), IndexError>), IndexError> {
        self.changed = true;
        let mut result = Ok(());
        if let Some(folder) = self.folder.clone() {
            match self.make_file(&folder, write) {
                Ok(part) => return Ok((part, Ok(()))),
                Err(Stopped::Reading(error)) => return Err(error),
                Err(Stopped::Writing(source)) => result = self.tell(segment_path(&folder, self.next), source),
            }
        }
        let mut bytes = Vec::new();
        match write(&mut bytes) {
            Ok(_) => {}
            Err(Stopped::Reading(error)) => return Err(error),
            Err(Stopped::Writing(_)) => unreachable!("memory takes every write"),
        }
        let segment = Segment::open(Source::Memory(bytes.into()))?;
        Ok((Part { segment: Arc::new(segment), dead: Arc::default(), number: None }, result))
    }

    fn make_file(
        &mut self,
        folder: &Path,
        write: &dyn Fn(&mut dyn Write) -> Result<u64, Stopped>,
    ) -> Result<Part, Stopped> {
        let number = self.next;
        let mut reading = None;
        let written = self.disk.replace(&segment_path(folder, number), &mut |to| {
            write(to).map(drop).map_err(|stopped| match stopped {
                Stopped::Writing(error) => error,
                Stopped::Reading(error) => {
                    reading = Some(error);
                    io::Error::other("the segments to be merged cannot be read")
                }
            })
        });
        match (written, reading) {
            (_, Some(error)) => Err(Stopped::Reading(error)),
            (Err(error), None) => Err(Stopped::Writing(error)),
            (Ok(()), None) => {
                self.next += 1;
                let segment = view::segment(folder, number).map_err(io::Error::other)?;
                Ok(Part { segment: Arc::new(segment), dead: Arc::default(), number: Some(number) })
            }
        }
    }

    /// Writes a segment to the disk that could only be kept in memory.
    pub(super) fn rescue(&mut self, folder: &Path, at: usize) -> io::Result<()> {
        let part = self.parts[at].clone();
        // A small segment is in memory and on the disk.
        let (None, Source::Memory(bytes)) = (part.number, &part.segment.source) else { return Ok(()) };
        let write = |to: &mut dyn Write| to.write_all(bytes).map(|()| sum(bytes)).map_err(Stopped::Writing);
        match self.make_file(folder, &write) {
            Ok(saved) => {
                self.parts[at] = Part { dead: part.dead, ..saved };
                Ok(())
            }
            Err(Stopped::Writing(error)) => Err(error),
            Err(Stopped::Reading(error)) => Err(io::Error::other(error)),
        }
    }
}
