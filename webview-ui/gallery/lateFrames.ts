// A page on a machine that has much else to do: what is put off until the next frame, a timer or a measurement comes
// late, and keys come before it. It runs in the page, before anything else, and knows nothing outside of itself.

/** @param delayMs by which all of it comes later */
export function lateFrames(delayMs: number): void {
  const frame = window.requestAnimationFrame.bind(window);
  const timer = window.setTimeout.bind(window);
  window.requestAnimationFrame = (done) => frame(() => timer(() => frame(done), delayMs));
  Object.assign(window, {
    setTimeout: (done: () => void, ms = 0) => timer(done, ms + delayMs),
    ResizeObserver: class extends ResizeObserver {
      constructor(done: ResizeObserverCallback) {
        super((entries, observer) => timer(() => done(entries, observer), delayMs));
      }
    },
    IntersectionObserver: class extends IntersectionObserver {
      constructor(done: IntersectionObserverCallback, options?: IntersectionObserverInit) {
        super((entries, observer) => timer(() => done(entries, observer), delayMs), options);
      }
    },
  });
}
