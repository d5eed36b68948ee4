//! Pictures, pixel by pixel.

use png::{BitDepth, ColorType, Decoder, Encoder, Limits, Transformations};

/// The most that decoding a picture may need, in bytes: a full page of 16,384 by 4,096 pixels.
const LARGEST: usize = 16_384 * 4_096 * 4;
/// Red, green, blue, alpha.
const CHANNELS: usize = 4;
/// The colour of what is covered. Hardly a page has it, so that a reviewer sees what was left out.
const COVER: [u8; CHANNELS] = [255, 0, 255, 255];
/// From this distance on two colours are different ones, as [`distance`] measures it: a tenth of that between black and white, which an
/// eye does not see side by side.
const VISIBLE: f64 = 0.1;
/// How much of the picture shows through where two pictures agree, when their difference is drawn.
const FADED: f64 = 0.15;
/// The colour of a pixel that differs, there.
const MARK: [u8; CHANNELS] = [220, 0, 40, 255];

/// A picture in memory: eight bits each of red, green, blue and alpha, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

/// A part of a picture, in its pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The first column.
    pub left: u32,
    /// The first row.
    pub top: u32,
    /// How many columns.
    pub width: u32,
    /// How many rows.
    pub height: u32,
}

/// How two pictures of the same size differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contrast {
    /// How many pixels differ visibly.
    pub pixels: u64,
    /// How many there are.
    pub of: u64,
    /// The smallest part that holds all of them; none if none differs.
    pub part: Option<Part>,
}

/// How much of a picture may differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// So many pixels.
    Pixels(u64),
    /// Such a share of all pixels, 0 to 1.
    Share(f64),
}

impl Tolerance {
    /// Whether such a difference may be.
    pub fn allows(self, contrast: &Contrast) -> bool {
        match self {
            Tolerance::Pixels(pixels) => contrast.pixels <= pixels,
            Tolerance::Share(share) => contrast.pixels as f64 <= share * contrast.of as f64,
        }
    }
}

impl Picture {
    /// Reads a PNG of any kind.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn decode(bytes: &[u8]) -> Result<Picture, String> {
        let limits = Limits { bytes: LARGEST };
        let mut decoder = Decoder::new_with_limits(std::io::Cursor::new(bytes), limits);
        decoder.set_transformations(Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().map_err(|error| error.to_string())?;
        let size = reader.output_buffer_size().filter(|size| *size <= LARGEST).ok_or("it is too large")?;
        let mut buffer = vec![0; size];
        let frame = reader.next_frame(&mut buffer).map_err(|error| error.to_string())?;
        buffer.truncate(frame.buffer_size());
        let pixels = match frame.color_type {
            ColorType::Rgba => buffer,
            ColorType::Rgb => widened::<3>(&buffer, |&[red, green, blue]| [red, green, blue, 255]),
            ColorType::Grayscale => widened::<1>(&buffer, |&[grey]| [grey, grey, grey, 255]),
            ColorType::GrayscaleAlpha => widened::<2>(&buffer, |&[grey, alpha]| [grey, grey, grey, alpha]),
            ColorType::Indexed => return Err("its palette is missing".to_owned()),
        };
        let picture = Picture { width: frame.width, height: frame.height, pixels };
        if picture.pixels.len() as u64 != picture.count() * CHANNELS as u64 {
            return Err("it ends too early".to_owned());
        }
        Ok(picture)
    }

