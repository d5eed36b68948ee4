// How an element is named in a message: like a line of the outline, `dialog "Cookies"`.

const ROLES = {
  A: (e) => (e.hasAttribute("href") ? "link" : "generic"),
  ARTICLE: "article", ASIDE: "complementary", BUTTON: "button", CANVAS: "Canvas", DETAILS: "Details",
  DIALOG: "dialog", FIELDSET: "group", FOOTER: "contentinfo", FORM: "form", H1: "heading", H2: "heading",
  H3: "heading", H4: "heading", H5: "heading", H6: "heading", HEADER: "banner", IFRAME: "Iframe", IMG: "image",
  LABEL: "LabelText", LI: "listitem", MAIN: "main", NAV: "navigation", OL: "list", OPTION: "option",
  P: "paragraph", PROGRESS: "progressbar", SECTION: "region", SUMMARY: "DisclosureTriangle", TABLE: "table",
  TD: "cell", TEXTAREA: "textbox", TR: "row", UL: "list", VIDEO: "Video",
  SELECT: (e) => (e.multiple || e.size > 1 ? "listbox" : "combobox"),
  INPUT: (e) => ({
    button: "button", submit: "button", reset: "button", image: "button", checkbox: "checkbox", radio: "radio",
    range: "slider", number: "spinbutton", search: "searchbox", color: "ColorWell", date: "Date", file: "button",
  })[e.type] ?? "textbox",
};

const roleOf = (e) => {
  const explicit = e.computedRole || e.getAttribute("role")?.trim().split(/\s+/)[0];
  if (explicit) return explicit;
  const known = ROLES[e.tagName];
  return (typeof known === "function" ? known(e) : known) ?? "generic";
};

/** One line, quotes escaped, cut with a mark when long: as the outline prints names. */
const oneLine = (text) => {
  const line = text.replace(/\s+/g, " ").trim();
  const whole = [...line];
  return (whole.length > 60 ? `${whole.slice(0, 59).join("")}…` : line).replace(/[\\"]/g, "\\$&");
};

const nameOf = (e) => {
  const labelledBy = (e.getAttribute("aria-labelledby") ?? "")
    .split(/\s+/).filter(Boolean)
    .map((id) => e.getRootNode().getElementById?.(id)?.textContent ?? "").join(" ");
  // What a field holds is no name of it, and may be a secret.
  const own = e.matches("input, textarea, select")
    ? (e.matches("input[type=submit], input[type=button], input[type=reset]") ? e.value : e.placeholder ?? "")
    : (e.innerText ?? e.textContent).slice(0, 2000);
  const label = [...(e.labels ?? [])].map((l) => l.textContent).join(" ");
  for (const name of [e.computedName, e.getAttribute("aria-label"), labelledBy, label, e.getAttribute("alt"), own, e.getAttribute("title")]) {
    if (name?.trim()) return oneLine(name);
  }
  return "";
};

const describe = (e) => {
  if (!e) return "nothing";
  const role = roleOf(e);
  const name = nameOf(e);
  const line = name ? `${role} "${name}"` : role;
  if (role !== "generic") return line;
  // A plain box is told by its tag as well: a role that every `div` has would name nothing.
  const tag = e.tagName.toLowerCase() + (e.id ? `#${e.id}` : e.classList.length ? `.${e.classList[0]}` : "");
  return `${line} (<${tag}>)`;
};

/** What stands in the way of `wanted`: the part of the page that was hit, as a person would call it. */
const describeBlocker = (hit, wanted) => {
  if (!hit) return "nothing";
  const covers = [];
  for (let e = hit; e instanceof Element; e = flatParent(e)) {
    if (wanted && flatContains(e, wanted)) break;
    covers.push(e);
  }
  const dialog = covers.find((e) => ["dialog", "alertdialog"].includes(roleOf(e)));
  const spoken = covers.find((e) => !["generic", "none", "presentation", "paragraph", "LabelText"].includes(roleOf(e)));
  return describe(dialog ?? spoken ?? covers.at(-1) ?? hit);
};
