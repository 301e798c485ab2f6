import { AsyncLocalStorage } from 'node:async_hooks';

const background = new AsyncLocalStorage<true>();

/** Runs work that no open connection waits for: workers reserved for direct calls stay free of it. */
export function inBackground<R>(work: () => R): R {
  return background.run(true, work);
}

/** True inside background work. */
export function isBackground(): boolean {
  return background.getStore() === true;
}
