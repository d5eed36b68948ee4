//! Frames of the same and of other processes.

use playscript::page::Until;

use crate::support::{open, run, secs};

#[test]
fn text_of_frames_at_any_depth_and_of_any_origin() {
    run(async {
        let (_tabs, page, server) = open("<p>start").await;
        server.page("/deep", "<p>deep");
        server.page("/mid", &format!("<p>mid<iframe src='{}'></iframe>", server.url("/deep")));
        server.page(
            "/top",
            &format!("<p>top<iframe src='{}'></iframe><iframe srcdoc='<p>same'></iframe>", server.other("/mid")),
        );
        page.open(&server.url("/top"), Until::Load, secs(10)).await.unwrap();
        let text = page.text(secs(5)).await.unwrap();
        let mut parts: Vec<&str> = text.split("\n\n").collect();
        assert_eq!(parts[0], "top");
        parts.sort_unstable();
        assert_eq!(parts, ["deep", "mid", "same", "top"]);
        // Frames that went are not read any more.
        server.page("/plain", "<p>plain");
        page.open(&server.url("/plain"), Until::Load, secs(10)).await.unwrap();
        assert_eq!(page.text(secs(5)).await.unwrap(), "plain");
    });
}
