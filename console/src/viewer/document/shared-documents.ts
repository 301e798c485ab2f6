import { signal } from '@preact/signals';
import { ViewedDocument, ViewError } from '../engine/index.ts';

/** Longer than it takes to go from one view of a file to another. */
const KEPT_MS = 5000;

interface Shared {
  readonly opened: Promise<ViewedDocument>;
  users: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

const shared = new WeakMap<Blob, Shared>();
const passwords = new WeakMap<Blob, string>();
/** Counts the passwords that were entered: views of locked files then try again. */
export const passwordsEntered = signal(0);

/** The password that opened this file in a view. */
export function passwordOf(file: Blob): string | undefined {
  return passwords.get(file);
}

export function enterPassword(file: Blob, password: string): void {
  passwords.set(file, password);
  shared.delete(file);
  passwordsEntered.value++;
}

/** Reports the password of a file: now, if it was entered already, and when it is. Returns what ends this. */
export function followPassword(file: Blob, report: (password: string) => void): () => void {
  return passwordsEntered.subscribe(() => {
    const password = passwordOf(file);
    if (password !== undefined) report(password);
  });
}

/** Whether a PDF does not open without a password. */
export async function needsPassword(file: Blob): Promise<boolean> {
  try {
    (await ViewedDocument.open(file, undefined)).close();
    return false;
  } catch (error) {
    return error instanceof ViewError && error.code === 'password';
  }
}

/** Opens a file for a view; all views of a file share it. Rejects with a ViewError. */
export function openShared(file: Blob, password: string | undefined): Promise<ViewedDocument> {
  const given = passwords.get(file) ?? password;
  let entry = shared.get(file);
  if (entry === undefined) {
    entry = { opened: ViewedDocument.open(file, given), users: 0, timer: undefined };
    shared.set(file, entry);
    const opening = entry;
    opening.opened.catch(() => shared.get(file) === opening && shared.delete(file));
  }
  entry.users++;
  clearTimeout(entry.timer);
  return entry.opened;
}

/** A view does not need the file any more; the last one closes it after a while. */
export function leaveShared(file: Blob, opened: Promise<ViewedDocument>): void {
  const entry = shared.get(file);
  if (entry === undefined || entry.opened !== opened || --entry.users > 0) return;
  entry.timer = setTimeout(() => {
    if (entry.users > 0) return;
    if (shared.get(file) === entry) shared.delete(file);
    void opened.then(
      (document) => document.close(),
      () => undefined,
    );
  }, KEPT_MS);
}
