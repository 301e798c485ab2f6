import { useEffect, useState } from 'preact/hooks';
import { loadModule } from '../../api/index.ts';
import type { Draft } from './draft.ts';
import type { PickedFile } from './file-checks.ts';

/** After the last key: a password is tried when it seems to be complete. */
const TRIED_AFTER_MS = 500;

/**
 * Returns the name of the first chosen file that needs a password, where the tool has a field for it that is empty. A
 * password that was entered elsewhere to look at the file is put into the field; what is entered in the field opens the
 * file for its views.
 */
export function useLockedFile(draft: Draft): string | undefined {
  const { password, parts } = draft.operation;
  const files = draft.files.value[parts[0]?.field ?? ''];
  const [locked, setLocked] = useState<Locked | undefined>();
  useEffect(() => {
    setLocked(undefined);
    if (password === undefined || files === undefined) return undefined;
    let left = false;
    let stop: (() => void) | undefined;
    void findLocked(files).then((found) => {
      if (left || found === undefined) return;
      setLocked(found);
      stop = found.follow((entered) => {
        if ((draft.values.peek()[password] ?? '') === '') draft.set(password, entered);
      });
    });
    return () => {
      left = true;
      stop?.();
    };
  }, [files, password]);
  const value = password === undefined ? '' : String(draft.values.value[password] ?? '');
  useEffect(() => {
    if (locked === undefined || value === '') return undefined;
    const timer = setTimeout(() => locked.enter(value), TRIED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [locked, value]);
  return password !== undefined && value === '' ? locked?.name : undefined;
}

interface Locked {
  readonly name: string;
  /** Reports the password that opens it; returns what ends this. */
  readonly follow: (report: (password: string) => void) => () => void;
  /** Opens it for its views. */
  readonly enter: (password: string) => void;
}

/** Loads the viewer, which knows: only for tools that have a field for the password. */
async function findLocked(files: readonly PickedFile[]): Promise<Locked | undefined> {
  const viewer = await loadModule(() => import('../../viewer/index.ts'));
  const locked: File[] = [];
  for (const { file } of files) if (file.size > 0 && (await viewer.needsPassword(file))) locked.push(file);
  const [first] = locked;
  if (first === undefined) return undefined;
  return {
    name: first.name,
    follow: (report) => viewer.followPassword(first, report),
    enter: (password) => {
      for (const file of locked) if (viewer.passwordOf(file) !== password) viewer.enterPassword(file, password);
    },
  };
}

/** A file that its views and the next tools open with a password that is known; empty if it has none. */
export async function withPassword(file: File, password: string): Promise<File> {
  if (password === '') return file;
  const { enterPassword } = await loadModule(() => import('../../viewer/index.ts'));
  enterPassword(file, password);
  return file;
}
