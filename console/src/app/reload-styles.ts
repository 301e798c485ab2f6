const PAUSES_MS = [250, 1500, 5000];

/**
 * Loads style sheets of screens again that failed. The screen is shown meanwhile: `vite:preloadError` would give it up.
 */
export function reloadStyles(): void {
  const tries = new Map<string, number>();
  addEventListener('vite:preloadError', (event) => {
    if (event.payload.message.includes('CSS')) event.preventDefault();
  });
  const reload = ({ target }: Event): void => {
    if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return;
    const tried = tries.get(target.href) ?? 0;
    const ms = PAUSES_MS[tried];
    if (ms === undefined) return;
    tries.set(target.href, tried + 1);
    setTimeout(() => {
      const again = target.cloneNode() as HTMLLinkElement;
      target.replaceWith(again);
    }, ms);
  };
  // Errors of elements do not bubble.
  document.addEventListener('error', reload, true);
}
