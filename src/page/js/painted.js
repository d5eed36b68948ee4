// Waits for one animation frame. A page that is hidden has none. One that shows may have none for a while, on a machine that is busy with
// other things or in a window that is covered: a timer ends the wait, late enough that what the page itself asked the frame for is not missed.
tools.painted = () => new Promise(done => {
  if (document.visibilityState === 'hidden') return done(false);
  const timer = setTimeout(() => done(false), 1000);
  requestAnimationFrame(() => {
    clearTimeout(timer);
    done(true);
  });
});
