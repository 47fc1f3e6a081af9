//! A hash for names.

/// A hash that is the same in every build and on every machine, which those of the standard library are not: FNV-1a over
/// 64 bits.
///
/// It makes file names, keys and ids of what may hold anything, such as a path or a session's name. It keeps nothing
/// secret, and whoever chooses the bytes can make two of them meet.
///
/// ```
/// assert_eq!(format!("{:016x}.json", ctxhost_sdk::fnv1a("chat 1/2")), "5b607b6a0c23f0fd.json");
/// ```
pub fn fnv1a(bytes: impl AsRef<[u8]>) -> u64 {
    bytes.as_ref().iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_gives_what_its_authors_list() {
        for (text, hash) in
            [("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8)]
        {
            assert_eq!(fnv1a(text), hash, "{text}");
        }
    }
}
