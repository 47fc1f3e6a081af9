//! What was asked for lately, bounded.

use std::{
    borrow::Borrow,
    collections::HashMap,
    hash::Hash,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Values that are made when they are first asked for and kept by key, at most so many; with one more, the one that was
/// asked for longest ago goes.
///
/// A host may live for weeks and work in many projects and conversations; this is what bounds a provider's memory of them.
/// A value is cloned out, so it is usually an [`Arc`](std::sync::Arc), and lives on with whoever still uses it.
///
/// ```
/// use std::{path::{Path, PathBuf}, sync::Arc};
/// use ctxhost_sdk::Recent;
///
/// let projects: Recent<PathBuf, Arc<String>> = Recent::new(32);
/// let opened = projects.get_or_make(Path::new("/work"), || Arc::new("opened".to_owned()));
/// let again = projects.get_or_make(Path::new("/work"), || unreachable!("it is there"));
/// assert!(Arc::ptr_eq(&opened, &again));
///
/// // What cannot be made is not kept, and is tried again the next time.
/// let refused = projects.get_or_try_make(Path::new("/"), || Err("holds more than a project"));
/// assert_eq!(refused, Err("holds more than a project"));
/// ```
#[derive(Debug)]
pub struct Recent<K, V> {
    most: usize,
    all: Mutex<All<K, V>>,
}

#[derive(Debug)]
struct All<K, V> {
    asked: u64,
    /// With the number of the question that asked for it last.
    values: HashMap<K, (u64, V)>,
}

impl<K: Eq + Hash, V: Clone> Recent<K, V> {
    /// Keeps at most so many values; none is taken for one.
    pub fn new(most: usize) -> Self {
        Self { most: most.max(1), all: Mutex::new(All { asked: 0, values: HashMap::new() }) }
    }

    /// The value of a key, made when there is none.
    ///
    /// Whoever asks meanwhile waits, so that a value is made once; making it must not ask again.
    pub fn get_or_make<Q>(&self, key: &Q, make: impl FnOnce() -> V) -> V
    where
        K: Borrow<Q>,
        Q: ?Sized + Eq + Hash + ToOwned<Owned = K>,
    {
        let made: Result<V, std::convert::Infallible> = self.get_or_try_make(key, || Ok(make()));
        match made {
            Ok(value) => value,
        }
    }

    /// As [`get_or_make`](Self::get_or_make), where it may be impossible.
    ///
    /// # Errors
    /// That of `make`; nothing is kept then.
    pub fn get_or_try_make<Q, E>(&self, key: &Q, make: impl FnOnce() -> Result<V, E>) -> Result<V, E>
    where
        K: Borrow<Q>,
        Q: ?Sized + Eq + Hash + ToOwned<Owned = K>,
    {
        let mut all = self.all();
        all.asked += 1;
        let asked = all.asked;
        if let Some((last, value)) = all.values.get_mut(key) {
            *last = asked;
            return Ok(value.clone());
        }
        let value = make()?;
        all.values.insert(key.to_owned(), (asked, value.clone()));
        let gone = (all.values.len() > self.most).then(|| all.forget_oldest());
        drop(all);
        // A value may end a thread when it goes, which nobody else should wait for.
        drop(gone);
        Ok(value)
    }

    /// Forgets a key; gives what was kept for it.
    pub fn forget<Q>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
        Q: ?Sized + Eq + Hash,
    {
        self.all().values.remove(key).map(|(_, value)| value)
    }

    /// What it guards stays whole when a value's maker panics.
    fn all(&self) -> MutexGuard<'_, All<K, V>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Eq + Hash, V> All<K, V> {
    fn forget_oldest(&mut self) -> Vec<(K, (u64, V))> {
        let oldest = self.values.values().map(|(asked, _)| *asked).min();
        self.values.extract_if(|_, (asked, _)| Some(*asked) == oldest).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_asked_for_longest_ago_goes() {
        let recent: Recent<String, u32> = Recent::new(2);
        for (key, expected) in [("a", 0), ("b", 1), ("a", 0), ("c", 3), ("a", 0), ("b", 5), ("c", 6)] {
            let made = u32::try_from(recent.all().asked).expect("few");
            assert_eq!(recent.get_or_make(key, || made), expected, "{key}");
            assert!(recent.all().values.len() <= 2);
        }
        assert_eq!((recent.forget("c"), recent.forget("c")), (Some(6), None));
    }

    #[test]
    fn a_maker_that_fails_or_panics_leaves_nothing() {
        let recent: Recent<String, u32> = Recent::new(2);
        assert_eq!(recent.get_or_try_make("a", || Err("no")), Err("no"));
        let panics = || recent.get_or_make("a", || panic!("it panics"));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(panics)).is_err());
        assert_eq!(recent.get_or_make("a", || 7), 7);
    }
}
