import { AsyncLocalStorage } from 'node:async_hooks';

const background = new AsyncLocalStorage<true>();

/**
 * Does work for which nobody holds a connection open: everything it starts in workers leaves their share to direct
 * calls.
 */
export function inBackground<R>(work: () => R): R {
  return background.run(true, work);
}

/** True inside such work. */
export function isBackground(): boolean {
  return background.getStore() === true;
}
