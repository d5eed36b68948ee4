// Where an element is, and what is met at a point: through shadow trees, open and closed.

/** The parent as it is drawn: slots and shadow hosts included. */
const flatParent = (node) =>
  node.assignedSlot ?? node.parentElement ?? (node.getRootNode() instanceof ShadowRoot ? node.getRootNode().host : null);

/** Whether `inner` is `outer` or is drawn inside it. */
const flatContains = (outer, inner) => {
  for (let e = inner; e; e = flatParent(e)) if (e === outer) return true;
  if (!(outer.getRootNode() instanceof ShadowRoot)) return false;
  // A closed tree does not tell a slotted element its slot; from inside, the slots tell.
  const slots = outer.matches("slot") ? [outer] : [...outer.querySelectorAll("slot")];
  return slots.some((slot) => slot.assignedElements({ flatten: true }).some((e) => e !== outer && e.contains(inner)));
};

/** The trees from the document down to the one `el` stands in. A closed one is known from inside. */
const scopesOf = (el) => {
  const scopes = [];
  let root = el.getRootNode();
  while (root instanceof ShadowRoot) {
    scopes.unshift(root);
    root = root.host.getRootNode();
  }
  return [root, ...scopes];
};

const ACTIVE = "a[href], button, input, select, textarea, summary, label, option, [role=button], [role=link], [role=checkbox], "
  + "[role=radio], [role=switch], [role=tab], [role=option], [role=menuitem], [role=menuitemcheckbox], [role=menuitemradio], [role=treeitem]";

/** The labels a press on which is a press on `el`. */
const labelsOf = (el) => [...(el.labels ?? [])];

const activeBetween = (inner, label, el) => {
  for (let e = inner; e && e !== label; e = flatParent(e)) {
    if (e !== el && e.matches("a[href], button, input, select, textarea, summary")) return true;
  }
  return false;
};

/** Whether a press that hits `found` is a press on `el`: itself, what is in it, its label, the control it is a part of. */
const receives = (el, found) => {
  if (flatContains(el, found)) return true;
  if (labelsOf(el).some((label) => flatContains(label, found) && !activeBetween(found, label, el))) return true;
  for (let e = flatParent(el); e; e = flatParent(e)) if (e.matches(ACTIVE)) return flatContains(e, found);
  return false;
};

/** What a press at a point of the viewport would hit: null when it is `el`, else what is in the way. */
const inTheWay = (el, x, y) => {
  const scopes = scopesOf(el);
  for (let i = 0; i < scopes.length; i++) {
    const found = scopes[i].elementFromPoint(x, y);
    if (!found) return { outside: true };
    const host = scopes[i + 1]?.host;
    if (host ? found === host || host.contains(found) : receives(el, found)) continue;
    return { element: found };
  }
  return null;
};

/** The picture that an area of an image map is a part of. */
const pictureOf = (area) => {
  const name = area.closest("map")?.name;
  return name ? [...area.getRootNode().querySelectorAll("img[usemap]")].find((img) => img.useMap === `#${name}`) ?? null : null;
};

/** The box around an area, as it lies on its picture. Its coordinates are CSS pixels of the picture's content. */
const areaBox = (area) => {
  const img = pictureOf(area);
  if (!img) return null;
  const box = img.getBoundingClientRect(), style = getComputedStyle(img), px = (name) => parseFloat(style[name]) || 0;
  const left = box.left + px("borderLeftWidth") + px("paddingLeft"), top = box.top + px("borderTopWidth") + px("paddingTop");
  const n = area.coords.split(/[\s,;]+/).map(Number).filter(Number.isFinite);
  const shape = area.shape.toLowerCase();
  if (shape === "default" || n.length < 3) return new DOMRect(box.left, box.top, box.width, box.height);
  if (shape.startsWith("circ")) return new DOMRect(left + n[0] - n[2], top + n[1] - n[2], 2 * n[2], 2 * n[2]);
  const xs = n.filter((_, i) => i % 2 === 0), ys = n.filter((_, i) => i % 2);
  const x = Math.min(...xs), y = Math.min(...ys);
  return new DOMRect(left + x, top + y, Math.max(...xs) - x, Math.max(...ys) - y);
};

