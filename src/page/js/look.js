// What a document shows.

// The text of the document as it is shown. `innerText` passes shadow trees over, so their texts come after, each as a paragraph.
tools.shownText = () => {
  const body = document.body ?? document.documentElement;
  if (!body) return '';
  const texts = [body.innerText ?? body.textContent ?? ''];
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_ELEMENT);
  const walkers = [walker];
  while (walkers.length) {
    const current = walkers.pop();
    for (let element = current.currentNode; element; element = current.nextNode()) {
      if (!element.shadowRoot) continue;
      for (const child of element.shadowRoot.children) {
        if (/^(style|script|template|slot)$/.test(child.localName)) continue;
        texts.push(child.innerText ?? '');
      }
      walkers.push(document.createTreeWalker(element.shadowRoot, NodeFilter.SHOW_ELEMENT));
    }
  }
  return texts.map(text => text.trim()).filter(Boolean).join('\n');
};
