//! `Runtime`: JavaScript worlds, calls into them, and what pages log.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{Command, Empty};

/// Starts the events.
#[derive(Debug, Serialize)]
pub struct Enable {}

impl Command for Enable {
    const METHOD: &'static str = "Runtime.enable";
    type Reply = Empty;
}

/// A function that a world may call to tell something.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AddBinding<'a> {
    /// Its name.
    pub name: &'a str,
    /// The world.
    pub execution_context_name: &'a str,
}

impl Command for AddBinding<'_> {
    const METHOD: &'static str = "Runtime.addBinding";
    type Reply = Empty;
}

/// Runs an expression.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Evaluate<'a> {
    /// The expression.
    pub expression: &'a str,
    /// The world; the page's own in the main frame when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_id: Option<i64>,
    /// Whether the result is sent and not its handle.
    pub return_by_value: bool,
    /// Whether a promise is waited for.
    pub await_promise: bool,
}

impl Command for Evaluate<'_> {
    const METHOD: &'static str = "Runtime.evaluate";
    type Reply = Evaluated;
}

/// Reads a script without running it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CompileScript<'a> {
    /// The script.
    pub expression: &'a str,
    /// Its name in messages.
    #[serde(rename = "sourceURL")]
    pub source_url: &'a str,
    /// Whether it is kept, to be run later.
    pub persist_script: bool,
    /// The world.
    pub execution_context_id: i64,
}

impl Command for CompileScript<'_> {
    const METHOD: &'static str = "Runtime.compileScript";
    type Reply = Compiled;
}

/// The answer of [`CompileScript`].
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Compiled {
    /// Why it can't be read.
    #[serde(default)]
    pub exception_details: Option<ExceptionDetails>,
}

/// Calls a function on an object.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CallFunctionOn<'a> {
    /// Its source text.
    pub function_declaration: &'a str,
    /// `this`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object_id: Option<&'a str>,
    /// The world, where there is no object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution_context_id: Option<i64>,
    /// What it is given.
    pub arguments: &'a [Argument<'a>],
    /// Whether the result is sent and not its handle.
    pub return_by_value: bool,
    /// Whether a promise is waited for.
    pub await_promise: bool,
}

impl Command for CallFunctionOn<'_> {
    const METHOD: &'static str = "Runtime.callFunctionOn";
    type Reply = Evaluated;
}

/// One argument of a call.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Argument<'a> {
    /// A value.
    Value(Cow<'a, serde_json::Value>),
    /// An object of the same world.
    ObjectId(Cow<'a, str>),
}

/// The answer of [`Evaluate`] and [`CallFunctionOn`].
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Evaluated {
    /// What came out.
    pub result: RemoteObject,
    /// What was thrown.
    #[serde(default)]
    pub exception_details: Option<ExceptionDetails>,
}

/// A JavaScript value, or its handle.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RemoteObject {
    /// Such as `object`.
    #[serde(rename = "type", default)]
    pub kind: String,
    /// Such as `node`.
    #[serde(default)]
    pub subtype: Option<String>,
    /// Such as `HTMLButtonElement`.
    #[serde(default)]
    pub class_name: Option<String>,
    /// The value, where it was sent.
    #[serde(default)]
    pub value: Option<Box<RawValue>>,
    /// `NaN`, `-0`, `1n` …
    #[serde(default)]
    pub unserializable_value: Option<String>,
    /// How it reads.
    #[serde(default)]
    pub description: Option<String>,
    /// The handle.
    #[serde(default)]
    pub object_id: Option<String>,
    /// The first few properties, of logged objects.
    #[serde(default)]
    pub preview: Option<Preview>,
}

/// The first few properties of an object.
#[derive(Debug, Deserialize)]
pub struct Preview {
    /// Such as `array`.
    #[serde(default)]
    pub subtype: Option<String>,
    /// Whether some were left out.
    pub overflow: bool,
    /// The properties.
    pub properties: Vec<PreviewProperty>,
}

