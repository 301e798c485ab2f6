import { useEffect, useState } from 'preact/hooks';
import { loadModule } from '../../api/index.ts';
import type { Draft } from './draft.ts';
import type { PickedFile } from './file-checks.ts';

/**
 * Returns the name of the first chosen file that needs a password, where the tool has a field for it that is empty. A
 * password that was entered to look at the file is put into the field.
 */
export function useLockedFile(draft: Draft): string | undefined {
  const { password, parts } = draft.operation;
  const files = draft.files.value[parts[0]?.field ?? ''];
  const [locked, setLocked] = useState<File | undefined>();
  useEffect(() => {
    setLocked(undefined);
    if (password === undefined || files === undefined) return undefined;
    let left = false;
    let stop: (() => void) | undefined;
    void findLocked(files).then(({ found, followPassword }) => {
      if (left || found === undefined) return;
      setLocked(found);
      stop = followPassword(found, (entered) => {
        if ((draft.values.peek()[password] ?? '') === '') draft.set(password, entered);
      });
    });
    return () => {
      left = true;
      stop?.();
    };
  }, [files, password]);
  const isEmpty = password !== undefined && (draft.values.value[password] ?? '') === '';
  return isEmpty ? locked?.name : undefined;
}

/** Loads the viewer, which knows: only for tools that have a field for the password. */
async function findLocked(files: readonly PickedFile[]) {
  const { followPassword, needsPassword } = await loadModule(() => import('../../viewer/index.ts'));
  for (const { file } of files)
    if (file.size > 0 && (await needsPassword(file))) return { found: file, followPassword };
  return { found: undefined, followPassword };
}