    /// Writes a PNG, the same for the same picture.
    ///
    /// # Errors
    /// What is wrong, in words; only a picture without a pixel can't be written.
    pub fn encode(&self) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(ColorType::Rgba);
        encoder.set_depth(BitDepth::Eight);
        let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&self.pixels));
        written.map_err(|error| error.to_string())?;
        Ok(bytes)
    }

    /// Width and height in pixels.
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Covers a part, as far as it lies in the picture, so that what stands there does not count.
    pub fn cover(&mut self, part: Part) {
        let right = part.left.saturating_add(part.width).min(self.width) as usize;
        let left = part.left as usize;
        if left >= right {
            return;
        }
        let row = self.width as usize * CHANNELS;
        let rows = self.pixels.chunks_exact_mut(row.max(1)).skip(part.top as usize).take(part.height as usize);
        for row in rows {
            for pixel in row[left * CHANNELS..right * CHANNELS].chunks_exact_mut(CHANNELS) {
                pixel.copy_from_slice(&COVER);
            }
        }
    }

    /// How it differs from another one; `None` if they are not of one size.
    pub fn against(&self, other: &Picture) -> Option<Contrast> {
        if self.size() != other.size() {
            return None;
        }
        let mut contrast = Contrast { pixels: 0, of: self.count(), part: None };
        let (mut left, mut top, mut right, mut bottom) = (u32::MAX, u32::MAX, 0, 0);
        for (index, differs) in self.differing(other).enumerate() {
            if !differs {
                continue;
            }
            contrast.pixels += 1;
            // There are at most as many pixels as fit into the limit above.
            let (x, y) = (index as u32 % self.width, index as u32 / self.width);
            (left, top, right, bottom) = (left.min(x), top.min(y), right.max(x), bottom.max(y));
        }
        if contrast.pixels > 0 {
            contrast.part = Some(Part { left, top, width: right - left + 1, height: bottom - top + 1 });
        }
        Some(contrast)
    }

    /// A picture of how it differs from another one: what is the same is pale, what differs is red. `None` if they are not of one size.
    pub fn difference(&self, other: &Picture) -> Option<Picture> {
        if self.size() != other.size() {
            return None;
        }
        let pale = |channel: u8| 255 - ((255.0 - f64::from(channel)) * FADED) as u8;
        let mut pixels = Vec::with_capacity(self.pixels.len());
        for (pixel, differs) in self.pixels.chunks_exact(CHANNELS).zip(self.differing(other)) {
            match pixel {
                &[red, green, blue, _] if !differs => pixels.extend([pale(red), pale(green), pale(blue), 255]),
                _ => pixels.extend(MARK),
            }
        }
        Some(Picture { pixels, ..*self })
    }

    fn differing<'a>(&'a self, other: &'a Picture) -> impl Iterator<Item = bool> + 'a {
        let pairs = self.pixels.chunks_exact(CHANNELS).zip(other.pixels.chunks_exact(CHANNELS));
        pairs.map(|(one, two)| one != two && distance(one, two) > VISIBLE)
    }

    fn count(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }
}

fn widened<const N: usize>(bytes: &[u8], pixel: impl Fn(&[u8; N]) -> [u8; CHANNELS]) -> Vec<u8> {
    bytes.as_chunks::<N>().0.iter().flat_map(pixel).collect()
}

