//! Files that hold secrets by their name: they are found by their path alone and never offered.

use super::PathOnly;

/// The rule that providers share, so that they share an index: the text of a file with such a name is never kept.
pub const SECRET_FILES: PathOnly = PathOnly { rule: "files of secrets", holds: holds_secrets };

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

/// Whether a path, with `/`, is that of a file that holds secrets, such as `.env`, a private key or a file of credentials.
/// It is told by names that are usual for such files, and by nothing of what they hold.
pub fn holds_secrets(path: &str) -> bool {
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
    use super::holds_secrets;

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
            assert!(holds_secrets(path), "{path}");
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
            assert!(!holds_secrets(path), "{path}");
        }
    }
}
