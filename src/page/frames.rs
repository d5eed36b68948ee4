//! The frames of a page and the documents they show.

use std::collections::HashMap;

use crate::cdp::{Session, page as protocol};

/// One frame.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    pub(super) id: String,
    pub(super) parent: Option<String>,
    /// The session of the process that shows it.
    pub(super) session: Session,
    /// Names the document.
    pub(super) loader: String,
    pub(super) url: String,
    /// The address that an error page stands for.
    pub(super) unreachable: Option<String>,
    /// The isolated world with the room's scripts in it.
    pub(super) world: Option<i64>,
    /// The page's own world.
    pub(super) main_world: Option<i64>,
    /// The element that holds it: stays the same for the frame's life.
    pub(super) owner: Option<i64>,
    /// Whether its observer was told to tell and has not told yet.
    pub(super) armed: bool,
    /// Something in it is being scrolled.
    pub(super) scrolling: bool,
    /// A navigation or load is under way.
    pub(super) loading: bool,
    /// A document is on its way that has not begun to come.
    pub(super) navigating: bool,
    /// The address of that document.
    pub(super) destination: String,
    /// Its script asked for another document, which has not begun to come.
    pub(super) requested: bool,
    pub(super) content_loaded: bool,
    pub(super) loaded: bool,
    pub(super) idle: bool,
    /// Its renderer died, which does not take the page along when it is another process.
    pub(super) crashed: bool,
}

impl Frame {
    fn new(id: String, parent: Option<String>, session: Session) -> Frame {
        Frame {
            id,
            parent,
            session,
            loader: String::new(),
            url: String::new(),
            unreachable: None,
            world: None,
            main_world: None,
            owner: None,
            armed: false,
            scrolling: false,
            loading: false,
            navigating: false,
            destination: String::new(),
            requested: false,
            content_loaded: false,
            loaded: false,
            idle: false,
            crashed: false,
        }
    }
}

/// All frames of a page.
#[derive(Debug)]
pub(super) struct Frames {
    main: String,
    all: HashMap<String, Frame>,
}

impl Frames {
    pub(super) fn new(main: String, session: Session) -> Frames {
        let mut all = HashMap::new();
        all.insert(main.clone(), Frame::new(main.clone(), None, session));
        Frames { main, all }
    }

    pub(super) fn main_id(&self) -> &str {
        &self.main
    }

    pub(super) fn main(&self) -> Option<&Frame> {
        self.all.get(&self.main)
    }

    pub(super) fn get(&self, id: &str) -> Option<&Frame> {
        self.all.get(id)
    }

    pub(super) fn get_mut(&mut self, id: &str) -> Option<&mut Frame> {
        self.all.get_mut(id)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Frame> {
        self.all.values()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Frame> {
        self.all.values_mut()
    }

    /// A frame that is told of, which may be known already: parent and child process each tell of it.
    pub(super) fn attach(&mut self, id: &str, parent: Option<&str>, session: &Session) -> &mut Frame {
        self.all
            .entry(id.to_owned())
            .or_insert_with(|| Frame::new(id.to_owned(), parent.map(str::to_owned), session.clone()))
    }

    /// A committed document. The frames of the old one go with it: those of a document that is kept for going back to it are not told
    /// of as detached.
    pub(super) fn navigate(&mut self, document: &protocol::Frame, session: &Session) {
        if self.get(&document.id).is_some_and(|frame| !frame.loader.is_empty() && frame.loader != document.loader_id) {
            self.empty(&document.id);
        }
        let frame = self.attach(&document.id, document.parent_id.as_deref(), session);
        if frame.session.id() != session.id() {
            frame.session = session.clone();
            frame.world = None;
            frame.main_world = None;
        }
        if frame.loader != document.loader_id {
            frame.content_loaded = false;
            frame.loaded = false;
            frame.idle = false;
            frame.armed = false;
            frame.scrolling = false;
            // A world of its own is told of after this. Where none is, the document has inherited the window of the empty one before it, and
            // with it a world whose scripts listen to nothing any more: asking for the world puts them in anew.
            frame.world = None;
        }
        frame.loader.clone_from(&document.loader_id);
        frame.url = format!("{}{}", document.url, document.url_fragment.as_deref().unwrap_or_default());
        frame.unreachable.clone_from(&document.unreachable_url);
        frame.requested = false;
        frame.navigating = false;
        frame.crashed = false;
    }

    /// The frames that stood before anyone listened.
    pub(super) fn seed(&mut self, tree: &protocol::FrameTree, session: &Session) {
        let mut rest = vec![tree];
        while let Some(tree) = rest.pop() {
            // What an event told is newer.
            if self.all.get(&tree.frame.id).is_none_or(|frame| frame.loader.is_empty()) {
                let world = self.get(&tree.frame.id).and_then(|frame| frame.world);
                self.navigate(&tree.frame, session);
                if let Some(frame) = self.all.get_mut(&tree.frame.id) {
                    frame.world = world;
                }
                self.complete(&tree.frame.id);
            }
            rest.extend(&tree.child_frames);
        }
    }

    /// A document that stood complete when it was first told of.
    pub(super) fn complete(&mut self, id: &str) {
        if let Some(frame) = self.all.get_mut(id) {
            frame.content_loaded = true;
            frame.loaded = true;
            frame.idle = true;
        }
    }

    /// A frame that went, with all in it.
    pub(super) fn detach(&mut self, id: &str) {
        if id == self.main {
            return;
        }
        self.empty(id);
        self.all.remove(id);
    }

    /// Takes away all frames in a frame.
    fn empty(&mut self, id: &str) {
        let mut around = vec![id.to_owned()];
        while let Some(parent) = around.pop() {
            let inner: Vec<_> = self
                .all
                .values()
                .filter(|frame| frame.parent.as_deref() == Some(&*parent))
                .map(|frame| frame.id.clone())
                .collect();
            for id in &inner {
                self.all.remove(id);
            }
            around.extend(inner);
        }
    }

    /// All frames, each before those in it. Frames whose parent is unknown come last.
    pub(super) fn in_order(&self) -> Vec<Frame> {
        let mut ordered: Vec<Frame> = self.main().into_iter().cloned().collect();
        let mut next = 0;
        while next < ordered.len() {
            let mut children: Vec<_> = self
                .all
                .values()
                .filter(|frame| frame.parent.as_deref() == Some(&*ordered[next].id))
                .cloned()
                .collect();
            // An owner's number grows with its place in the document, as a rule; it is only for a steady order.
            children.sort_by(|a, b| (a.owner, &a.id).cmp(&(b.owner, &b.id)));
            ordered.extend(children);
            next += 1;
        }
        ordered
    }

    /// The frame at the top of its process, seen from one in it.
    pub(super) fn local_root(&self, id: &str) -> Option<&Frame> {
        let mut frame = self.get(id)?;
        while let Some(parent) = frame.parent.as_deref().and_then(|parent| self.get(parent)) {
            if parent.session.id() != frame.session.id() {
                break;
            }
            frame = parent;
        }
        Some(frame)
    }
}