/** What has a box and scrolls for `el`: itself, or the picture of an area. */
const bodyOf = (el) => (el.matches("area") && pictureOf(el)) || el;

const boxesOf = (el) => {
  if (el.matches("area")) {
    const box = areaBox(el);
    return box && box.width > 0 && box.height > 0 ? [box] : [];
  }
  const solid = (rects) => [...rects].filter((r) => r.width > 0 && r.height > 0);
  const own = solid(el.getClientRects());
  if (own.length || getComputedStyle(el).display !== "contents") return own;
  const range = document.createRange();
  range.selectNodeContents(el);
  return solid(range.getClientRects());
};

/** Why a person could not see `el`, or null. */
const whyHidden = (el) => {
  if (el.matches("area")) {
    const img = pictureOf(el);
    return img ? whyHidden(img) ?? (boxesOf(el).length ? null : "of no size") : "an area of no picture";
  }
  // What has no box of its own may show what is in it.
  const bare = getComputedStyle(el).display === "contents" && boxesOf(el).length > 0;
  if (!bare && !el.checkVisibility()) {
    if (el.matches("option, optgroup")) return "an option of a list that is shut; the `select` verb chooses options";
    return el.closest("details:not([open])") ? "inside shut details" : "not displayed";
  }
  if (!bare && !el.checkVisibility({ visibilityProperty: true })) return "hidden by its style (visibility)";
  return boxesOf(el).length ? null : "of no size";
};

const within = (value, low, high) => Math.min(Math.max(value, low), high);

/** The part of a box that is in the viewport; null when none is. */
const visiblePart = (box) => {
  const left = within(box.left, 0, innerWidth), right = within(box.right, 0, innerWidth);
  const top = within(box.top, 0, innerHeight), bottom = within(box.bottom, 0, innerHeight);
  return right > left && bottom > top ? { left, top, right, bottom } : null;
};

const middle = (box, fx = 0.5, fy = 0.5) => ({
  x: box.left + (box.right - box.left) * fx,
  y: box.top + (box.bottom - box.top) * fy,
});

const inViewport = (p) => p.x >= 0 && p.y >= 0 && p.x < innerWidth && p.y < innerHeight;

/** Where in the viewport a point of a frame's document lies, given as fractions of the frame's viewport. */
const throughFrame = (frame, fraction) => {
  // The browser answers the way in (viewport to box) for any transform through `offsetX`; three probes give the matrix, turned round here.
  const probe = (clientX, clientY) => {
    let at;
    frame.addEventListener("playscript-probe", (e) => { at = [e.offsetX, e.offsetY]; }, { once: true });
    frame.dispatchEvent(new PointerEvent("playscript-probe", { clientX, clientY }));
    return at;
  };
  const [ox, oy] = probe(0, 0), [ax, ay] = probe(1000, 0), [bx, by] = probe(0, 1000);
  const a = (ax - ox) / 1000, b = (bx - ox) / 1000, c = (ay - oy) / 1000, d = (by - oy) / 1000;
  // How many of the probe's pixels a pixel of the frame's style is, with all zooms on the way: the middle of the box tells.
  const box = frame.getBoundingClientRect();
  const [mx, my] = probe(box.left + box.width / 2, box.top + box.height / 2);
  const zoomX = mx / (frame.offsetWidth / 2 - frame.clientLeft), zoomY = my / (frame.offsetHeight / 2 - frame.clientTop);
  const style = getComputedStyle(frame), px = parseFloat;
  const left = px(style.paddingLeft), top = px(style.paddingTop);
  const width = frame.clientWidth - left - px(style.paddingRight), height = frame.clientHeight - top - px(style.paddingBottom);
  const u = (left + fraction.x * width) * zoomX - ox, v = (top + fraction.y * height) * zoomY - oy;
  const det = a * d - b * c;
  const point = { x: (u * d - v * b) / det, y: (a * v - c * u) / det };
  // A frame that is drawn flat has no place to press.
  return Number.isFinite(point.x) && Number.isFinite(point.y) ? point : null;
};
