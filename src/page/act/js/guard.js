// The last check is made by the press itself. Listeners at the window see the real event before anything in the page acts on it:
// a press that would reach another element than the wanted one is taken out whole, from the pointer going down to the click.

const PRESS = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu", "dragstart"];

const guard = {
  current: null,
  verdicts: new Map(),

  /** From now on the next press has to reach `el`; with null, it has to reach nothing in this document. */
  arm(token, el, budget) {
    listen();
    this.current = { token, el, decided: false, blocking: false, until: performance.now() + budget + 1000 };
  },

  /** Resolves with what became of the press: `{ pressed: true }`, `{ pressed: false, by }` or, when it came to nothing here, `{ missed: true }`. */
  verdict(token) {
    return new Promise((resolve) => {
      const said = this.verdicts.get(token);
      if (said?.answer) resolve(said.answer);
      else this.verdicts.set(token, { resolve });
    });
  },

  say(token, answer) {
    const waiting = this.verdicts.get(token);
    waiting?.resolve?.(answer);
    // The question may come after the answer.
    this.verdicts.set(token, { answer });
    if (this.verdicts.size > 16) this.verdicts.delete(this.verdicts.keys().next().value);
  },

  /** Ends the watch; tells what it saw. */
  disarm(token) {
    const seen = this.current?.token === token ? this.current : null;
    if (seen) this.current = null;
    if (!this.verdicts.get(token)?.answer) this.say(token, { missed: true });
    return this.verdicts.get(token).answer;
  },

  onEvent(event) {
    const watch = this.current;
    if (!watch || !event.isTrusted) return;
    if (performance.now() > watch.until) {
      this.current = null;
      return;
    }
    if (!watch.decided && (event.type === "pointerdown" || event.type === "mousedown")) {
      watch.decided = true;
      watch.blocking = !(watch.el && reached(watch.el, event));
      if (!watch.blocking) this.current = null;
      this.say(watch.token, watch.blocking ? { pressed: false, by: describeBlocker(event.composedPath()[0], watch.el) } : { pressed: true });
    }
    if (watch.blocking) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  },
};

/** Whether the event is on its way to `el`. */
const reached = (el, event) => {
  if (!el.isConnected) return false;
  const seen = event.composedPath()[0];
  if (!(seen instanceof Element)) return false;
  if (receives(el, seen)) return true;
  // Of a closed shadow tree the event shows the host only; what is met inside it at that point tells the rest.
  const closed = scopesOf(el).find((scope) => scope instanceof ShadowRoot && scope.mode === "closed");
  return Boolean(closed) && flatContains(closed.host, seen) && !inTheWay(el, event.clientX, event.clientY);
};

const onPress = (event) => guard.onEvent(event);

/** Listening twice is listening once. A page that writes itself anew (`document.open`) takes all listeners away, so that each watch asks for them. */
const listen = () => {
  for (const type of PRESS) addEventListener(type, onPress, { capture: true, passive: false });
};

listen();