/// How far two colours are apart for an eye, 0 to 1: the weighted distance in YIQ of Kotsarenko and Ramos, "Measuring perceived color
/// difference using YIQ NTSC transmission color space in mobile applications" (2010). What shows through is taken as white.
fn distance(one: &[u8], two: &[u8]) -> f64 {
    let (&[r1, g1, b1, a1], &[r2, g2, b2, a2]) = (one, two) else {
        return 0.0;
    };
    let on_white = |channel: u8, alpha: u8| 255.0 + (f64::from(channel) - 255.0) * f64::from(alpha) / 255.0;
    let red = on_white(r1, a1) - on_white(r2, a2);
    let green = on_white(g1, a1) - on_white(g2, a2);
    let blue = on_white(b1, a1) - on_white(b2, a2);
    let y = red * 0.298_895_31 + green * 0.586_622_47 + blue * 0.114_482_23;
    let i = red * 0.595_977_99 - green * 0.274_171_6 - blue * 0.321_801_89;
    let q = red * 0.211_470_17 - green * 0.522_617_11 + blue * 0.311_146_94;
    // The largest sum that there is.
    const LARGEST_SUM: f64 = 35_215.0;
    ((0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q) / LARGEST_SUM).sqrt()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    fn plain(width: u32, height: u32, colour: [u8; 4]) -> Picture {
        Picture { width, height, pixels: colour.repeat((width * height) as usize) }
    }

    #[test]
    fn what_differs_is_counted_and_has_its_place() {
        let white = plain(20, 10, [255; 4]);
        let mut other = white.clone();
        assert_eq!(white.against(&other).unwrap(), Contrast { pixels: 0, of: 200, part: None });
        let part = Part { left: 3, top: 2, width: 4, height: 5 };
        other.cover(part);
        assert_eq!(white.against(&other).unwrap(), Contrast { pixels: 20, of: 200, part: Some(part) });
        assert!(Tolerance::Pixels(20).allows(&white.against(&other).unwrap()));
        assert!(!Tolerance::Pixels(19).allows(&white.against(&other).unwrap()));
        assert!(Tolerance::Share(0.1).allows(&white.against(&other).unwrap()));
        assert!(!Tolerance::Share(0.09).allows(&white.against(&other).unwrap()));
        assert_eq!(white.against(&plain(10, 20, [255; 4])), None);
        let drawn = white.difference(&other).unwrap();
        assert_eq!(drawn.pixels.chunks_exact(4).filter(|pixel| **pixel == MARK).count(), 20);
    }

    #[test]
    fn a_colour_that_no_eye_tells_apart_is_the_same() {
        let white = plain(2, 2, [255; 4]);
        assert_eq!(white.against(&plain(2, 2, [250, 252, 255, 255])).unwrap().pixels, 0);
        assert_eq!(white.against(&plain(2, 2, [255, 255, 255, 0])).unwrap().pixels, 0);
        assert_eq!(white.against(&plain(2, 2, [200, 255, 200, 255])).unwrap().pixels, 4);
        let (black, white) = ([0, 0, 0, 255], [255; 4]);
        assert!(distance(&black, &white) > 0.9 && distance(&black, &white) <= 1.0);
    }

    #[test]
    fn what_lies_outside_is_not_covered() {
        let white = plain(4, 4, [255; 4]);
        for part in [
            Part { left: 4, top: 0, width: 9, height: 9 },
            Part { left: 0, top: 4, width: 9, height: 9 },
            Part { left: 1, top: 1, width: 0, height: 4 },
        ] {
            let mut covered = white.clone();
            covered.cover(part);
            assert_eq!(covered, white, "{part:?}");
        }
        let mut covered = white.clone();
        covered.cover(Part { left: 3, top: 3, width: u32::MAX, height: u32::MAX });
        assert_eq!(white.against(&covered).unwrap().pixels, 1);
    }

    #[test]
    fn what_is_no_picture_is_said() {
        for bytes in [&b""[..], b"GIF89a", b"\x89PNG\r\n\x1a\n"] {
            assert!(Picture::decode(bytes).is_err());
        }
        let whole = plain(30, 30, [1, 2, 3, 255]).encode().unwrap();
        assert!(Picture::decode(&whole[..whole.len() / 2]).is_err());
        assert!(plain(0, 0, [0; 4]).encode().is_err());
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let mut png = plain(3, 3, [9; 4]).encode().unwrap();
            let _ = Picture::decode(&bytes);
            png.splice(8..8, bytes);
            let _ = Picture::decode(&png);
        }

        #[test]
        fn a_picture_comes_back_as_it_was(width in 1_u32..9, height in 1_u32..9, bytes in proptest::collection::vec(any::<u8>(), 256..257)) {
            let pixels = bytes[..(width * height * 4) as usize].to_vec();
            let picture = Picture { width, height, pixels };
            prop_assert_eq!(Picture::decode(&picture.encode().unwrap()).unwrap(), picture);
        }
    }
}
