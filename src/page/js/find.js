// Finds elements by what only the document itself knows: selectors, labels, texts, attributes.

const fold = text => (text ?? '').replace(/\s+/g, ' ').trim();

// Every element of the document and of its shadow trees, in order: the open ones and those that `adopt` was told of.
function* every() {
  const closed = new Map();
  for (const root of tools.adopted()) closed.set(root.host, root);
  const stack = [document.documentElement];
  while (stack.length) {
    const element = stack.pop();
    if (!element) continue;
    yield element;
    for (let child = element.lastElementChild; child; child = child.previousElementSibling) stack.push(child);
    const shadow = element.shadowRoot ?? closed.get(element);
    for (let child = shadow?.lastElementChild; child; child = child.previousElementSibling) stack.push(child);
  }
}

const isShown = element => element.getClientRects().length > 0 && element.checkVisibility({ visibilityProperty: true });
const isField = element => /^(input|textarea|select|button|meter|output|progress)$/.test(element.localName)
  || element.isContentEditable || element.hasAttribute('role');
const isCode = element => /^(script|style|noscript|template|head|title|meta|link)$/.test(element.localName);

function textOf(element) {
  if (element.localName === 'input') return /^(submit|button|reset)$/.test(element.type) ? fold(element.value) : '';
  if (isCode(element) || element.localName === 'html' || element.localName === 'body') return '';
  // Longer texts are parts of pages and not what anyone writes down.
  const text = element.textContent;
  return text.length > 2000 ? '' : fold(text);
}

function labelsOf(element) {
  const texts = [fold(element.getAttribute('aria-label'))];
  for (const label of element.labels ?? []) texts.push(fold(label.textContent));
  const ids = element.getAttribute('aria-labelledby');
  if (ids) {
    const root = element.getRootNode();
    texts.push(fold(ids.trim().split(/\s+/).map(id => root.getElementById?.(id)?.textContent ?? '').join(' ')));
  }
  return texts.filter(Boolean);
}

// For each kind, the texts by which an element may be known.
const known = {
  label: element => isField(element) ? labelsOf(element) : [],
  text: element => [textOf(element)],
  placeholder: element => [element.getAttribute('placeholder'), element.getAttribute('aria-placeholder')],
  alt: element => /^(img|area|input)$/.test(element.localName) ? [element.getAttribute('alt')] : [],
  title: element => [element.getAttribute('title')],
  'test-id': element => [element.getAttribute('data-testid')],
};

// What is not shown only counts when nothing that is shown fits.
function preferShown(elements) {
  const shown = elements.filter(isShown);
  return shown.length ? shown : elements;
}

// An element around another that fits has the same text only since that one has it.
const innermost = elements => elements.filter(element => !elements.some(other => other !== element && element.contains(other)));

tools.css = selector => {
  // Says what is wrong with it, even on an empty page.
  document.createDocumentFragment().querySelector(selector);
  const found = [];
  for (const element of every()) if (element.matches(selector)) found.push(element);
  return preferShown(found);
};

tools.known = (kind, wanted) => {
  const found = [];
  for (const element of every()) if (known[kind](element).some(text => text !== null && fold(text) === wanted)) found.push(element);
  return preferShown(kind === 'text' ? innermost(found.filter(isShown)) : found);
};

// For regular expressions, which are the runner's and not the page's: all texts first, then those that were chosen.
let listed = [];
tools.texts = kind => {
  listed = [];
  const texts = [];
  for (const element of every()) {
    for (const text of known[kind](element)) {
      if (!text) continue;
      listed.push(element);
      texts.push(fold(text));
    }
  }
  return texts;
};
tools.chosen = (kind, ...numbers) => {
  const found = [...new Set(numbers.map(number => listed[number]))].filter(element => element?.isConnected);
  listed = [];
  return preferShown(kind === 'text' ? innermost(found.filter(isShown)) : found);
};

// The element that stands for a node: a text is clicked where it stands.
tools.element = node => {
  if (node.nodeType === Node.ELEMENT_NODE) return node;
  if (node.nodeType === Node.DOCUMENT_NODE) return node.documentElement;
  return node.parentElement ?? node.getRootNode().host ?? null;
};

tools.isConnected = node => node.isConnected;

// Whether it has a box: an option of a shut list has that of its list.
tools.hasBox = node => {
  let element = tools.element(node);
  if (!element?.isConnected) return false;
  if (/^(option|optgroup)$/.test(element.localName)) element = element.closest('select') ?? element;
  if (element.localName === 'area') return true;
  return element.getClientRects().length > 0;
};

// Whether an element holds each of the others, shadow trees included.
tools.holds = (outer, ...others) => others.map(other => {
  for (let node = other; node; node = node.assignedSlot ?? node.parentNode ?? node.host) if (node === outer) return true;
  return false;
});

// How an element is called where it has no line in the outline.
tools.describe = element => {
  let text = '<' + element.localName;
  for (const name of ['id', 'class', 'name', 'type', 'data-testid']) {
    const value = element.getAttribute?.(name);
    if (value) text += ` ${name}="${value.length > 40 ? value.slice(0, 40) + '…' : value}"`;
  }
  text += '>';
  const inner = fold(element.textContent);
  return text + (inner.length > 40 ? inner.slice(0, 40) + '…' : inner);
};
