// What one element shows, holds, and whether the keys go to it.

// Its text as it is shown. `innerText` passes shadow trees over, so their texts come after.
tools.textOf = element => {
  const texts = [element.innerText ?? element.textContent ?? ''];
  const roots = [element];
  while (roots.length) {
    const root = roots.pop();
    for (const host of [root, ...root.querySelectorAll('*')]) {
      if (!host.shadowRoot) continue;
      for (const child of host.shadowRoot.children) {
        if (!/^(style|script|template|slot)$/.test(child.localName)) texts.push(child.innerText ?? child.textContent ?? '');
      }
      roots.push(host.shadowRoot);
    }
  }
  return texts.map(text => text.trim()).filter(Boolean).join('\n');
};

// What a field holds, `also` what it would send where that is another word; or `none`, the reason why it holds nothing.
tools.valueOf = element => {
  if (element.matches('input[type=checkbox], input[type=radio]')) {
    return { none: `a ${element.type === 'radio' ? 'radio' : 'checkbox'} is checked or not: look for \`[checked]\` with \`assert-tree-contains\`` };
  }
  if (element.matches('input[type=file]')) return { value: [...element.files].map(file => file.name).join(', ') };
  if (element.matches('select')) {
    const chosen = [...element.selectedOptions];
    return { value: chosen.map(option => option.label).join(', '), also: chosen.map(option => option.value).join(', ') };
  }
  if (element.matches('input')) return { value: element.value, hidden: element.type === 'password' };
  if (element.matches('textarea')) return { value: element.value };
  if (element.isContentEditable) return { value: element.innerText ?? '' };
  const told = element.getAttribute('aria-valuetext') ?? element.getAttribute('aria-valuenow');
  if (told !== null) return { value: told };
  if (element.matches('progress, meter, output')) return { value: String(element.value) };
  return { none: 'it is no field: hold its text with `assert-text`' };
};

// Whether it has the focus: a part of an editor, and what stands around a shadow tree, have it with what is in them.
tools.hasFocus = element => {
  const active = element.getRootNode().activeElement;
  if (!active || !element.ownerDocument.hasFocus()) return false;
  return active === element || (element.isContentEditable && active.isContentEditable && active.contains(element));
};
