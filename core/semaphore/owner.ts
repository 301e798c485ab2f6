import { AsyncLocalStorage } from 'node:async_hooks';

const owners = new AsyncLocalStorage<string>();

/** Runs work on behalf of an owner, for example an account or an address; queues give turns by owner. */
export function onBehalfOf<R>(owner: string, work: () => R): R {
  return owners.run(owner, work);
}

/** Names an account as an owner; empty for the caller without an account. */
export function accountOwner(id: string): string {
  return id === '' ? '' : `account ${id}`;
}

/** Names a client's address as an owner. */
export function addressOwner(address: string): string {
  return `address ${address}`;
}

/** Returns the owner of the current work; empty for the server's own. */
export function currentOwner(): string {
  return owners.getStore() ?? '';
}
