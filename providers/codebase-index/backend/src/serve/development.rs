//! The file by which a client of the same user finds this backend, with a token that is always fresh.

use std::{
    fs,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    path::{Path, PathBuf},
};

use ctxhost_protocol::codebase_index::Development;

use super::ServeError;
use crate::{auth::Auth, private};

/// The file, while it is there.
pub(super) struct DevelopmentFile {
    path: PathBuf,
    url: String,
}

impl DevelopmentFile {
    /// Writes the file, for this user alone.
    pub(super) fn write(path: &Path, address: SocketAddr, auth: &Auth) -> Result<Self, ServeError> {
        let ip = match address.ip() {
            // Any address of loopback is bound when it is one; clients know these two.
            IpAddr::V4(ip) if !ip.is_loopback() => IpAddr::V4(Ipv4Addr::LOCALHOST),
            IpAddr::V6(ip) if !ip.is_loopback() => IpAddr::V6(Ipv6Addr::LOCALHOST),
            ip => ip,
        };
        let url = format!("http://{}", SocketAddr::new(ip, address.port()));
        let file = Self { path: path.to_owned(), url };
        file.renew(auth)?;
        Ok(file)
    }

    /// Writes it again with a new token.
    pub(super) fn renew(&self, auth: &Auth) -> Result<(), ServeError> {
        let token = auth.development_token(None).map_err(ServeError::Token)?;
        let file = Development { v: 1, url: self.url.clone(), token, pid: Some(std::process::id()) };
        if let Some(folder) = self.path.parent() {
            private::folder(folder)?;
        }
        let text = serde_json::to_vec(&file).expect("texts and numbers are JSON");
        Ok(private::write(&self.path, &text)?)
    }

    /// Takes it away, unless another backend has written it since.
    pub(super) fn remove(&self) {
        let ours = private::read(&self.path)
            .ok()
            .flatten()
            .and_then(|text| serde_json::from_str::<Development>(&text).ok())
            .is_some_and(|file| file.pid == Some(std::process::id()));
        if ours {
            let _ = fs::remove_file(&self.path);
        }
    }
}
