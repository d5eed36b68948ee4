({ seed, clock }) => {
  // With a seed it makes chance and dates repeatable, and knows what is about to happen; with a clock it sets the dates. It stands in the page's own world, so every function that is
  // put in place of a native one looks and behaves as that does.
  const key = Symbol.for('playscript.kit');
  if (globalThis[key]) return;

  const { apply, defineProperty, getOwnPropertyDescriptor } = Reflect;
  const native = {
    setTimeout: globalThis.setTimeout, now: Date.now, performanceNow: performance.now.bind(performance),
    toString: Function.prototype.toString,
  };

  // --- looking native ---------------------------------------------------------------------------------------------------------
  const originals = new WeakMap();
  function disguise(replacement, original) {
    originals.set(replacement, original);
    for (const name of ['name', 'length']) defineProperty(replacement, name, getOwnPropertyDescriptor(original, name));
    return replacement;
  }
  // Methods written in short form have no prototype and can't be constructed, as native functions.
  function replace(owner, name, make) {
    const descriptor = owner && getOwnPropertyDescriptor(owner, name);
    if (!descriptor || typeof descriptor.value !== 'function' || !descriptor.configurable) return;
    const original = descriptor.value;
    defineProperty(owner, name, { ...descriptor, value: disguise(make(original), original) });
  }
  replace(Function.prototype, 'toString', original => ({
    toString() { return apply(original, originals.get(this) ?? this, []); },
  }).toString);

  // --- chance -----------------------------------------------------------------------------------------------------------------
  if (seed !== null) {
    // Sixty-four bits of seed are spread over four words; the generator is xoshiro128**.
    const state = new Uint32Array(4);
    let word = BigInt(seed);
    for (let i = 0; i < 4; i++) {
      word = (word + 0x9e3779b97f4a7c15n) & 0xffffffffffffffffn;
      let mixed = word;
      mixed = ((mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n) & 0xffffffffffffffffn;
      mixed = ((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn) & 0xffffffffffffffffn;
      state[i] = Number((mixed ^ (mixed >> 31n)) & 0xffffffffn);
    }
    const turn = (x, by) => (x << by) | (x >>> (32 - by));
    function next() {
      const result = Math.imul(turn(Math.imul(state[1], 5), 7), 9) >>> 0;
      const shifted = state[1] << 9;
      state[2] ^= state[0];
      state[3] ^= state[1];
      state[1] ^= state[2];
      state[0] ^= state[3];
      state[2] ^= shifted;
      state[3] = turn(state[3], 11);
      return result;
    }
    replace(Math, 'random', () => ({ random() { return ((next() >>> 5) * 67108864 + (next() >>> 6)) / 9007199254740992; } }).random);
    const crypto = globalThis.Crypto?.prototype;
    replace(crypto, 'getRandomValues', original => ({
      getRandomValues(array) {
        // The native one checks the kind and the size.
        apply(original, this, [array]);
        const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
        for (let i = 0; i < bytes.length; i++) bytes[i] = next() >>> 24;
        return array;
      },
    }).getRandomValues);
    replace(crypto, 'randomUUID', original => ({
      randomUUID() {
        apply(original, this, []);
        const bytes = Array.from({ length: 16 }, () => next() >>> 24);
        bytes[6] = (bytes[6] & 15) | 64;
        bytes[8] = (bytes[8] & 63) | 128;
        const hex = bytes.map(byte => byte.toString(16).padStart(2, '0')).join('');
        return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
      },
    }).randomUUID);
  }

  // --- dates ------------------------------------------------------------------------------------------------------------------
  // With a seed every document begins at the same moment. While it loads, time goes on by a millisecond a question, so that what it takes
  // from the date at its start is the same each time; from then on time flows, since debouncing and animations need it to. Without one,
  // time flows from the scenario's beginning on, from document to document.
  const beginning = clock ? clock.at : 1_767_268_800_000; // 2026-01-01T12:00:00Z
  let asked = 0;
  let flows;
  function now() {
    if (clock && !clock.runs) return clock.at;
    if (seed === null) return clock.at + native.now() - clock.begun;
    if (flows === undefined) return beginning + asked++;
    return Math.floor(beginning + asked + native.performanceNow() - flows);
  }
  addEventListener('load', () => native.setTimeout.call(globalThis, () => { flows = native.performanceNow(); }, 0), { once: true, capture: true });
  const NativeDate = Date;
  const SeededDate = disguise(function Date(...args) {
    if (!new.target) return new NativeDate(now()).toString();
    const target = new.target === SeededDate ? NativeDate : new.target;
    return Reflect.construct(NativeDate, args.length ? args : [now()], target);
  }, NativeDate);
  defineProperty(SeededDate, 'prototype', { value: NativeDate.prototype, writable: false, enumerable: false, configurable: false });
  for (const name of ['parse', 'UTC']) defineProperty(SeededDate, name, getOwnPropertyDescriptor(NativeDate, name));
  defineProperty(SeededDate, 'now', { ...getOwnPropertyDescriptor(NativeDate, 'now'), value: disguise({ now() { return now(); } }.now, native.now) });
  defineProperty(NativeDate.prototype, 'constructor', { ...getOwnPropertyDescriptor(NativeDate.prototype, 'constructor'), value: SeededDate });
  defineProperty(globalThis, 'Date', { ...getOwnPropertyDescriptor(globalThis, 'Date'), value: SeededDate });

  // --- what is about to happen ------------------------------------------------------------------------------------------------
  // Callbacks for the next frames, timers that are due within a frame or so, and messages to oneself (frameworks schedule work by them).
  if (seed === null) {
    defineProperty(globalThis, key, { value: Object.freeze({ pending: () => true }) });
    return;
  }
  const soon = 20;
  const frames = new Set();
  const timers = new Map();
  let messages = 0;

  replace(globalThis, 'requestAnimationFrame', original => ({
    requestAnimationFrame(callback) {
      if (typeof callback !== 'function') return apply(original, this, arguments);
      const id = apply(original, this, [time => { frames.delete(id); return apply(callback, undefined, [time]); }]);
      frames.add(id);
      return id;
    },
  }).requestAnimationFrame);
  replace(globalThis, 'cancelAnimationFrame', original => ({
    cancelAnimationFrame(id) { frames.delete(id); return apply(original, this, arguments); },
  }).cancelAnimationFrame);
  replace(globalThis, 'setTimeout', original => ({
    setTimeout(handler, timeout, ...args) {
      // Text is compiled by the native one; long timers are not waited for.
      if (typeof handler !== 'function' || Number(timeout) > soon) return apply(original, this, arguments);
      const id = apply(original, this, [function (...given) { timers.delete(id); return apply(handler, this, given); }, timeout, ...args]);
      timers.set(id, true);
      return id;
    },
  }).setTimeout);
  for (const name of ['clearTimeout', 'clearInterval']) {
    replace(globalThis, name, original => ({
      [name](id) { timers.delete(Number(id)); return apply(original, this, arguments); },
    })[name]);
  }
  function later() {
    messages++;
    native.setTimeout.call(globalThis, () => { messages--; }, 0);
  }
  replace(globalThis.MessagePort?.prototype, 'postMessage', original => ({
    postMessage(message) { later(); return apply(original, this, arguments); },
  }).postMessage);
  replace(globalThis, 'postMessage', original => ({
    postMessage(message) { later(); return apply(original, this, arguments); },
  }).postMessage);

  defineProperty(globalThis, key, {
    value: Object.freeze({ pending: () => frames.size > 0 || timers.size > 0 || messages > 0 }),
  });
}
