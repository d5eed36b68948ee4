// A document stands still for its picture: the caret is hidden, what moves and ends is at its end, what moves for ever is at its start, and
// fonts and pictures that are on their way have come. What was stopped goes on afterwards.

let hidden = null;
let stopped = [];

function roots() {
  const found = [document, ...tools.adopted()];
  for (const root of found) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
    for (let node = walker.currentNode; node; node = walker.nextNode()) {
      if (node.shadowRoot) found.push(node.shadowRoot);
    }
  }
  return found;
}

function stop(animation) {
  // One that is driven by scrolling stands still by itself.
  if (animation.timeline !== document.timeline || !animation.playbackRate) return;
  const { endTime } = animation.effect?.getComputedTiming() ?? {};
  if (Number.isFinite(endTime)) return animation.finish();
  // A rate of nothing, rather than a pause: that would take the stylesheet its say over it.
  stopped.push([animation, animation.playbackRate, animation.currentTime]);
  animation.playbackRate = 0;
  animation.currentTime = 0;
}

const come = picture => picture.complete || new Promise(done => {
  picture.addEventListener('load', done, { once: true });
  picture.addEventListener('error', done, { once: true });
});

function shows(element) {
  const { bottom, right, top, left } = element.getBoundingClientRect();
  return bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
}

tools.still = async () => {
  tools.move();
  hidden = new CSSStyleSheet();
  // It is inherited, so that fields in shadow trees have none either.
  hidden.replaceSync('* { caret-color: transparent !important }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, hidden];
  for (const root of roots()) {
    for (const animation of root.getAnimations()) {
      try {
        stop(animation);
      } catch {
        // It ended, or the page took its effect away, in this moment.
      }
    }
  }
  // Pictures that are fetched only when they are scrolled to may never come.
  const pictures = [...document.images].filter(picture => picture.loading !== 'lazy' || shows(picture));
  await Promise.all([document.fonts.ready, ...pictures.map(come)]);
  await tools.painted();
  await tools.painted();
  await tools.scrolled();
};

tools.move = () => {
  if (hidden) document.adoptedStyleSheets = document.adoptedStyleSheets.filter(sheet => sheet !== hidden);
  hidden = null;
  for (const [animation, rate, time] of stopped) {
    animation.playbackRate = rate;
    animation.currentTime = time;
  }
  stopped = [];
};
