//! What is done beside answering: forgetting what is old, and keeping the development token fresh.

use std::{sync::Arc, time::Duration};

use tokio::{
    sync::watch,
    task::{JoinHandle, spawn_blocking},
    time::{MissedTickBehavior, interval},
};

use super::development::DevelopmentFile;
use crate::{auth::Auth, log::Log, store::Store, surroundings::Clock};

/// How often to look whether something is due: well within the life of an access token.
const ROUND: Duration = Duration::from_secs(1200);
/// How many rounds make a day.
const ROUNDS_A_DAY: u32 = 72;

/// Begins it; it ends when told to stop, and takes the development file away.
pub(super) fn begin(
    store: Arc<dyn Store>,
    auth: Arc<Auth>,
    development: Option<DevelopmentFile>,
    log: Log,
    clock: Clock,
    mut stopped: watch::Receiver<bool>,
) -> JoinHandle<()> {
    let development = development.map(Arc::new);
    tokio::spawn(async move {
        let mut rounds = interval(ROUND);
        rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        for round in (0..ROUNDS_A_DAY).cycle() {
            tokio::select! {
                _ = stopped.wait_for(|stopped| *stopped) => break,
                _ = rounds.tick() => {}
            }
            let (file, signer, said) = (development.clone(), Arc::clone(&auth), log.clone());
            // It is short, and waited for: written later, the file would outlive the backend.
            let _ = spawn_blocking(move || {
                if let Some(Err(error)) = file.map(|file| file.renew(&signer)) {
                    said.fault("development-file", &error.to_string());
                }
            })
            .await;
            if round > 0 {
                continue;
            }
            let (store, auth, log, clock) =
                (Arc::clone(&store), Arc::clone(&auth), log.clone(), Arc::clone(&clock));
            let forgetting = spawn_blocking(move || forget(store.as_ref(), &auth, &log, clock()));
            tokio::select! {
                _ = stopped.wait_for(|stopped| *stopped) => break,
                _ = forgetting => {}
            }
        }
        if let Some(file) = development {
            file.remove();
        }
    })
}

/// Forgets what is old.
fn forget(store: &dyn Store, auth: &Auth, log: &Log, now: i64) {
    if let Err(error) = store.prune(now) {
        log.fault("prune", &error.to_string());
    }
    if let Err(error) = auth.prune() {
        log.fault("prune", &error.to_string());
    }
}
