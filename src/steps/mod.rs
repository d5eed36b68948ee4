//! The verbs: one file each, in the groups of the reference; and the stage that they act on.
//!
//! To add a verb is to add one file, one line in [`ALL`], and one scenario that shows it.

mod acting;
mod arguments;
mod around;
mod asserting;
mod elsewhere;
mod extras;
mod failure;
mod flow;
mod given;
mod going;
mod looking;
mod meter;
mod questions;
mod reference;
mod schema;
mod spec;
mod stage;
mod step;
mod tabs;
mod troubles;
mod until;
mod unused;
mod waiting;
mod whenever;
mod which_tab;

pub use arguments::Arguments;
pub use extras::{FIELDS as EXTRAS, beside};
pub use failure::{Cause, Failure};
pub use flow::value::Value;
pub use looking::read::MAX_CHARS;
pub use meter::Meter;
pub use reference::{head_reference, keys_reference, reference};
pub use schema::{keys_schema, schema};
pub use spec::{Field, Group, Kind, Spec};
pub use stage::{AppUnderTest, Note, Props, Stage, User, Whenever};
pub use step::{Action, At, Extras, Step, compile};

use std::sync::LazyLock;

use crate::scenario::Vocabulary;

/// Every verb, in the order of the reference. `check`, the "did you mean" list and the reference come from here.
pub static ALL: &[&Spec] = &[
    &going::open::SPEC,
    &going::back::SPEC,
    &going::forward::SPEC,
    &going::reload::SPEC,
    &looking::read::SPEC,
    &looking::look::SPEC,
    &looking::text::SPEC,
    &looking::console::SPEC,
    &acting::click::SPEC,
    &acting::double_click::SPEC,
    &acting::right_click::SPEC,
    &acting::hover::SPEC,
    &acting::drag::SPEC,
    &acting::type_text::SPEC,
    &acting::press::SPEC,
    &acting::press_with_hold::SPEC,
    &acting::key_down::SPEC,
    &acting::key_up::SPEC,
    &acting::select::SPEC,
    &acting::check::SPEC,
    &acting::uncheck::SPEC,
    &acting::focus::SPEC,
    &acting::scroll::SPEC,
    &acting::upload::SPEC,
    &tabs::list::SPEC,
    &tabs::tab_new::SPEC,
    &tabs::tab_select::SPEC,
    &tabs::tab_close::SPEC,
    &around::dialog::SPEC,
    &around::script::SPEC,
    &around::state::SPEC,
    &around::resize::SPEC,
    &around::mock::SPEC,
    &around::network::SPEC,
    &waiting::wait_for::SPEC,
    &waiting::wait::SPEC,
    &asserting::tree_contains::SPEC,
    &asserting::tree_lacks::SPEC,
    &asserting::tree_equals::SPEC,
    &asserting::url::SPEC,
    &asserting::title::SPEC,
    &asserting::text::SPEC,
    &asserting::value::SPEC,
    &asserting::count::SPEC,
    &asserting::focus::SPEC,
    &asserting::names::SPEC,
    &asserting::assert::SPEC,
    &asserting::requests::SPEC,
    &asserting::download::SPEC,
    &asserting::console::SPEC,
    &asserting::snapshot::SPEC,
    &flow::set::SPEC,
    &flow::if_then::SPEC,
    &flow::for_each::SPEC,
    &flow::repeat::SPEC,
    &flow::try_each::SPEC,
    &flow::group::SPEC,
    &flow::retry::SPEC,
    &flow::use_file::SPEC,
];

/// The verb of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Spec> {
    ALL.iter().copied().find(|spec| spec.name == name)
}

/// What the parser of scenarios must know to tell a verb from a key beside it.
pub static VOCABULARY: LazyLock<Vocabulary<'static>> = LazyLock::new(|| Vocabulary {
    verbs: ALL.iter().map(|spec| spec.name).collect::<Vec<_>>().leak(),
    extras: EXTRAS.iter().map(|field| field.name).chain(extras::all_beside()).collect::<Vec<_>>().leak(),
    elsewhere: elsewhere::VERBS.iter().copied().filter(|(_, verb)| find(verb).is_some()).collect::<Vec<_>>().leak(),
    notes: elsewhere::NOTES,
    fields: |verb| find(verb).map_or([].as_slice(), |spec| spec.fields).iter().map(|field| field.name).collect(),
});
