// Waits for one animation frame, and for one turn of timers: what an act's handlers put off to either has run then. A page that is hidden
// has no frames. One that shows may have none for a while, on a machine that is busy with other things or in a window that is covered: a
// timer ends the wait, late enough that what the page itself asked the frame for is not missed.
tools.painted = () => new Promise(done => {
  if (document.visibilityState === 'hidden') return done(false);
  const timer = setTimeout(() => done(false), 1000);
  let due = 2;
  const turn = () => {
    if (--due) return;
    clearTimeout(timer);
    done(true);
  };
  setTimeout(turn);
  requestAnimationFrame(turn);
});
