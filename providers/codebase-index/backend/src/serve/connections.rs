//! Connections: how many, how long they may take to say what they want, and how they end.

use std::{sync::Arc, time::Duration};

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use tokio::{
    net::TcpListener,
    sync::{Semaphore, watch},
    time::{sleep, timeout},
};

use crate::server::Limits;

/// How long to wait when the system has no more of what a connection needs.
const BREATH: Duration = Duration::from_millis(100);

/// Answers on these connections until told to stop; then those that wait for a request end at once, and the others when
/// they were answered, or when the time is over.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    mut stopped: watch::Receiver<bool>,
) {
    let places = Arc::new(Semaphore::new(limits.connections));
    let connections = GracefulShutdown::new();
    loop {
        let accepted = tokio::select! {
            _ = stopped.wait_for(|stopped| *stopped) => break,
            accepted = accept(&listener, &places) => accepted,
        };
        let Some((stream, place)) = accepted else { continue };
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.head_time)
            .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router.clone()));
        let connection = connections.watch(connection);
        tokio::spawn(async move {
            // What a client breaks off is its own matter.
            let _ = connection.await;
            drop(place);
        });
    }
    drop(listener);
    let _ = timeout(limits.stop_time, connections.shutdown()).await;
}

async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> Option<(tokio::net::TcpStream, tokio::sync::OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, _)) => {
            // Answers are small and whole.
            let _ = stream.set_nodelay(true);
            Some((stream, place))
        }
        Err(_) => {
            sleep(BREATH).await;
            None
        }
    }
}
