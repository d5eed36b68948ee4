//! What a person does to a page.

pub(super) mod check;
pub(super) mod click;
pub(super) mod double_click;
pub(super) mod drag;
pub(super) mod focus;
pub(super) mod hover;
pub(super) mod key_down;
pub(super) mod key_up;
pub(super) mod press;
pub(super) mod press_with_hold;
pub(super) mod right_click;
pub(super) mod scroll;
pub(super) mod select;
pub(super) mod type_text;
pub(super) mod uncheck;
pub(super) mod upload;

mod files;
