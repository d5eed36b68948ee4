//! `browser:`: what pages are told of their reader and the device.

use crate::common::Project;

#[test]
fn pages_see_the_browser_that_the_scenario_describes() {
    let project = Project::new();
    project.write(
        "a.yaml",
        r#"
browser:
  viewport: 390x844
  device-scale: 3
  locale: de_DE
  time-zone: Asia/Kolkata
  colour-scheme: dark
  reduced-motion: false
  touch: true
  user-agent: Pocket/1.0
  permissions: [camera]
  geolocation: { latitude: 59.91, longitude: 10.75 }
pages:
  /: &page |
    <!doctype html><title>Seen</title><p role=status id=out></p><button onclick="window.open('/two')">Open</button>
    <script>
      const like = query => matchMedia(query).matches;
      const seen = [innerWidth, devicePixelRatio, navigator.language, (1234.5).toLocaleString(), new Date(0).getHours(),
        like('(prefers-color-scheme: dark)'), like('(prefers-reduced-motion: reduce)'), navigator.maxTouchPoints, 'ontouchstart' in window,
        navigator.userAgent];
      navigator.permissions.query({ name: 'camera' }).then(camera => navigator.geolocation.getCurrentPosition(
        place => { out.textContent = [...seen, camera.state, place.coords.latitude].join(' ') },
        error => { out.textContent = [...seen, error.message].join(' ') }));
    </script>
  /two: *page
steps:
  - open: /
  - assert-tree-contains: 'status "390 3 de-DE 1.234,5 5 true false 5 true Pocket/1.0 granted 59.91"'
  - { click: Open, opens: two }
  - { assert-tree-contains: 'status /de-DE 1.234,5 5 true false 5 true Pocket\/1.0 granted 59.91/', tab: two }
"#,
    );
    project.run(&["run", "a.yaml"]).expect_code(0);
}

#[test]
fn a_device_without_a_network_still_meets_mocks() {
    let project = Project::new();
    project.write(
        "a.yaml",
        r#"
browser: { offline: true }
steps:
  - mock: { url: "http://app.test/", body: "<title>Saved</title><p role=status id=s></p><script>s.textContent = navigator.onLine</script>", headers: { Content-Type: text/html } }
  - open: http://app.test/
  - assert-tree-contains: status "false"
  - { open: "http://app.test/more", fails: ERR_INTERNET_DISCONNECTED }
"#,
    );
    project.run(&["run", "a.yaml"]).expect_code(0);
}

#[test]
fn a_scenario_has_the_last_word_over_its_project() {
    let project = Project::new();
    project.write("playscript.yaml", "browser: { offline: true, touch: true, locale: de-DE }\n").write(
        "a.yaml",
        r#"
browser: { offline: false, touch: false }
pages:
  /: "<!doctype html><title>Net</title><p role=status id=s></p><script>s.textContent = [navigator.onLine, navigator.maxTouchPoints, navigator.language].join(' ')</script>"
steps:
  - open: /
  - assert-tree-contains: status "true 0 de-DE"
"#,
    );
    project.run(&["run", "a.yaml"]).expect_code(0);
}

#[test]
fn mistakes_are_told_where_they_stand() {
    let project = Project::new();
    project.write(
        "a.yaml",
        r#"
browser:
  device-scale: 0
  locale: the Queen's English
  time-zone: half past nine
  colour-scheme: drak
  reduced-motion: maybe
  permissions: [geolocatoin]
  geolocation: { latitude: 100 }
  usr-agent: x
steps: [{ open: / }]
"#,
    );
    project.run(&["check", "a.yaml"]).expect_code(2).expect_words(&[
        "`device-scale` is a number from 0.25 to 8",
        "this is not a locale",
        "this is not a time-zone",
        "did you mean `dark`?",
        "`reduced-motion` is true or false",
        "did you mean `geolocation`?",
        "`latitude` is a number from -90 to 90",
        "`longitude` is missing",
        "did you mean `user-agent`?",
    ]);
    // Only the browser knows all of them.
    project.write("a.yaml", "browser: { time-zone: Europe/Olso }\npages: { /: hi }\nsteps: [{ open: / }]\n");
    project
        .run(&["run", "a.yaml"])
        .expect_code(3)
        .expect_words(&["the browser knows no time zone `Europe/Olso`", "a.yaml:1:23"]);
}
