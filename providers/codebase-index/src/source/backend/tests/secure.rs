//! A server that speaks TLS, with a certificate of an authority that nobody knows; `openssl` makes both.

use std::{
    fs,
    io::{Read, Write},
    net::TcpListener,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
    thread,
};

use rustls::{
    ServerConfig, ServerConnection, StreamOwned,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};
use tempfile::TempDir;

const REPLY: &str =
    r#"{"status":"ok","embedder":"none","maxBodyBytes":1,"maxChunks":1,"maxContentBytes":1,"maxLimit":1}"#;

/// The server; its threads end with the process.
pub(super) struct Server {
    pub(super) url: String,
    place: TempDir,
}

impl Server {
    pub(super) fn start() -> Self {
        let place = TempDir::new().unwrap();
        certificates(place.path());
        let chain = vec![CertificateDer::from_pem_file(place.path().join("server.pem")).unwrap()];
        let key = PrivateKeyDer::from_pem_file(place.path().join("server.key")).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(chain, key)
            .unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("https://127.0.0.1:{}", listener.local_addr().unwrap().port());
        thread::spawn(move || serve(&listener, &Arc::new(config)));
        Self { url, place }
    }

    pub(super) fn authority(&self) -> PathBuf {
        self.place.path().join("ca.pem")
    }
}

/// Answers whatever is asked.
fn serve(listener: &TcpListener, config: &Arc<ServerConfig>) {
    for stream in listener.incoming().flatten() {
        let Ok(session) = ServerConnection::new(Arc::clone(config)) else { return };
        let mut stream = StreamOwned::new(session, stream);
        let mut asked = Vec::new();
        let mut piece = [0; 1024];
        while !asked.ends_with(b"\r\n\r\n") {
            match stream.read(&mut piece) {
                Ok(read) if read > 0 => asked.extend_from_slice(&piece[..read]),
                _ => break,
            }
        }
        let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", REPLY.len());
        let _ = stream.write_all((head + REPLY).as_bytes());
        stream.conn.send_close_notify();
        let _ = stream.flush();
    }
}

fn certificates(place: &Path) {
    let extensions = "basicConstraints=CA:FALSE\nsubjectAltName=IP:127.0.0.1\nextendedKeyUsage=serverAuth\n";
    fs::write(place.join("extensions"), extensions).unwrap();
    for arguments in [
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=authority",
        "req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout server.key -out server.csr -subj /CN=server",
        "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out server.pem -days 2 -extfile extensions",
    ] {
        let run = Command::new("openssl").args(arguments.split(' ')).current_dir(place).output().unwrap();
        assert!(run.status.success(), "openssl {arguments}: {}", String::from_utf8_lossy(&run.stderr));
    }
}
