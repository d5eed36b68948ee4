// Whether an element can be acted on now: attached, visible, enabled, still, in view, and the one that would receive the event.
// What is not so yet is waited for in the page, woken by the page's own changes.

/** Why `el` is disabled, or null. `aria-disabled` counts: a person is told that it is off, so a press that goes through would prove nothing. */
const whyDisabled = (el) => {
  for (let e = el; e; e = flatParent(e)) {
    if (e.inert) return e === el ? "inert" : `inside ${describe(e)}, which is inert`;
    if (e.matches(":disabled") && e.matches("button, input, select, textarea, option, optgroup")) {
      const group = e.hasAttribute("disabled") ? null : e.closest("fieldset:disabled");
      return group ? `disabled by its ${describe(group)}` : "disabled";
    }
  }
  for (let e = el; e; e = flatParent(e)) {
    const told = e.getAttribute("aria-disabled");
    if (told === "true") return e === el ? "disabled (aria-disabled)" : `disabled (aria-disabled) by ${describe(e)}`;
    if (told === "false") return null;
  }
  return null;
};

/** What keeps a person from using `el` at all, whatever for: it is not attached, not visible or not enabled. Or null. */
const unusable = (el) => {
  if (!el.isConnected) return { check: "attached", why: "no longer on the page" };
  const hidden = whyHidden(el);
  if (hidden) return { check: "visible", why: hidden };
  const disabled = whyDisabled(el);
  return disabled ? { check: "enabled", why: disabled } : null;
};

// Animating these moves nothing that a press could miss.
const HARMLESS = /^(offset|computedOffset|easing|composite|opacity|color|fill.*|stroke.*|background.*|box-?shadow|border.*color|outline.*|filter|backdrop-?filter|text-?(decoration|shadow).*|caret-?color|accent-?color|cursor)$/i;

/** Running animations of `el` and what it is drawn in that move it and end before `end`. One without an end is not waited for. */
const movements = (el, left) => {
  const list = [];
  for (let e = el; e; e = flatParent(e)) {
    for (const animation of e.getAnimations()) {
      if (animation.playState !== "running" || !(animation.timeline instanceof DocumentTimeline) || !animation.playbackRate) continue;
      const timing = animation.effect?.getComputedTiming();
      if (!timing || !Number.isFinite(timing.endTime) || timing.progress === null) continue;
      const remaining = (timing.endTime - timing.localTime) / Math.abs(animation.playbackRate);
      if (remaining > left) continue;
      if (animation.effect.getKeyframes().some((k) => Object.keys(k).some((name) => !HARMLESS.test(name)))) list.push(animation);
    }
  }
  return list;
};

/** Resolves when the page may have changed: a mutation, a frame, a scroll, a resize, the end of `animations`, or `left` milliseconds. */
const pageChange = (el, left, animations = []) => new Promise((resolve) => {
  const stop = new AbortController();
  // A task of its own: a check forces layout, and must not do so inside every step of a page's rendering.
  const wake = () => {
    if (stop.signal.aborted) return;
    stop.abort();
    observer.disconnect();
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    scheduler.postTask(resolve, { priority: "user-blocking" });
  };
  const observer = new MutationObserver(wake);
  for (const scope of el.isConnected ? scopesOf(el) : [document]) {
    observer.observe(scope, { subtree: true, childList: true, attributes: true, characterData: true });
  }
  for (const type of ["scroll", "scrollend", "load"]) addEventListener(type, wake, { capture: true, passive: true, signal: stop.signal });
  addEventListener("resize", wake, { signal: stop.signal });
  const timer = setTimeout(wake, left);
  const frame = requestAnimationFrame(wake);
  for (const animation of animations) animation.finished.then(wake, wake);
});

/** Waits until `check` answers with something that is not `{ check }` (a failure), or the time is up; the last answer is the result. */
const waitFor = async (el, budget, check) => {
  const end = performance.now() + budget;
  for (;;) {
    const left = end - performance.now();
    const answer = check(left);
    // What has left the document does not come back by waiting here: it is looked up again from outside.
    if (!answer.check || answer.check === "attached" || answer.final || left <= 0) return strip(answer);
    await pageChange(el, left, answer.animations);
  }
};

const strip = ({ animations, ...answer }) => answer;

/** Scrolls what holds `el` until the point is in the middle (or at a fraction) of each scroller. */
const bringIntoView = (el, pointOf, fraction) => {
  for (let e = flatParent(bodyOf(el)); e; e = flatParent(e)) {
    const root = e === document.scrollingElement;
    const scrolls = root || /auto|scroll|hidden/.test(getComputedStyle(e).overflow);
    if (!scrolls || (e.scrollHeight <= e.clientHeight && e.scrollWidth <= e.clientWidth)) continue;
    const box = root ? { left: 0, top: 0, right: innerWidth, bottom: innerHeight } : e.getBoundingClientRect();
    const p = pointOf();
    if (!p) return;
    const out = (v, low, high) => (v < low || v >= high ? v - (low + (high - low) * fraction) : 0);
    const dy = fraction === 0.5 ? out(p.y, box.top, box.bottom) : p.y - (box.top + (box.bottom - box.top) * fraction);
    e.scrollBy({ left: out(p.x, box.left, box.right), top: dy, behavior: "instant" });
  }
};

const SCROLLS = [
  (el) => bodyOf(el).scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" }),
  (el, point) => bringIntoView(el, point, 0.5),
  (el) => bodyOf(el).scrollIntoView({ block: "center", inline: "center", behavior: "instant" }),
  (el) => bodyOf(el).scrollIntoView({ block: "end", inline: "nearest", behavior: "instant" }),
  (el) => bodyOf(el).scrollIntoView({ block: "start", inline: "nearest", behavior: "instant" }),
  (el, point) => bringIntoView(el, point, 0.3),
  (el, point) => bringIntoView(el, point, 0.7),
];

