// Lists to choose from: native ones, and those that pages build from roles.

const elementOf = (node) => {
  const el = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement ?? flatParent(node);
  return el?.matches("label") && el.control ? el.control : el;
};

const fold = (text) => text.replace(/\s+/g, " ").trim();

/** The whole name of an option, unlike `nameOf`, which cuts it for messages. */
const optionName = (e) => {
  const ids = (e.getAttribute("aria-labelledby") ?? "").split(/\s+/).filter(Boolean);
  const named = ids.map((id) => e.getRootNode().getElementById?.(id)?.textContent ?? "").join(" ");
  return fold(named || e.getAttribute("aria-label") || e.innerText || e.textContent);
};

const LISTS = "[role=listbox], [role=tree], [role=grid]";
const isList = (el) => el.matches(LISTS);

/** The list of options that belongs to `el` and can be seen, or null. */
const listOf = (el) => {
  if (isList(el)) return el;
  const ids = ["aria-controls", "aria-owns"].flatMap((name) => (el.getAttribute(name) ?? "").split(/\s+/).filter(Boolean));
  const root = el.getRootNode();
  const named = ids.map((id) => root.getElementById?.(id)).filter(Boolean);
  const visible = (list) => !whyHidden(list) || [...list.querySelectorAll("[role=option]")].some((e) => !whyHidden(e));
  // Where the page does not say which list is meant, it is the one that came last and shows.
  const all = named.length ? named : [...root.querySelectorAll(LISTS), ...document.querySelectorAll(LISTS)];
  return all.filter(visible).at(-1) ?? null;
};

const partsOf = (list) => [...list.querySelectorAll("[role=option], [role=treeitem]")].filter((e) => !whyHidden(e));

const nativeOptions = (el) => [...el.options].map((o) => ({
  label: fold(o.label), value: o.value, on: o.selected,
  off: o.disabled || Boolean(o.closest("optgroup:disabled")),
  // Keys pass over these.
  hidden: getComputedStyle(o).display === "none" || (o.parentElement.matches("optgroup") && getComputedStyle(o.parentElement).display === "none"),
}));

const ariaOptions = (list) => partsOf(list).map((e) => ({
  label: optionName(e), value: e.getAttribute("data-value") ?? e.getAttribute("value") ?? "",
  on: (e.getAttribute("aria-selected") ?? e.getAttribute("aria-checked")) === "true",
  off: e.getAttribute("aria-disabled") === "true", hidden: false,
}));

/** What can be chosen in `el`: { kind, multiple, options } or a failure. `kind`: drop (native, shut), list (native), popup, listbox. */
const choices = async (node, { budget }) => {
  const el = elementOf(node);
  if (!el) return { check: "attached", why: "no longer on the page" };
  const native = el.matches("select");
  const list = !native && isList(el);
  const popup = !native && !list && (el.matches("[role=combobox], [aria-haspopup=listbox], [aria-haspopup=tree], [aria-haspopup=grid], [aria-haspopup=true]"));
  if (!native && !list && !popup) {
    const why = el.matches("input[list]") ? "it is a field with suggestions: use `type`" : "it is no list to choose from";
    return { check: "refused", why };
  }
  return waitFor(el, budget, () => {
    const failure = unusable(el);
    if (failure) return failure;
    if (native) {
      const kind = el.multiple || el.size > 1 ? "list" : "drop";
      return { kind, multiple: el.multiple, options: nativeOptions(el) };
    }
    const shown = popup && el.getAttribute("aria-expanded") === "false" ? null : listOf(el);
    const multiple = shown?.getAttribute("aria-multiselectable") === "true";
    return { kind: popup ? "popup" : "listbox", multiple, options: shown ? ariaOptions(shown) : [] };
  });
};

/** The option of that number, if it still has that label; else the first that has it. */
const optionAt = (node, index, label) => {
  const el = elementOf(node);
  if (el.matches("select")) return el.options[index] ?? null;
  const list = listOf(el);
  const parts = list ? partsOf(list) : [];
  return parts[index] && optionName(parts[index]) === label ? parts[index] : parts.find((e) => optionName(e) === label) ?? null;
};

/** Whether the native list is open; an older browser can't say, and then it is taken to be. */
const isOpen = (node) => {
  try {
    return elementOf(node).matches(":open");
  } catch {
    return true;
  }
};

const chosenIndexes = (node) => [...elementOf(node).selectedOptions].map((o) => o.index);

/** Chooses as a script does, where the browser has no list that could be opened. */
const chooseByScript = (node, indexes) => {
  const el = elementOf(node);
  [...el.options].forEach((o, index) => { o.selected = indexes.includes(index); });
  el.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  el.dispatchEvent(new Event("change", { bubbles: true }));
};
