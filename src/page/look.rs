//! Pictures of a page.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tokio::time::Instant;

use super::element::Element;
use super::error::PageError;
use super::tab::Page;
use crate::cdp::{dom, page as protocol};

/// What to take a picture of, and how.
#[derive(Debug, Clone, Default)]
pub struct Look {
    /// The part.
    pub of: Area,
    /// The format.
    pub format: Format,
}

/// A part of a page.
#[derive(Debug, Clone, Default)]
pub enum Area {
    /// What shows.
    #[default]
    Viewport,
    /// The whole document.
    Full,
    /// An element, which is scrolled into view.
    Element(Element),
    /// A part of the viewport: x, y, width, height in CSS pixels.
    Region(f64, f64, f64, f64),
}

/// The format of a picture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Format {
    /// Exact.
    #[default]
    Png,
    /// Small, for photographs; quality 0 to 100.
    Jpeg(u8),
    /// Small; quality 0 to 100.
    Webp(u8),
}

/// Quality of JPEG and WebP: text stays sharp.
const QUALITY: u8 = 90;

impl Format {
    /// The format that a file's name asks for: `.png`, `.jpg`, `.jpeg` or `.webp`.
    pub fn of_path(path: &Path) -> Option<Format> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "png" => Some(Format::Png),
            "jpg" | "jpeg" => Some(Format::Jpeg(QUALITY)),
            "webp" => Some(Format::Webp(QUALITY)),
            _ => None,
        }
    }
}

/// The largest side of a picture; a renderer gives up on textures beyond it.
const LARGEST_SIDE: f64 = 16_384.0;

impl Page {
    /// Takes a picture, as the bytes of its file. What acts set off is waited for.
    pub async fn look(&self, look: &Look, deadline: Instant) -> Result<Vec<u8>, PageError> {
        self.settle(deadline).await?;
        let clip = self.clip_of(&look.of, deadline).await?;
        self.capture(look, clip, deadline).await
    }

    /// The part of the document that is wanted; an element is scrolled into view.
    pub(super) async fn clip_of(&self, area: &Area, deadline: Instant) -> Result<protocol::Clip, PageError> {
        match area {
            Area::Viewport => {
                let view = self.metrics(deadline).await?.css_visual_viewport;
                clip(view.page_x, view.page_y, view.client_width, view.client_height)
            }
            Area::Full => {
                let size = self.metrics(deadline).await?.css_content_size;
                clip(0.0, 0.0, size.width.min(LARGEST_SIDE), size.height.min(LARGEST_SIDE))
            }
            Area::Element(element) => {
                // Through every scroller and frame around it.
                let scroll = dom::ScrollIntoViewIfNeeded { backend_node_id: element.backend_node_id };
                match self.core().call(element.session(), &scroll, deadline).await {
                    Err(PageError::Protocol(_)) => return Err(no_box(element)),
                    other => drop(other?),
                }
                self.box_of(element, deadline).await
            }
            Area::Region(x, y, width, height) => {
                let view = self.metrics(deadline).await?.css_visual_viewport;
                clip(x + view.page_x, y + view.page_y, *width, *height)
            }
        }
    }

    /// Takes the picture of what was asked for, which stands there.
    pub(super) async fn capture(
        &self,
        look: &Look,
        clip: protocol::Clip,
        deadline: Instant,
    ) -> Result<Vec<u8>, PageError> {
        let (format, quality) = match look.format {
            Format::Png => ("png", None),
            Format::Jpeg(quality) => ("jpeg", Some(quality.min(100))),
            Format::Webp(quality) => ("webp", Some(quality.min(100))),
        };
        let capture = protocol::CaptureScreenshot {
            format,
            quality,
            // Only a clip that lies outside of what shows lays the page out anew, which is slow and may make it flicker.
            capture_beyond_viewport: matches!(look.of, Area::Full | Area::Element(_)),
            clip: (!matches!(look.of, Area::Viewport)).then_some(clip),
            optimize_for_speed: false,
        };
        let picture = self.core().call(&self.core().session, &capture, deadline).await?;
        STANDARD
            .decode(picture.data)
            .map_err(|error| PageError::Protocol(format!("the picture cannot be read: {error}")))
    }

    async fn metrics(&self, deadline: Instant) -> Result<protocol::LayoutMetrics, PageError> {
        self.core().call(&self.core().session, &protocol::GetLayoutMetrics {}, deadline).await
    }

    /// The box of an element in the document of the page, wherever that is scrolled to.
    pub(super) async fn box_of(&self, element: &Element, deadline: Instant) -> Result<protocol::Clip, PageError> {
        let model = dom::GetBoxModel { backend_node_id: element.backend_node_id };
        let model = match self.core().call(element.session(), &model, deadline).await {
            Err(PageError::Protocol(_)) => return Err(no_box(element)),
            other => other?.model,
        };
        let transform = self.frame_transform(element, deadline).await?;
        let corners: Vec<(f64, f64)> = model
            .border
            .chunks_exact(2)
            .map(|corner| match corner {
                [x, y] => transform.apply(*x, *y),
                _ => (0.0, 0.0),
            })
            .collect();
        let smallest = |of: fn(&(f64, f64)) -> f64| corners.iter().map(of).fold(f64::INFINITY, f64::min);
        let largest = |of: fn(&(f64, f64)) -> f64| corners.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
        let (left, top) = (smallest(|corner| corner.0), smallest(|corner| corner.1));
        let (right, bottom) = (largest(|corner| corner.0), largest(|corner| corner.1));
        let view = self.metrics(deadline).await?.css_visual_viewport;
        clip(left + view.page_x, top + view.page_y, right - left, bottom - top).map_err(|_| no_box(element))
    }
}

fn no_box(element: &Element) -> PageError {
    PageError::NoPicture { reason: format!("{} has no box", element.description) }
}

fn clip(x: f64, y: f64, width: f64, height: f64) -> Result<protocol::Clip, PageError> {
    // Half a pixel would blur every edge.
    let (left, top) = (x.floor(), y.floor());
    let (width, height) = ((x + width).ceil() - left, (y + height).ceil() - top);
    if !(width >= 1.0 && height >= 1.0 && left.is_finite() && top.is_finite()) {
        return Err(PageError::NoPicture { reason: "it has no size".to_owned() });
    }
    Ok(protocol::Clip { x: left, y: top, width, height, scale: 1.0 })
}
