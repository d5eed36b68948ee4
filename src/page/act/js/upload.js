// File inputs: whether an element is one, and what it takes.

const fileInput = async (node, { budget, attached }) => {
  const el = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement ?? flatParent(node);
  if (!el?.matches("input[type=file]")) return { input: false, multiple: false, directory: false };
  return waitFor(el, budget, () => {
    if (attached && !el.isConnected) return { check: "attached", why: "no longer on the page" };
    // Seen or not: pages hide it behind a button of their own.
    const disabled = whyDisabled(el);
    if (disabled) return { check: "enabled", why: disabled };
    return { input: true, multiple: el.multiple, directory: el.webkitdirectory };
  });
};
