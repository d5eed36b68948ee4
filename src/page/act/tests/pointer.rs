//! Hovering and scrolling.

use super::stage::{Stage, after, at, css, soon};
use crate::page::act::Direction;

#[tokio::test(flavor = "multi_thread")]
async fn hovering_shows_what_hovering_shows() {
    let stage = Stage::with(
        "<style>#m ul{display:none}#m:hover ul{display:block}</style><div id=m style='width:200px' onmouseenter=\"log('enter ' + event.isTrusted)\">Menu<ul><li><a id=x href=#x onclick=\"log('chosen')\">One</a></li></ul></div>\
         <button id=off disabled>Off</button><button id=u style='position:absolute;left:300px;top:300px'>U</button><div style='position:absolute;left:280px;top:280px;width:200px;height:100px;background:#ccc'>lid</div>",
    )
    .await;
    stage.page.hover(&css("#m"), soon()).await.unwrap();
    assert_eq!(stage.log().await, "enter true");
    stage.click("#x").await;
    assert_eq!(stage.log().await, "chosen");
    stage.page.hover(&css("#off"), soon()).await.unwrap();
    stage.page.hover(&at(600.0, 400.0), soon()).await.unwrap();
    let error = stage.page.hover(&css("#u"), after(500)).await.unwrap_err();
    assert!(error.to_string().contains("cannot be hovered: it is covered by generic \"lid\""), "{error}");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_wheel_scrolls_as_far_as_it_is_told() {
    let stage = Stage::new(&[
        (
            "/",
            "<div id=box style='height:200px;width:300px;overflow:auto'><div style='height:900px;width:2000px'>in</div></div><div style='height:3000px'></div>\
             <script>onwheel = e => log(e.isTrusted + ' ' + e.deltaX + ' ' + e.deltaY)</script>",
        ),
        ("/short", "<p>short</p>"),
        ("/taken", "<div style='height:3000px'></div><script>addEventListener('wheel', e => { e.preventDefault(); log('zoom') }, { passive: false })</script>"),
        ("/framed", "<div style='height:200px'></div><iframe src=OTHER/tall width=800 height=400></iframe><div style='height:3000px'></div>"),
        ("/tall", "<div style='height:2000px'>tall</div>"),
        ("/around", "<div style='height:200px'></div><iframe src=OTHER/short width=800 height=400></iframe><div style='height:3000px'></div>"),
    ])
    .await;
    stage.open("/").await;
    stage.page.scroll_by(Direction::Down, 600.0, None, soon()).await.unwrap();
    assert_eq!(stage.ask::<f64>("scrollY").await, 600.0);
    assert_eq!(stage.log().await, "true 0 600");
    stage.page.scroll_by(Direction::Up, 600.0, None, soon()).await.unwrap();
    assert_eq!(stage.ask::<f64>("scrollY").await, 0.0);
    stage.page.scroll_by(Direction::Up, 600.0, None, soon()).await.unwrap();
    let inner = css("#box");
    stage.page.scroll_by(Direction::Down, 150.0, Some(&inner), soon()).await.unwrap();
    stage.page.scroll_by(Direction::Right, 250.0, Some(&inner), soon()).await.unwrap();
    assert_eq!(
        stage
            .ask::<(f64, f64, f64)>(
                "[scrollY, document.getElementById('box').scrollTop, document.getElementById('box').scrollLeft]"
            )
            .await,
        (0.0, 150.0, 250.0)
    );
    stage.page.scroll_by(Direction::Left, 50.0, Some(&inner), soon()).await.unwrap();
    assert_eq!(stage.ask::<f64>("document.getElementById('box').scrollLeft").await, 200.0);
    stage.open("/short").await;
    stage.page.scroll_by(Direction::Down, 600.0, None, after(5000)).await.unwrap();
    stage.open("/taken").await;
    stage.page.scroll_by(Direction::Down, 600.0, None, after(5000)).await.unwrap();
    assert_eq!(stage.log().await, "zoom");
    assert_eq!(stage.ask::<f64>("scrollY").await, 0.0);
    stage.open("/framed").await;
    stage.ask_frame::<f64>("/tall", "scrollY").await;
    stage.page.scroll_by(Direction::Down, 300.0, None, soon()).await.unwrap();
    assert_eq!(stage.ask_frame::<f64>("/tall", "scrollY").await, 300.0);
    stage.open("/around").await;
    stage.ask_frame::<f64>("/short", "scrollY").await;
    stage.page.scroll_by(Direction::Down, 300.0, None, after(5000)).await.unwrap();
    assert_eq!(stage.ask::<f64>("scrollY").await, 300.0);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn scrolling_to_an_element_clears_it_of_headers() {
    let stage = Stage::with(
        "<div style='position:sticky;top:0;height:90px;background:#cde'>Head</div><div style='height:2500px'></div><p id=t>Here</p><div style='height:2500px'></div>",
    )
    .await;
    stage.page.scroll_to(&css("#t"), soon()).await.unwrap();
    assert!(
        stage
            .ask::<bool>(
                "(r => r.top >= 90 && r.bottom <= innerHeight)(document.getElementById('t').getBoundingClientRect())"
            )
            .await
    );
    stage.ask::<()>("void scrollTo(0, document.getElementById('t').offsetTop - 40)").await;
    stage.page.scroll_to(&css("#t"), soon()).await.unwrap();
    assert!(
        stage
            .ask::<bool>(
                "(r => r.top >= 90 && r.bottom <= innerHeight)(document.getElementById('t').getBoundingClientRect())"
            )
            .await
    );
    stage.end().await;
}