/// One property in a [`Preview`].
#[derive(Debug, Deserialize)]
pub struct PreviewProperty {
    /// Its name.
    pub name: String,
    /// Such as `string`.
    #[serde(rename = "type")]
    pub kind: String,
    /// How its value reads.
    #[serde(default)]
    pub value: Option<String>,
}

/// An exception.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExceptionDetails {
    /// Such as `Uncaught`.
    pub text: String,
    /// Counted from 0.
    pub line_number: u32,
    /// The script's address.
    #[serde(default)]
    pub url: Option<String>,
    /// What was thrown.
    #[serde(default)]
    pub exception: Option<RemoteObject>,
    /// Where.
    #[serde(default)]
    pub stack_trace: Option<StackTrace>,
}

/// Calls, innermost first.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StackTrace {
    /// The calls.
    #[serde(default)]
    pub call_frames: Vec<CallFrame>,
}

/// One call.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallFrame {
    /// The script's address.
    pub url: String,
    /// Counted from 0.
    pub line_number: u32,
}

/// The own properties of an object.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GetProperties<'a> {
    /// The object.
    pub object_id: &'a str,
    /// Whether those of its prototypes are left out.
    pub own_properties: bool,
}

impl Command for GetProperties<'_> {
    const METHOD: &'static str = "Runtime.getProperties";
    type Reply = Properties;
}

/// The answer of [`GetProperties`].
#[derive(Debug, Deserialize)]
pub struct Properties {
    /// The properties.
    pub result: Vec<PropertyDescriptor>,
}

/// One property.
#[derive(Debug, Deserialize)]
pub struct PropertyDescriptor {
    /// Its name.
    pub name: String,
    /// Its value.
    #[serde(default)]
    pub value: Option<RemoteObject>,
}

/// Lets go of a handle.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReleaseObject<'a> {
    /// The handle.
    pub object_id: &'a str,
}

impl Command for ReleaseObject<'_> {
    const METHOD: &'static str = "Runtime.releaseObject";
    type Reply = Empty;
}

/// Ends the script that is running, if any.
#[derive(Debug, Serialize)]
pub struct TerminateExecution {}

impl Command for TerminateExecution {
    const METHOD: &'static str = "Runtime.terminateExecution";
    type Reply = Empty;
}

/// `Runtime.executionContextCreated`.
#[derive(Debug, Deserialize)]
pub struct ExecutionContextCreated {
    /// The world.
    pub context: ExecutionContext,
}

/// A world.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExecutionContext {
    /// The id, for the session's life.
    pub id: i64,
    /// The name of an isolated world.
    pub name: String,
    /// Whose it is.
    #[serde(default)]
    pub aux_data: Option<ContextOwner>,
}

/// Whose a world is.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ContextOwner {
    /// Whether it is the page's own.
    #[serde(default)]
    pub is_default: bool,
    /// The frame.
    #[serde(default)]
    pub frame_id: Option<String>,
}

/// `Runtime.executionContextDestroyed`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExecutionContextDestroyed {
    /// The world.
    pub execution_context_id: i64,
}

/// `Runtime.bindingCalled`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BindingCalled<'a> {
    /// The binding.
    #[serde(borrow)]
    pub name: Cow<'a, str>,
    /// What it was called with.
    #[serde(borrow)]
    pub payload: Cow<'a, str>,
    /// The world that called.
    pub execution_context_id: i64,
}

/// `Runtime.consoleAPICalled`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConsoleApiCalled {
    /// Such as `warning`.
    #[serde(rename = "type")]
    pub kind: String,
    /// What was logged.
    pub args: Vec<RemoteObject>,
    /// Where.
    #[serde(default)]
    pub stack_trace: Option<StackTrace>,
}

/// `Runtime.exceptionThrown`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExceptionThrown {
    /// The exception.
    pub exception_details: ExceptionDetails,
}
