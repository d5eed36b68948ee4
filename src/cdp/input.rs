//! `Input`: the mouse, the wheel, the keyboard, and text that no key types.

use serde::Serialize;

use super::{Command, Empty};

/// What a mouse does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum MouseEventKind {
    /// A button goes down.
    MousePressed,
    /// A button comes up.
    MouseReleased,
    /// The pointer moves.
    MouseMoved,
    /// The wheel turns.
    MouseWheel,
}

/// A button of the mouse.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum MouseButton {
    /// No button.
    #[default]
    None,
    /// The left one.
    Left,
    /// The middle one, often the wheel.
    Middle,
    /// The right one.
    Right,
}

/// An event of the mouse. Places are CSS pixels of the tab's viewport.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DispatchMouseEvent {
    /// What it does.
    #[serde(rename = "type")]
    pub kind: MouseEventKind,
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
    /// Alt 1, Control 2, Meta 4, Shift 8.
    pub modifiers: u8,
    /// The button that goes down or comes up.
    pub button: MouseButton,
    /// The buttons that are down: left 1, right 2, middle 4.
    pub buttons: u8,
    /// 1 for a click, 2 for the second of a double click.
    pub click_count: u32,
    /// How far the wheel turns sideways. Both turns are wanted for a wheel, and no other event may have them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delta_x: Option<f64>,
    /// How far the wheel turns down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delta_y: Option<f64>,
}

impl Command for DispatchMouseEvent {
    const METHOD: &'static str = "Input.dispatchMouseEvent";
    type Reply = Empty;
}

/// What a key does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum KeyEventKind {
    /// Goes down and types its text.
    KeyDown,
    /// Goes down and types nothing.
    RawKeyDown,
    /// Comes up.
    KeyUp,
}

/// An event of the keyboard.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DispatchKeyEvent<'a> {
    /// What it does.
    #[serde(rename = "type")]
    pub kind: KeyEventKind,
    /// Alt 1, Control 2, Meta 4, Shift 8.
    pub modifiers: u8,
    /// The page's `key`.
    pub key: &'a str,
    /// The page's `code`.
    pub code: &'a str,
    /// The page's `keyCode`.
    pub windows_virtual_key_code: u32,
    /// The text that it types.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<&'a str>,
    /// The text without modifiers other than Shift.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unmodified_text: Option<&'a str>,
    /// 1 left, 2 right; the keypad is told by `is_keypad`.
    pub location: u32,
    /// A key of the numeric keypad.
    pub is_keypad: bool,
    /// Sent again because the key is held.
    pub auto_repeat: bool,
    /// Editing commands that the system would make of it.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub commands: &'a [&'a str],
}

impl Command for DispatchKeyEvent<'_> {
    const METHOD: &'static str = "Input.dispatchKeyEvent";
    type Reply = Empty;
}

/// Writes a text at the place of the caret, as an input method or a paste would, in place of what is selected.
#[derive(Debug, Serialize)]
pub struct InsertText<'a> {
    /// The text.
    pub text: &'a str,
}

impl Command for InsertText<'_> {
    const METHOD: &'static str = "Input.insertText";
    type Reply = Empty;
}

/// What a drag does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum DragEventKind {
    /// Comes over the page.
    DragEnter,
    /// Moves over it.
    DragOver,
    /// Is let go.
    Drop,
    /// Is given up.
    DragCancel,
}

/// An event of something that is dragged over a page from outside. Places are CSS pixels of the tab's viewport.
#[derive(Debug, Serialize)]
pub struct DispatchDragEvent<'a> {
    /// What it does.
    #[serde(rename = "type")]
    pub kind: DragEventKind,
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
    /// What is dragged.
    pub data: &'a DragData<'a>,
}

impl Command for DispatchDragEvent<'_> {
    const METHOD: &'static str = "Input.dispatchDragEvent";
    type Reply = Empty;
}

/// What is dragged.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DragData<'a> {
    /// Texts: none here.
    pub items: &'a [()],
    /// Absolute paths of files.
    pub files: &'a [String],
    /// What may be done with it: copy 1, link 2, move 16.
    pub drag_operations_mask: i32,
}

/// Gives up the drag that a press and moves have begun, if there is one.
#[derive(Debug, Serialize)]
pub struct CancelDragging {}

impl Command for CancelDragging {
    const METHOD: &'static str = "Input.cancelDragging";
    type Reply = Empty;
}
