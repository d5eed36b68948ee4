//! `Accessibility`: the computed accessibility tree.

use std::borrow::Cow;
use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize as DeriveDeserialize, Serialize};

use super::Command;

/// The whole tree of one frame. Read the answer with [`Tree`], which borrows from the message.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GetFullAxTree<'a> {
    /// The frame; the session's own when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame_id: Option<&'a str>,
}

impl Command for GetFullAxTree<'_> {
    const METHOD: &'static str = "Accessibility.getFullAXTree";
    type Reply = IgnoredAny;
}

/// The answer of [`GetFullAxTree`].
#[derive(Debug, DeriveDeserialize)]
pub struct Tree<'a> {
    /// Every node, each with the ids of its children.
    #[serde(borrow)]
    pub nodes: Vec<Node<'a>>,
}

/// One node of the tree.
#[derive(Debug, DeriveDeserialize)]
#[serde(rename_all = "camelCase")]
pub struct Node<'a> {
    /// The id within this answer.
    #[serde(borrow)]
    pub node_id: Cow<'a, str>,
    /// Whether assistive technology passes it over.
    pub ignored: bool,
    /// The role.
    #[serde(borrow, default)]
    pub role: Option<Value<'a>>,
    /// The computed name.
    #[serde(borrow, default)]
    pub name: Option<Value<'a>>,
    /// The computed description.
    #[serde(borrow, default)]
    pub description: Option<Value<'a>>,
    /// What a field holds.
    #[serde(borrow, default)]
    pub value: Option<Value<'a>>,
    /// States and other properties.
    #[serde(borrow, default)]
    pub properties: Vec<Property<'a>>,
    /// The children's ids, in order.
    #[serde(borrow, default)]
    pub child_ids: Vec<Text<'a>>,
    /// The DOM node behind it.
    #[serde(rename = "backendDOMNodeId", default)]
    pub backend_node_id: Option<i64>,
}

/// A string that borrows from the message where it can, in places where serde would copy a `Cow`.
#[derive(Debug, DeriveDeserialize)]
#[serde(transparent)]
pub struct Text<'a>(#[serde(borrow)] pub Cow<'a, str>);

/// A named property.
#[derive(Debug, DeriveDeserialize)]
pub struct Property<'a> {
    /// Such as `checked`.
    #[serde(borrow)]
    pub name: Cow<'a, str>,
    /// Its value.
    #[serde(borrow)]
    pub value: Value<'a>,
}

/// A value with its type left out: the scalar says it all.
#[derive(Debug, DeriveDeserialize)]
pub struct Value<'a> {
    /// The scalar; `None` for lists of related nodes and for nothing.
    #[serde(borrow, default)]
    pub value: Scalar<'a>,
}

/// What a [`Value`] holds.
#[derive(Debug, Default, Clone, PartialEq)]
pub enum Scalar<'a> {
    /// Nothing, or something that is not a scalar.
    #[default]
    None,
    /// A text.
    Text(Cow<'a, str>),
    /// A truth value.
    Bool(bool),
    /// A number.
    Number(f64),
}

impl<'de: 'a, 'a> Deserialize<'de> for Scalar<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor)
    }
}

/// An untagged enum would buffer each value first; this reads it in place.
struct ScalarVisitor;

impl<'de> Visitor<'de> for ScalarVisitor {
    type Value = Scalar<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of an accessibility node")
    }
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Scalar::Text(Cow::Borrowed(text)))
    }
    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Scalar::Text(Cow::Owned(text.to_owned())))
    }
    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Scalar::Bool(value))
    }
    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Scalar::Number(value as f64))
    }
    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(Scalar::Number(value as f64))
    }
    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(Scalar::Number(value))
    }
    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Scalar::None)
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        // A number with a point comes as a map that holds its spelling.
        let json = serde_json::Value::deserialize(MapAccessDeserializer::new(map))?;
        Ok(json.as_f64().map_or(Scalar::None, Scalar::Number))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Scalar::None)
    }
}
