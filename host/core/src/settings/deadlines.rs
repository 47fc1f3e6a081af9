//! How long a provider has, where neither the user nor its manifest says.

/// Milliseconds a provider has when its manifest asks for nothing; `None` for commands, which a person can interrupt.
pub(super) fn default_deadline(name: &str) -> Option<u64> {
    match name {
        "prompt" => Some(300),
        "model_call" => Some(150),
        "tool.before" => Some(250),
        "tool.after" => Some(500),
        "tool" => Some(600_000),
        "command" => None,
        _ => Some(3_000),
    }
}

/// The most that a manifest may ask where the user set no cap: 20 s for a prompt, 5 s before a tool.
pub(super) fn default_cap(name: &str) -> u64 {
    match name {
        "prompt" => 20_000,
        "tool.before" => 5_000,
        _ => u64::MAX,
    }
}
