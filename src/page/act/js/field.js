// Typing: whether an element takes text, focus and selection before the keys come, and what it holds afterwards.

const TYPED = new Set(["text", "search", "email", "url", "tel", "password", "number"]);

/** What a field of its own form wants, for the message that refuses another. */
const FORMS = {
  date: "a date like 2031-02-03", time: "a time like 07:05", "datetime-local": "a date and time like 2031-02-03T07:05",
  week: "a week like 2031-W05", month: "a month like 2031-02", color: "a colour like #dc143c", range: "a number",
  number: "a number like 12 or -0.5",
};

/** How `el` takes text: { how: insert | set | edit }, or why it does not. */
const takes = (el) => {
  if (el.matches("textarea")) return { how: "insert", lines: true };
  if (el.matches("select")) return { refused: "a list to choose from: use `select`" };
  if (el.matches("input")) {
    if (TYPED.has(el.type)) return { how: "insert", lines: false };
    if (FORMS[el.type]) return { how: "set", lines: false };
    const verbs = { checkbox: "use `check`, `uncheck` or `click`", radio: "use `check` or `click`", file: "use `upload`" };
    return { refused: `not editable: ${verbs[el.type] ?? "use `click`"}` };
  }
  if (el.isContentEditable || el.editContext) return { how: "edit", lines: true };
  return { refused: "not editable" };
};

const readOnly = (el) => {
  if (el.readOnly) return "read-only";
  for (let e = el; e; e = flatParent(e)) if (e.getAttribute("aria-readonly") === "true") return "read-only (aria-readonly)";
  return null;
};

/** What an editor shows, with the differences between editors in blanks and line ends taken out. */
const plain = (text) => text.replace(/\r\n?/g, "\n").replace(/[\u00a0\u200b\ufeff]/g, (c) => (c === "\u00a0" ? " " : "")).replace(/\n+/g, "\n").trim();

const typing = { current: null };

// Text that would go elsewhere, since the page moved the focus, is stopped on its way.
addEventListener("beforeinput", (event) => {
  const now = typing.current;
  if (!now || !event.isTrusted) return;
  const target = event.composedPath()[0];
  if (target === now.el || flatContains(now.el, target) || target.isContentEditable || flatContains(target, now.el)) {
    now.seen = true;
    return;
  }
  now.strayed = describe(target);
  event.preventDefault();
  event.stopImmediatePropagation();
}, { capture: true });

const focusOn = (el) => {
  const scope = el.getRootNode();
  const has = () => {
    const active = scope.activeElement;
    return active && (active === el || (el.isContentEditable && active.isContentEditable && flatContains(active, el)));
  };
  if (!has()) el.focus();
  // A part of an editor is no focus target itself: what edits it is.
  for (let e = flatParent(el); !has() && el.isContentEditable && e; e = flatParent(e)) if (e.isContentEditable) e.focus();
  if (has()) return null;
  // Some pages draw a field anew when it gets the focus: the new one is looked up from outside.
  if (!el.isConnected) return { check: "attached", why: "no longer on the page" };
  return { check: "focus", why: "the page did not let it have the focus", by: describe(scope.activeElement ?? document.activeElement) };
};

const selectAll = (el, how) => {
  if (how === "insert") return el.select();
  getSelection().setBaseAndExtent(el, 0, el, el.childNodes.length);
};

/** Puts a value into a field that keys fill in another order in every country, as its picker would; null or why not. */
const set = (el, text) => {
  const probe = document.createElement("input");
  probe.type = el.type;
  // The field's own limits round a number to a step.
  for (const name of ["min", "max", "step"]) if (el.hasAttribute(name)) probe.setAttribute(name, el.getAttribute(name));
  const wanted = text.trim();
  probe.value = wanted;
  const good = el.type === "color" ? CSS.supports("color", wanted)
    : el.type === "range" ? wanted !== "" && Number.isFinite(Number(wanted))
    : wanted === "" || probe.value !== "";
  if (!good) return { check: "form", why: `it takes ${FORMS[el.type]}` };
  if (el.value !== probe.value) {
    el.value = wanted;
    el.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    el.dispatchEvent(new Event("change", { bubbles: true }));
  }
  return null;
};

