// Checkboxes, radios and switches: native ones and those that only say so.

const CHECKABLE = "input[type=checkbox], input[type=radio], [aria-checked], [role=checkbox], [role=radio], [role=switch], "
  + "[role=menuitemcheckbox], [role=menuitemradio]";

/** What is checked when a person checks `el`: itself, the control of the label it is or is in, or the control it is a part of. */
const checkableOf = (el) => {
  if (el.nodeType !== Node.ELEMENT_NODE) el = el.parentElement ?? flatParent(el);
  for (let e = el; e; e = flatParent(e)) {
    const control = e.matches("label") ? e.control : e;
    if (control?.matches(CHECKABLE)) return control;
  }
  return null;
};

/** on, off or mixed. */
const checkedNow = (e) => {
  if (e.matches("input")) return e.indeterminate ? "mixed" : e.checked ? "on" : "off";
  const told = e.getAttribute("aria-checked");
  return told === "true" ? "on" : told === "mixed" ? "mixed" : "off";
};

/** How `el` stands: { state, radio } or a failure. */
const checkState = (el) => {
  if (!el.isConnected) return { check: "attached", why: "no longer on the page" };
  const control = checkableOf(el);
  if (!control) return { check: "refused", why: "it is no checkbox, radio or switch" };
  const radio = control.matches("input[type=radio], [role=radio], [role=menuitemradio]");
  return { state: checkedNow(control), radio };
};

/** Waits until `el` no longer stands as it did: { state, radio } or a failure. */
const checkChanged = (el, { from, budget }) => waitFor(el, budget, () => {
  const now = checkState(el);
  return now.check || now.state !== from ? now : { check: "refused", why: "it was clicked, and nothing changed" };
});
