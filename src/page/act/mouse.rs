//! The mouse.

use tokio::time::Instant;

use crate::cdp::input::{DispatchMouseEvent, MouseButton, MouseEventKind};
use crate::cdp::{Empty, Pending, Session};
use crate::page::core::Core;
use crate::page::error::PageError;

/// Where and how to press.
#[derive(Debug, Clone, Copy)]
pub(super) struct Press {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) button: MouseButton,
    pub(super) times: u32,
    pub(super) modifiers: u8,
}

/// The button's bit among those that are down.
fn bit(button: MouseButton) -> u8 {
    match button {
        MouseButton::None => 0,
        MouseButton::Left => 1,
        MouseButton::Right => 2,
        MouseButton::Middle => 4,
    }
}

fn event(kind: MouseEventKind, x: f64, y: f64, modifiers: u8) -> DispatchMouseEvent {
    DispatchMouseEvent {
        kind,
        x,
        y,
        modifiers,
        button: MouseButton::None,
        buttons: 0,
        click_count: 0,
        delta_x: None,
        delta_y: None,
    }
}

/// Moves there. A move alone is answered with the next frame only; a press that follows makes the page see it at once.
pub(super) fn move_to(session: &Session, x: f64, y: f64, modifiers: u8) -> Pending<Empty> {
    session.submit(&event(MouseEventKind::MouseMoved, x, y, modifiers))
}

/// A button that is down. It comes up when this is dropped: an act may fail, run out of time or be given up in any place.
struct Down<'a> {
    session: &'a Session,
    up: Option<DispatchMouseEvent>,
}

impl Down<'_> {
    fn release(&mut self) -> Option<Pending<Empty>> {
        self.up.take().map(|up| self.session.submit(&up))
    }
}

impl Drop for Down<'_> {
    fn drop(&mut self) {
        drop(self.release());
    }
}

/// Moves there and presses, and returns when the page has handled the last release.
///
/// Each release waits until the page has handled the press: the browser drops input that comes while a dialog is open, and a press may
/// open one, by itself or since it takes the focus from a field.
pub(super) async fn press(core: &Core, session: &Session, press: &Press, deadline: Instant) -> Result<(), PageError> {
    let Press { x, y, button, modifiers, .. } = *press;
    session.send(&event(MouseEventKind::MouseMoved, x, y, modifiers));
    for time in 1..=press.times {
        let down = event(MouseEventKind::MousePressed, x, y, modifiers);
        let pressed = session.submit(&DispatchMouseEvent { button, buttons: bit(button), click_count: time, ..down });
        let up =
            DispatchMouseEvent { button, click_count: time, ..event(MouseEventKind::MouseReleased, x, y, modifiers) };
        let mut down = Down { session, up: Some(up) };
        match core.answer(pressed.await_by(deadline)).await {
            Err(error) if !error.is_passing() => return Err(error),
            // Its document is on its way out; the button comes up all the same.
            _ => {}
        }
        if let Some(released) = down.release() {
            core.answer(released.await_by(deadline)).await?;
        }
    }
    Ok(())
}

/// Moves there and presses the left button, which stays down.
pub(super) fn down(session: &Session, (x, y): (f64, f64), modifiers: u8) -> Pending<Empty> {
    session.send(&event(MouseEventKind::MouseMoved, x, y, modifiers));
    let down = event(MouseEventKind::MousePressed, x, y, modifiers);
    session.submit(&DispatchMouseEvent {
        button: MouseButton::Left,
        buttons: bit(MouseButton::Left),
        click_count: 1,
        ..down
    })
}

/// Moves there with the left button down.
pub(super) fn drag_to(session: &Session, (x, y): (f64, f64), modifiers: u8) -> Pending<Empty> {
    let moved = event(MouseEventKind::MouseMoved, x, y, modifiers);
    session.submit(&DispatchMouseEvent { button: MouseButton::Left, buttons: bit(MouseButton::Left), ..moved })
}

/// Lets the left button up.
pub(super) fn up(session: &Session, (x, y): (f64, f64), modifiers: u8) -> Pending<Empty> {
    let up = event(MouseEventKind::MouseReleased, x, y, modifiers);
    session.submit(&DispatchMouseEvent { button: MouseButton::Left, click_count: 1, ..up })
}

/// Turns the wheel there.
pub(super) fn wheel(
    session: &Session,
    (x, y): (f64, f64),
    (delta_x, delta_y): (f64, f64),
    modifiers: u8,
) -> Pending<Empty> {
    session.submit(&DispatchMouseEvent {
        delta_x: Some(delta_x),
        delta_y: Some(delta_y),
        ..event(MouseEventKind::MouseWheel, x, y, modifiers)
    })
}
