//! Files that hold secrets by their name: they are indexed like others and never offered.

/// Beginnings, ends and whole names, in lower case; the families are those that ide-context keeps out from the start.
const STARTS: &[&str] =
    &[".env", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "client_secret", ".vault_pass"];
const ENDS: &[&str] = &[
    ".pem",
    ".key",
    ".p8",
    ".p12",
    ".pfx",
    ".jks",
    ".keystore",
    ".ppk",
    ".keytab",
    ".kdbx",
    ".kdb",
    ".env",
    ".tfvars",
    ".tfvars.json",
    ".tfstate",
    ".tfstate.backup",
];
const NAMES: &[&str] = &[
    ".netrc",
    "_netrc",
    ".npmrc",
    ".pypirc",
    ".git-credentials",
    ".htpasswd",
    ".pgpass",
    ".my.cnf",
    ".dockercfg",
    ".terraformrc",
    ".vault-token",
    ".s3cfg",
    ".boto",
    "rclone.conf",
    ".credentials.json",
    "secrets.yml",
    "secrets.yaml",
    "secrets.json",
    "secrets.toml",
    "application_default_credentials.json",
    ".envrc",
];
const PLACES: &[&str] = &[
    ".aws/credentials",
    ".docker/config.json",
    ".kube/config",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".gem/credentials",
];
/// What is there to be copied holds no secret.
const SAMPLES: &[&str] = &["example", "sample", "template", "dist"];

/// Whether a path is one of them.
pub(crate) fn is_private(path: &str) -> bool {
    let path = path.to_lowercase();
    let name = path.rsplit('/').next().unwrap_or_default();
    let sample = name.split('.').any(|part| SAMPLES.contains(&part)) || name.ends_with(".pub");
    let named = STARTS.iter().any(|start| name.starts_with(start))
        || ENDS.iter().any(|end| name.ends_with(end))
        || NAMES.contains(&name)
        || PLACES.iter().any(|place| path.ends_with(place))
        || path.split('/').any(|part| part == ".ssh" || part == ".gnupg");
    named && !sample
}

#[cfg(test)]
mod tests {
    use super::is_private;

    #[test]
    fn files_of_secrets_are_told_by_their_name() {
        for path in [
            ".env",
            "a/.env.local",
            "prod.env",
            "deploy/server.pem",
            "id_rsa",
            "home/.ssh/config",
            ".NPMRC",
            "infra/main.tfstate",
            "x/.aws/credentials",
            "config/secrets.yml",
        ] {
            assert!(is_private(path), "{path}");
        }
        for path in [
            ".env.example",
            "sample.env",
            "src/environment.rs",
            "id_rsa.pub",
            "src/secrets.rs",
            "keys/mod.rs",
            "docs/pem.md",
            "src/key.ts",
            ".envoy/config.rs.txt".trim_start_matches('.'),
        ] {
            assert!(!is_private(path), "{path}");
        }
    }
}
