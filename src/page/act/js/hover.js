// The pointer is over an element when the page itself says so.

const hovered = async (el, { budget }) => {
  if (el.nodeType !== Node.ELEMENT_NODE) el = el.parentElement;
  const over = () => el.matches(":hover") || labelsOf(el).some((label) => label.matches(":hover"));
  // A person's pointer over the control that `el` is a part of is over `el`, though `el` may let events through.
  const part = () => { for (let e = flatParent(el); e; e = flatParent(e)) if (e.matches(ACTIVE)) return e.matches(":hover"); return false; };
  return waitFor(el, budget, () => {
    if (!el.isConnected) return { check: "attached", why: "no longer on the page" };
    return over() || part() ? {} : { check: "receives", why: "covered", by: describe([...document.querySelectorAll(":hover")].at(-1)) };
  });
};
