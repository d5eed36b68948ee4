//! The checksums that a storage server announces in its `x-goog-hash` header: `crc32c=…,md5=…`, in
//! base64.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use md5::{Digest, Md5};

/// Checksums of bytes as they come.
#[derive(Default)]
pub(super) struct Checksums {
    md5: Md5,
    crc: Crc32c,
}

/// A checksum that is not as announced.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    pub(super) kind: &'static str,
    pub(super) announced: String,
    pub(super) found: String,
}

impl Checksums {
    pub(super) fn update(&mut self, bytes: &[u8]) {
        self.md5.update(bytes);
        self.crc.update(bytes);
    }

    /// Holds them against the headers' values; how many were announced and are right.
    pub(super) fn check<'a>(self, announced: impl IntoIterator<Item = &'a str>) -> Result<usize, Wrong> {
        let md5 = STANDARD.encode(self.md5.finalize());
        let crc = STANDARD.encode(self.crc.value().to_be_bytes());
        let mut right = 0;
        for part in announced.into_iter().flat_map(|value| value.split(',')) {
            // The value itself may end in `=`.
            let Some((name, value)) = part.trim().split_once('=') else {
                continue;
            };
            let (kind, found) = match name {
                "md5" => ("MD5", &md5),
                "crc32c" => ("CRC-32C", &crc),
                _ => continue,
            };
            if value != found {
                return Err(Wrong { kind, announced: value.to_owned(), found: found.clone() });
            }
            right += 1;
        }
        Ok(right)
    }
}

/// CRC-32 with the polynomial of Castagnoli, a byte at a time.
struct Crc32c(u32);

const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        let mut value = index as u32;
        let mut bit = 0;
        while bit < 8 {
            value = if value & 1 == 1 { (value >> 1) ^ 0x82f6_3b78 } else { value >> 1 };
            bit += 1;
        }
        table[index] = value;
        index += 1;
    }
    table
};

impl Default for Crc32c {
    fn default() -> Crc32c {
        Crc32c(!0)
    }
}

impl Crc32c {
    fn update(&mut self, bytes: &[u8]) {
        for byte in bytes {
            let index = (self.0 ^ u32::from(*byte)) & 0xff;
            self.0 = (self.0 >> 8) ^ TABLE[index as usize];
        }
    }

    fn value(&self) -> u32 {
        !self.0
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn of(bytes: &[u8]) -> Checksums {
        let mut sums = Checksums::default();
        sums.update(bytes);
        sums
    }

    #[test]
    fn the_check_values_of_the_standards() {
        // CRC-32C and MD5 of "123456789": e3069283 and 25f9e794323b453885f5181f1b624d0b.
        assert_eq!(of(b"123456789").crc.value(), 0xe306_9283);
        assert_eq!(of(b"123456789").check(["crc32c=4waSgw==,md5=JfnnlDI7RTiF9RgfG2JNCw=="]), Ok(2));
        assert_eq!(of(b"123456789").check(["crc32c=4waSgw==", "md5=JfnnlDI7RTiF9RgfG2JNCw=="]), Ok(2));
    }

    #[test]
    fn each_alone_is_held_against_what_came() {
        let wrong = of(b"12345678").check(["crc32c=4waSgw=="]).unwrap_err();
        assert_eq!((wrong.kind, wrong.announced.as_str()), ("CRC-32C", "4waSgw=="));
        assert_eq!(of(b"12345678").check(["md5=JfnnlDI7RTiF9RgfG2JNCw=="]).unwrap_err().kind, "MD5");
        assert_eq!(of(b"x").check(["sha9=abc", "nonsense"]), Ok(0));
    }
}
