//! The directories of a project.

use rustc_hash::FxHashMap;

use super::{inventory::FileFacts, names};

/// All directories that hold files; the root is the first, and whatever lies in another comes behind it.
pub(crate) struct Tree<'a> {
    /// Sorted by path.
    pub(crate) files: Vec<&'a FileFacts>,
    pub(crate) dirs: Vec<Dir<'a>>,
    /// The directory of each file.
    pub(crate) home: Vec<u32>,
}

#[derive(Default)]
pub(crate) struct Dir<'a> {
    pub(crate) path: &'a str,
    pub(crate) above: u32,
    /// Sorted by path, as the files are.
    pub(crate) dirs: Vec<u32>,
    pub(crate) files: Vec<u32>,
    /// How many files there are in it and below.
    pub(crate) all: u32,
}

impl<'a> Tree<'a> {
    pub(crate) fn new(files: &'a [FileFacts]) -> Self {
        let mut files: Vec<&FileFacts> = files.iter().collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files.dedup_by(|a, b| a.path == b.path);
        let mut tree = Self { files, dirs: vec![Dir::default()], home: Vec::new() };
        let mut known: FxHashMap<&str, u32> = FxHashMap::from_iter([("", 0)]);
        for at in 0..tree.files.len() {
            let dir = tree.dir(names::dir(&tree.files[at].path), &mut known);
            tree.dirs[dir as usize].files.push(at as u32);
            tree.home.push(dir);
        }
        for at in (0..tree.dirs.len()).rev() {
            let all = tree.dirs[at].all + tree.dirs[at].files.len() as u32;
            tree.dirs[at].all = all;
            if at > 0 {
                let above = tree.dirs[at].above as usize;
                tree.dirs[above].all += all;
            }
        }
        let paths: Vec<&str> = tree.dirs.iter().map(|dir| dir.path).collect();
        tree.dirs.iter_mut().for_each(|dir| dir.dirs.sort_by_key(|at| paths[*at as usize]));
        tree
    }

    fn dir(&mut self, path: &'a str, known: &mut FxHashMap<&'a str, u32>) -> u32 {
        let mut missing = Vec::new();
        let mut path = path;
        let mut at = loop {
            match known.get(path) {
                Some(at) => break *at,
                None => missing.push(path),
            }
            path = names::dir(path);
        };
        for path in missing.into_iter().rev() {
            let new = self.dirs.len() as u32;
            self.dirs.push(Dir { path, above: at, ..Dir::default() });
            self.dirs[at as usize].dirs.push(new);
            known.insert(path, new);
            at = new;
        }
        at
    }

    pub(crate) fn file(&self, at: u32) -> &'a FileFacts {
        self.files[at as usize]
    }

    pub(crate) fn at(&self, dir: u32) -> &Dir<'a> {
        &self.dirs[dir as usize]
    }

    /// All files in a directory and below, by directory.
    pub(crate) fn below(&self, dir: u32) -> Vec<u32> {
        let mut files = Vec::new();
        let mut dirs = vec![dir];
        while let Some(dir) = dirs.pop() {
            files.extend(&self.at(dir).files);
            dirs.extend(self.at(dir).dirs.iter().rev());
        }
        files
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_has_every_directory_once() {
        let files = ["b/c/d/e.rs", "a.rs", "b/x.rs", "b-c/y.rs", "b/c/z.rs", "a.rs"];
        let files = files.map(|path| FileFacts { path: path.into(), ..FileFacts::default() });
        let tree = Tree::new(&files);
        let mut shown: Vec<String> =
            tree.dirs.iter().map(|dir| format!("{}:{}/{}", dir.path, dir.files.len(), dir.all)).collect();
        shown.sort();
        assert_eq!(shown, [":1/5", "b-c:1/1", "b/c/d:1/1", "b/c:1/2", "b:1/3"]);
        assert_eq!(tree.below(0).len(), 5);
        assert_eq!(Tree::new(&[]).dirs.len(), 1);
    }
}
