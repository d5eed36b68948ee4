// A turn of the wheel is over when the page took it for itself, or scrolling has come to its end, or nothing there can scroll.

const canScroll = (el, dx, dy) => {
  for (let e = el; e; e = flatParent(e)) {
    const root = e === document.scrollingElement;
    const style = getComputedStyle(e);
    const roomX = dx < 0 ? e.scrollLeft > 0 || style.direction === "rtl" : e.scrollLeft + e.clientWidth < e.scrollWidth - 1;
    const roomY = dy < 0 ? e.scrollTop > 0 : e.scrollTop + e.clientHeight < e.scrollHeight - 1;
    if (dx && roomX && (root ? style.overflowX !== "hidden" : /auto|scroll/.test(style.overflowX))) return true;
    if (dy && roomY && (root ? style.overflowY !== "hidden" : /auto|scroll/.test(style.overflowY))) return true;
  }
  return false;
};

const wheels = new Map();

/** Begins to watch for the wheel; `wheelDone` tells how it ended. */
const watchWheel = (token, dx, dy) => {
  const stop = new AbortController();
  const watch = { scrolling: false };
  watch.ended = new Promise((resolve) => {
    watch.end = (answer) => {
      stop.abort();
      wheels.delete(token);
      resolve(answer);
    };
  });
  addEventListener("wheel", (event) => {
    const at = event.composedPath()[0];
    if (!event.isTrusted || !(at instanceof Element)) return;
    const room = canScroll(at, dx, dy);
    // After all of the page's listeners.
    scheduler.postTask(() => {
      if (event.defaultPrevented) watch.end({ taken: true });
      else if (!room) watch.end({ still: true });
    }, { priority: "user-blocking" });
  }, { capture: true, passive: true, signal: stop.signal });
  addEventListener("scroll", () => { watch.scrolling = true; }, { capture: true, passive: true, signal: stop.signal });
  addEventListener("scrollend", () => watch.end({ scrolled: true }), { capture: true, signal: stop.signal });
  wheels.set(token, watch);
};

const wheelDone = async (token, budget) => {
  const watch = wheels.get(token);
  if (!watch) return { still: true };
  const timer = setTimeout(() => watch.end({ still: true }), budget);
  const answer = await watch.ended;
  clearTimeout(timer);
  return answer;
};

/** A frame inside got the wheel and had no use for it: if this one has a use for it, it shows within a few frames. */
const wheelPassedOn = async (token) => {
  for (let frame = 0; frame < 3; frame++) {
    await new Promise((resolve) => { requestAnimationFrame(resolve); setTimeout(resolve, 50); });
  }
  const watch = wheels.get(token);
  if (watch && !watch.scrolling) watch.end({ still: true });
};
