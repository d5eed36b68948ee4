// Waits for one animation frame. A page that is hidden has none, and a frame that is out of sight may have few: a timer ends the wait.
tools.painted = () => new Promise(done => {
  if (document.visibilityState === 'hidden') return done(false);
  const timer = setTimeout(() => done(false), 100);
  requestAnimationFrame(() => {
    clearTimeout(timer);
    done(true);
  });
});
