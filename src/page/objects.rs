//! Nodes of documents as objects of the isolated world.

use std::borrow::Cow;

use tokio::time::Instant;

use super::element::Element;
use super::error::PageError;
use super::inject;
use super::tab::Page;
use crate::cdp::{Session, dom, runtime};

/// A script that finds more than this found no element in particular.
pub(super) const MOST: usize = 200;

impl Page {
    /// The element that stands for a DOM node, in the isolated world of its frame.
    pub(super) async fn resolve(
        &self,
        frame: &str,
        backend_node_id: i64,
        description: String,
        deadline: Instant,
    ) -> Result<Element, PageError> {
        let core = self.core();
        let (session, world) = self.injected(frame, deadline).await?;
        let resolve = dom::ResolveNode { backend_node_id, execution_context_id: world };
        let object = core.call(&session, &resolve, deadline).await?.object;
        let class = object.class_name.unwrap_or_default();
        let object_id = object.object_id.ok_or_else(no_node)?;
        let node = Element::new(session.clone(), object_id, backend_node_id, frame.to_owned(), description.clone());
        if class != "Text" && class != "Comment" && !class.ends_with("Document") {
            return Ok(node);
        }
        let call = runtime::CallFunctionOn {
            function_declaration: &inject::caller("element"),
            object_id: Some(node.object_id()),
            execution_context_id: None,
            arguments: &[],
            return_by_value: false,
            await_promise: false,
        };
        let object = core.call(&session, &call, deadline).await?.result.object_id;
        let gone = || PageError::Moved { reason: "the text is gone".to_owned() };
        self.described(frame, session, object.ok_or_else(gone)?, description, deadline).await
    }

    /// An element from its object alone.
    pub(super) async fn described(
        &self,
        frame: &str,
        session: Session,
        object_id: String,
        description: String,
        deadline: Instant,
    ) -> Result<Element, PageError> {
        let mut element = Element::new(session, object_id, 0, frame.to_owned(), description);
        let describe = dom::DescribeNode { object_id: element.object_id(), depth: None, pierce: None };
        let node = self.core().call(element.session(), &describe, deadline).await?.node;
        element.backend_node_id = node.backend_node_id;
        Ok(element)
    }

    /// The element that a tool gives for another one, if any.
    pub(super) async fn part_of(
        &self,
        element: &Element,
        tool: &str,
        args: &[serde_json::Value],
        description: &str,
        deadline: Instant,
    ) -> Result<Option<Element>, PageError> {
        let arguments: Vec<_> = args.iter().map(|value| runtime::Argument::Value(Cow::Borrowed(value))).collect();
        let call = runtime::CallFunctionOn {
            function_declaration: &inject::caller(tool),
            object_id: Some(element.object_id()),
            execution_context_id: None,
            arguments: &arguments,
            return_by_value: false,
            await_promise: false,
        };
        let evaluated = self.core().call(element.session(), &call, deadline).await?;
        if let Some(thrown) = evaluated.exception_details {
            return Err(inject::thrown_error(&thrown));
        }
        let Some(object) = evaluated.result.object_id else { return Ok(None) };
        let session = element.session().clone();
        let description = format!("option \"{description}\"");
        self.described(&element.frame, session, object, description, deadline).await.map(Some)
    }

    /// The elements in the list that a tool gives.
    pub(super) async fn find_elements(
        &self,
        frame: &str,
        tool: &str,
        args: &[serde_json::Value],
        deadline: Instant,
    ) -> Result<Vec<Element>, PageError> {
        let core = self.core();
        let (session, world) = self.injected(frame, deadline).await?;
        let arguments: Vec<_> = args.iter().map(|value| runtime::Argument::Value(Cow::Borrowed(value))).collect();
        let call = runtime::CallFunctionOn {
            function_declaration: &format!("(...args) => __playscript.{tool}(...args)"),
            object_id: None,
            execution_context_id: Some(world),
            arguments: &arguments,
            return_by_value: false,
            await_promise: false,
        };
        let evaluated = core.call(&session, &call, deadline).await?;
        if let Some(thrown) = evaluated.exception_details {
            return Err(inject::thrown_error(&thrown));
        }
        let list = evaluated.result;
        // The browser says how long it is, which saves a question about the many that are empty.
        if list.description.as_deref() == Some("Array(0)") {
            return Ok(Vec::new());
        }
        let Some(list) = list.object_id else { return Ok(Vec::new()) };
        let properties =
            core.call(&session, &runtime::GetProperties { object_id: &list, own_properties: true }, deadline).await?;
        session.send(&runtime::ReleaseObject { object_id: &list });
        let mut elements = Vec::new();
        let objects = properties.result.into_iter().filter(|property| property.name.parse::<usize>().is_ok());
        for object in objects.filter_map(|property| property.value?.object_id).take(MOST) {
            elements.push(self.described(frame, session.clone(), object, String::new(), deadline).await?);
        }
        Ok(elements)
    }

    /// Finds the closed shadow roots of a document and hands them to its tools and its observer. Says whether there are new ones.
    pub(super) async fn adopt_closed(&self, frame: &str, deadline: Instant) -> Result<bool, PageError> {
        let core = self.core();
        let (session, world) = self.injected(frame, deadline).await?;
        let document = runtime::Evaluate {
            expression: "document",
            context_id: Some(world),
            return_by_value: false,
            await_promise: false,
        };
        let Some(document) = core.call(&session, &document, deadline).await?.result.object_id else { return Ok(false) };
        let whole = dom::DescribeNode { object_id: &document, depth: Some(-1), pierce: Some(true) };
        let tree = core.call(&session, &whole, deadline).await?.node;
        session.send(&runtime::ReleaseObject { object_id: &document });
        let mut roots = Vec::new();
        let mut rest = vec![&tree];
        while let Some(node) = rest.pop() {
            if node.shadow_root_type.as_deref() == Some("closed") {
                roots.push(node.backend_node_id);
            }
            rest.extend(node.children.iter().chain(&node.shadow_roots));
        }
        if roots.is_empty() {
            return Ok(false);
        }
        let mut arguments = Vec::new();
        for backend_node_id in roots {
            let resolve = dom::ResolveNode { backend_node_id, execution_context_id: world };
            if let Some(object) = core.call(&session, &resolve, deadline).await?.object.object_id {
                arguments.push(runtime::Argument::ObjectId(Cow::Owned(object)));
            }
        }
        let call = runtime::CallFunctionOn {
            function_declaration: "(...roots) => __playscript.adopt(...roots)",
            object_id: None,
            execution_context_id: Some(world),
            arguments: &arguments,
            return_by_value: true,
            await_promise: false,
        };
        let news: u32 = inject::value(core.call(&session, &call, deadline).await?)?;
        for argument in &arguments {
            if let runtime::Argument::ObjectId(object_id) = argument {
                session.send(&runtime::ReleaseObject { object_id });
            }
        }
        Ok(news > 0)
    }
}

pub(super) fn no_node() -> PageError {
    PageError::Protocol("this line of the outline stands for nothing in the document".to_owned())
}
