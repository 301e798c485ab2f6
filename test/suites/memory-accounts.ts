import type { Accounts, User, UserListener } from '../../core/accounts/index.js';

/** Accounts without a store, for tests of features that depend on accounts. */
export class MemoryAccounts implements Pick<Accounts, 'byId' | 'byName' | 'onUserChange'> {
  readonly #users = new Map<string, User>();
  readonly #listeners: UserListener[] = [];
  /** Number of account lookups. */
  reads = 0;

  /** Adds an enabled user with these differences. */
  add(more: Partial<User> = {}): User {
    const id = String(this.#users.size + 1);
    const user: User = {
      id,
      username: `user${id}`,
      displayName: null,
      pictureVersion: null,
      role: 'ROLE_USER',
      enabled: true,
      authenticationType: 'web',
      teamId: null,
      teamLead: false,
      mustChangePassword: false,
      setupComplete: true,
      mfaEnabled: false,
      mfaRequired: false,
      sessionVersion: 1,
      createdAt: '2026-01-01T00:00:00.000Z',
      lastLogin: null,
      ...more,
    };
    this.#users.set(user.id, user);
    return user;
  }

  /** Changes a user and notifies the listeners; `silently`: as if another server on the same store did it. */
  async change(id: string, more: Partial<User>, silently = false): Promise<void> {
    const user = this.#users.get(id);
    if (user === undefined) throw new Error(`no user ${id}`);
    this.#users.set(id, { ...user, ...more });
    if (!silently) for (const listener of this.#listeners) await listener(id, 'changed');
  }

  async remove(id: string): Promise<void> {
    this.#users.delete(id);
    for (const listener of this.#listeners) await listener(id, 'gone');
  }

  async byId(id: string): Promise<User | undefined> {
    this.reads += 1;
    return this.#users.get(id);
  }

  async byName(username: string): Promise<User | undefined> {
    this.reads += 1;
    return [...this.#users.values()].find((user) => user.username.toLowerCase() === username.toLowerCase());
  }

  onUserChange(listener: UserListener): void {
    this.#listeners.push(listener);
  }
}

/** A clock that only moves when a test moves it. */
export class HandClock {
  #ms: number;

  constructor(start = '2026-06-15T12:00:00Z') {
    this.#ms = Date.parse(start);
  }

  readonly now = (): Date => new Date(this.#ms);

  forward(seconds: number): void {
    this.#ms += seconds * 1000;
  }
}

/** A log that records its messages. */
export function keptLog(): {
  readonly lines: string[];
  debug(data: object, message: string): void;
  info(data: object, message: string): void;
  warn(data: object, message: string): void;
  error(data: object, message: string): void;
} {
  const lines: string[] = [];
  const keep = (data: object, message: string): void => {
    lines.push(`${message} ${JSON.stringify(data)}`);
  };
  return { lines, debug: keep, info: keep, warn: keep, error: keep };
}
