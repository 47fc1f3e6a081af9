//! The index: what goes in comes out, whatever happened on the way.

#[path = "index/broken.rs"]
mod broken;
#[path = "index/changes.rs"]
mod changes;
#[path = "index/counting.rs"]
mod counting;
#[path = "index/disk.rs"]
mod disk;
#[path = "index/lookup.rs"]
mod lookup;
#[path = "index/made.rs"]
mod made;
#[path = "index/readers.rs"]
mod readers;