// The middle first, then further out: a ring has nothing but its edge.
const SPREAD = [0.5, 0.2, 0.8, 0.04, 0.96];

/** Where to press `el`: a point that it receives, scrolling when needed; else what is in the way. */
class Aim {
  constructor(el, options) {
    this.el = el;
    this.options = options;
    this.tried = null;
  }

  /** The one point that is asked for: an offset, a place inside a frame, else the middle of the first box. */
  point = () => {
    const { at, fraction } = this.options;
    if (fraction) return throughFrame(this.el, fraction);
    if (at) {
      const box = this.el.matches("area") ? areaBox(this.el) : this.el.getBoundingClientRect();
      return box && { x: box.left + at.x, y: box.top + at.y };
    }
    const box = boxesOf(this.el)[0];
    if (!box) return null;
    // Of what is larger than the viewport, the middle of the part that shows.
    const large = box.width > innerWidth || box.height > innerHeight;
    const part = large ? visiblePart(box) : null;
    return middle(part ?? box);
  };

  /** More places where a person could press what is partly covered, or is drawn in several pieces. */
  *others() {
    if (this.options.at || this.options.fraction) return;
    const boxes = boxesOf(this.el).slice(0, 8);
    for (const box of boxes) yield middle(box);
    for (const box of boxes) {
      const part = visiblePart(box);
      if (part) for (const fy of SPREAD) for (const fx of SPREAD) yield middle(part, fx, fy);
    }
  }

  test(p) {
    if (!p) return { hidden: true };
    return inTheWay(this.el, p.x, p.y);
  }

  find() {
    const first = this.point();
    let way = this.test(first);
    if (!way) return { point: first };
    // Scrolling again for the same obstacle at the same place would only make the page jump.
    const box = this.el.getBoundingClientRect();
    const state = [box.x, box.y, box.width, box.height, innerWidth, innerHeight].join();
    if (this.tried?.state === state && this.tried.by === way.element) return { way: this.tried.way };
    for (const scroll of SCROLLS) {
      scroll(this.el, this.point);
      const p = this.point();
      const now = this.test(p);
      if (!now) return { point: p };
      if (!now.outside) way = now;
    }
    SCROLLS[2](this.el, this.point);
    for (const p of this.others()) if (inViewport(p) && !this.test(p)) return { point: p };
    const after = this.el.getBoundingClientRect();
    const at = this.test(this.point());
    this.tried = { state: [after.x, after.y, after.width, after.height, innerWidth, innerHeight].join(), by: at?.element, way };
    return { way };
  }
}

/** What really is pressed for `el`: itself, or a label of a control that nobody could see or hit (a styled checkbox). */
const standIns = (el) => [el, ...labelsOf(el)];

/** Where an element is in the window, with what covers it there. */
const placeOf = (aim) => {
  let point = aim.point();
  for (const scroll of SCROLLS) {
    if (point && inViewport(point)) break;
    scroll(aim.el, aim.point);
    point = aim.point();
  }
  if (!point || !inViewport(point)) return { check: "in-view", why: "outside the window, and scrolling does not bring it in" };
  const way = aim.test(point);
  return { x: point.x, y: point.y, fx: point.x / innerWidth, fy: point.y / innerHeight, by: way?.element ? describeBlocker(way.element, aim.el) : null };
};

/**
 * One look at everything an act needs. `mode` is press, hover, scroll, frame (the frame an act goes through) or place (where it
 * is, whatever covers it: told as `by`). Answers `{ x, y, … }` or `{ check, why, by }`.
 */
const look = (el, mode, aims, left) => {
  if (!el.isConnected) return { check: "attached", why: "no longer on the page" };
  const hidden = whyHidden(el);
  const candidates = aims.filter((aim) => !whyHidden(aim.el));
  if (!candidates.length) return { check: "visible", why: hidden, final: el.matches("option, optgroup") && left <= 0 };
  const disabled = mode === "press" ? whyDisabled(el) : null;
  if (disabled) return { check: "enabled", why: disabled };
  if (mode === "place") return placeOf(candidates[0]);
  let failure;
  for (const aim of candidates) {
    const animations = movements(aim.el, left);
    if (animations.length) return { check: "still", why: "still moving", animations };
    const { point, way } = aim.find();
    if (point) return { x: point.x, y: point.y, fx: point.x / innerWidth, fy: point.y / innerHeight, frame: el.matches("iframe, frame, object, embed") };
    if (mode === "scroll") return { x: 0, y: 0, fx: 0, fy: 0 };
    // An obstacle says more than a place outside the window; the label of a hidden control says more than the control.
    failure = way.element
      ? { check: "receives", why: "covered", by: describeBlocker(way.element, el) }
      : failure ?? { check: "in-view", why: "outside the window, and scrolling does not bring it in" };
  }
  return failure;
};

/** Waits until `el` is ready for an act. `options`: mode, budget (ms), at, fraction, still (wait for a frame first), token (arms the guard). */
const ready = async (el, options) => {
  if (el.nodeType !== Node.ELEMENT_NODE) el = el.parentElement ?? flatParent(el);
  if (!el) return { check: "attached", why: "no longer on the page" };
  if (options.still) await new Promise((resolve) => { requestAnimationFrame(resolve); setTimeout(resolve, Math.min(options.budget, 100)); });
  const aims = (options.mode === "frame" || options.at ? [el] : standIns(el)).map((e) => new Aim(e, options));
  const answer = await waitFor(el, options.budget, (left) => look(el, options.mode, aims, left));
  if (!answer.check && options.token) guard.arm(options.token, options.mode === "frame" ? null : el, options.budget);
  return answer;
};