const held = (el, how) => (how === "edit" ? plain(el.innerText) : el.value);

/** Makes `el` ready for `text`: focused, with what it holds selected. Answers { how, empty } or a failure. */
const prepareField = async (el, { text, byKey, budget }) => {
  if (el.nodeType !== Node.ELEMENT_NODE) el = el.parentElement;
  if (el?.matches("label") && el.control) el = el.control;
  const answer = await waitFor(el, budget, () => {
    if (!el.isConnected) return { check: "attached", why: "no longer on the page" };
    const { refused, how, lines } = takes(el);
    if (refused) return { check: "editable", why: refused, final: true };
    if (!lines && /[\r\n]/.test(text)) return { check: "editable", why: "a field of one line, and the text has a line break", final: true };
    const failure = unusable(el);
    if (failure) return failure;
    const locked = readOnly(el);
    if (locked) return { check: "enabled", why: locked };
    return { how };
  });
  if (answer.check) return answer;
  const { how } = answer;
  typing.current = null;
  const away = focusOn(el);
  if (away) return away;
  if (how === "set" && !byKey) {
    const refused = set(el, text);
    return refused ?? { how, done: true, notice: notice(el, how, text) };
  }
  const before = held(el, how);
  if (how !== "set") selectAll(el, how);
  typing.current = { el, how, before, text, seen: false, strayed: null };
  // A number field that holds what is no number gives its value as empty.
  return { how, empty: before === "" && how !== "edit" && !el.validity?.badInput, replaces: how !== "set" };
};

/** What differs from what was typed, said without the text of a password. */
const notice = (el, how, text) => {
  const now = held(el, how);
  const same = how === "edit" ? now.replace(/\s+/g, " ") === plain(text).replace(/\s+/g, " ") : now === text.replace(/\r\n?/g, "\n");
  if (same || (how === "set" && el.type === "color") || (how === "set" && now.toLowerCase() === text.trim().toLowerCase())) return null;
  if (el.type === "password") return "the field holds something else than what was typed";
  const limit = el.maxLength > 0 && now.length >= el.maxLength ? ` (it takes at most ${el.maxLength} characters)` : "";
  return `the field holds "${oneLine(now)}"${limit}`;
};

/** What became of the text: { notice } or a failure. */
const typedInto = async () => {
  const now = typing.current;
  if (!now) return {};
  const { el, how, before, text } = now;
  // An editor with a model of its own may draw it in the next frame.
  if (how === "edit" && held(el, how) === before && plain(text) !== before) {
    for (let frame = 0; frame < 2 && el.isConnected && held(el, how) === before; frame++) await pageChange(el, 100);
  }
  typing.current = null;
  if (now.strayed) return { check: "focus", why: "the page moved the focus away while it was typed into", by: now.strayed };
  if (!el.isConnected) return { notice: now.seen ? null : "the field was replaced while it was typed into" };
  if (el.validity?.badInput) return { check: "form", why: `it takes ${FORMS[el.type] ?? "another form"}` };
  const differs = notice(el, how, text);
  if (differs && text !== "" && !now.seen && held(el, how) === before) {
    return { check: "form", why: FORMS[el.type] ? `it takes ${FORMS[el.type]}` : "it did not take the text" };
  }
  if (differs && text !== "" && el.type === "number" && el.value === "") return { check: "form", why: `it takes ${FORMS.number}` };
  return { notice: differs };
};

/** Gives the focus to `el`, once it can be seen and is enabled. */
const focusElement = async (el, { budget }) => {
  if (el.nodeType !== Node.ELEMENT_NODE) el = el.parentElement;
  return waitFor(el, budget, () => {
    const failure = unusable(el);
    if (failure) return failure;
    const active = () => el.getRootNode().activeElement;
    if (active() !== el) el.focus();
    if (active() === el || (active() && flatContains(el, active()))) return {};
    return { check: "focus", why: el.matches("[tabindex], a[href], button, input, select, textarea, iframe") || el.isContentEditable
      ? "the page did not let it have the focus" : "not focusable", by: describe(active()) };
  });
};
