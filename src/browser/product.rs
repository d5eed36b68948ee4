//! The name of a browser, as people are told.

/// `Chromium 156 (headless shell)` of the brand and what the protocol calls the product.
pub(super) fn name(brand: &str, product: &str) -> String {
    let major = version(product).split('.').next().unwrap_or_default();
    let shell = if is_headless_shell(product) { " (headless shell)" } else { "" };
    format!("{brand} {major}{shell}")
}

/// `156.0.8078.73` of `HeadlessChrome/156.0.8078.73`.
pub(super) fn version(product: &str) -> &str {
    product.split_once('/').map_or(product, |(_, version)| version)
}

/// Only the shell still tells by its name that it has no windows.
pub(super) fn is_headless_shell(product: &str) -> bool {
    product.starts_with("Headless")
}

/// The brand by the product alone, for a browser whose program is not known.
pub(super) fn brand(product: &str) -> &'static str {
    if product.starts_with("Edg") || product.starts_with("HeadlessEdg") { "Edge" } else { "Chrome" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(name("Chromium", "HeadlessChrome/156.0.8078.73"), "Chromium 156 (headless shell)");
        assert_eq!(name("Chrome", "Chrome/156.0.8078.73"), "Chrome 156");
        assert_eq!(version("Chrome/156.0.8078.73"), "156.0.8078.73");
        assert_eq!(brand("Edg/130.0.1.2"), "Edge");
    }
}
