//! Numbers and strings as bytes, and back from bytes that may be anything.

use super::IndexError;

/// The bytes do not say what they should; the caller knows which part they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Broken;

impl Broken {
    pub(super) fn of(part: &'static str) -> impl Fn(Broken) -> IndexError {
        move |Broken| IndexError::Broken { part }
    }
}

pub(super) fn put_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Small numbers of either sign are short.
pub(super) fn put_signed(out: &mut Vec<u8>, number: i64) {
    put_number(out, ((number << 1) ^ (number >> 63)) as u64);
}

pub(super) fn put_text(out: &mut Vec<u8>, text: &str) {
    put_number(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Reads on from where it stands; never past the end, never more memory than there are bytes.
pub(super) struct Cursor<'a> {
    rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// How many bytes are left.
    pub(super) fn left(&self) -> usize {
        self.rest.len()
    }

    pub(super) fn byte(&mut self) -> Result<u8, Broken> {
        let (first, rest) = self.rest.split_first().ok_or(Broken)?;
        self.rest = rest;
        Ok(*first)
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], Broken> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(Broken)?;
        self.rest = rest;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], Broken> {
        self.take(N)?.try_into().map_err(|_| Broken)
    }

    pub(super) fn number(&mut self) -> Result<u64, Broken> {
        let first = self.byte()?;
        if first < 0x80 { Ok(u64::from(first)) } else { self.long_number(first) }
    }

    fn long_number(&mut self, first: u8) -> Result<u64, Broken> {
        let mut number = u64::from(first & 0x7f);
        for shift in (7..64).step_by(7) {
            let byte = self.byte()?;
            let part = u64::from(byte & 0x7f);
            if shift == 63 && byte > 1 {
                return Err(Broken);
            }
            number |= part << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Broken)
    }

    pub(super) fn signed(&mut self) -> Result<i64, Broken> {
        let number = self.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    pub(super) fn u32(&mut self) -> Result<u32, Broken> {
        u32::try_from(self.number()?).map_err(|_| Broken)
    }

    pub(super) fn u16(&mut self) -> Result<u16, Broken> {
        u16::try_from(self.number()?).map_err(|_| Broken)
    }

    /// How many things follow, when each takes at least a byte.
    pub(super) fn count(&mut self) -> Result<usize, Broken> {
        let count = usize::try_from(self.number()?).map_err(|_| Broken)?;
        if count > self.rest.len() { Err(Broken) } else { Ok(count) }
    }

    pub(super) fn slice(&mut self) -> Result<&'a [u8], Broken> {
        let length = self.count()?;
        self.take(length)
    }

    pub(super) fn text(&mut self) -> Result<&'a str, Broken> {
        std::str::from_utf8(self.slice()?).map_err(|_| Broken)
    }
}

/// Sums bytes up, to notice what a disk or a crash did to them; not against anybody who can choose the bytes.
///
/// Each step is a bijection of the state, so a change inside one word always changes the sum.
pub(super) fn sum(bytes: &[u8]) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut words = bytes.chunks_exact(8);
    let mut state = (bytes.len() as u64).wrapping_mul(ODD);
    for word in &mut words {
        let word = u64::from_le_bytes(word.try_into().expect("chunks of eight"));
        state = (state ^ word).wrapping_mul(ODD).rotate_left(29);
    }
    let mut last = [0; 8];
    last[..words.remainder().len()].copy_from_slice(words.remainder());
    state = (state ^ u64::from_le_bytes(last)).wrapping_mul(ODD);
    state = (state ^ (state >> 32)).wrapping_mul(ODD);
    state ^ (state >> 29)
}

/// The sum of a small piece.
pub(super) fn short_sum(bytes: &[u8]) -> u32 {
    sum(bytes) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_come_back(number: u64, signed: i64, text: String) {
            let mut out = Vec::new();
            put_number(&mut out, number);
            put_signed(&mut out, signed);
            put_text(&mut out, &text);
            let mut cursor = Cursor::new(&out);
            prop_assert_eq!(cursor.number(), Ok(number));
            prop_assert_eq!(cursor.signed(), Ok(signed));
            prop_assert_eq!(cursor.text(), Ok(text.as_str()));
            prop_assert!(cursor.is_empty());
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes: Vec<u8>) {
            let mut cursor = Cursor::new(&bytes);
            while cursor.number().is_ok() {}
            let mut cursor = Cursor::new(&bytes);
            while cursor.text().is_ok() {}
            prop_assert!(Cursor::new(&bytes).count().is_err() || !bytes.is_empty());
        }

        #[test]
        fn a_changed_byte_changes_the_sum(mut bytes in prop::collection::vec(any::<u8>(), 1..100), at: prop::sample::Index, by in 1..=255u8) {
            let before = sum(&bytes);
            let at = at.index(bytes.len());
            bytes[at] ^= by;
            prop_assert_ne!(before, sum(&bytes));
        }
    }

    #[test]
    fn a_number_that_is_too_long_is_broken() {
        assert_eq!(Cursor::new(&[0xff; 11]).number(), Err(Broken));
        assert_eq!(
            Cursor::new(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2]).number(),
            Err(Broken)
        );
    }
}
