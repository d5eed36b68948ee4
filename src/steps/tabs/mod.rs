//! Tabs of the browser context, listed by id, given name and origin, never by the page's own title.

pub(super) mod list;
pub(super) mod tab_close;
pub(super) mod tab_new;
pub(super) mod tab_select;
