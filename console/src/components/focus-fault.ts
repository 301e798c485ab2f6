/**
 * Goes to what is wrong once it is marked: to the first control of the first element that one of the selectors finds,
 * tried in their order.
 */
export function focusFault(...selectors: readonly string[]): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const [wrong] = selectors.flatMap((selector) => document.querySelector(selector) ?? []);
      wrong?.querySelector<HTMLElement>('input, select, textarea, button')?.focus();
      wrong?.scrollIntoView({ block: 'center' });
    }),
  );
}
