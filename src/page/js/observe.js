// Tells once that something changed, after it was asked to. Nothing is observed while nobody waits.

let armed = false;
const observer = new MutationObserver(tell);
const roots = new Set();

function tell() {
  if (!armed) return;
  armed = false;
  observer.disconnect();
  globalThis.playscriptChanged?.('');
}

const everything = { subtree: true, childList: true, attributes: true, characterData: true };

// Open shadow trees are found each time: there is no event for a new one. Closed ones are told of by `adopt`.
function observe(root) {
  observer.observe(root, everything);
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
  for (let node = walker.currentNode; node; node = walker.nextNode()) {
    if (node.shadowRoot) observe(node.shadowRoot);
  }
}

tools.arm = () => {
  if (armed) return;
  armed = true;
  observe(document);
  for (const root of roots) {
    if (root.host.isConnected) observe(root);
    else roots.delete(root);
  }
};

// Remembers closed shadow roots, which scripts can't reach by themselves.
tools.adopt = (...found) => {
  let news = 0;
  for (const root of found) {
    if (!roots.has(root)) news++;
    roots.add(root);
  }
  return news;
};
tools.adopted = () => roots;

for (const kind of ['input', 'change', 'toggle', 'focusin', 'focusout', 'transitionend', 'animationend', 'load', 'error', 'slotchange',
  'invalid', 'reset', 'close', 'cancel', 'fullscreenchange', 'visibilitychange']) {
  addEventListener(kind, tell, { capture: true, passive: true });
}
// A key or a wheel scrolls over some tenths of a second; a key that is pressed in the last of them is lost on the browser.
const scrolling = new Set();
addEventListener('scroll', ({ target }) => {
  // What was taken away while it scrolled never tells its end.
  for (const node of scrolling) if (!node.isConnected) scrolling.delete(node);
  if (scrolling.add(target).size === 1) globalThis.playscriptChanged?.('scrolls');
}, { capture: true, passive: true });
addEventListener('scrollend', ({ target }) => {
  if (scrolling.delete(target) && !scrolling.size) globalThis.playscriptChanged?.('scrolled');
}, { capture: true, passive: true });

/** Until nothing scrolls any more; one that scrolls without end is waited for as long as a smooth scroll takes. */
tools.scrolled = async () => {
  const end = performance.now() + 1000;
  while (scrolling.size && performance.now() < end) await tools.painted();
};

addEventListener('resize', tell, { passive: true });
addEventListener('DOMContentLoaded', tell, { capture: true, passive: true });
