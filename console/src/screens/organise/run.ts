import { asProblem, type Problem, upload } from '../../api/index.ts';
import { reportOf } from '../tool/run/report.ts';
import { passwordOf } from '../../viewer/index.ts';
import type { Entries } from './organiser.ts';
import { toCall } from './page-list.ts';

export interface Made {
  readonly file: File;
  readonly warnings: string | undefined;
}

const REMOVE_PASSWORD = '/api/v1/security/remove-password';
const ASSEMBLE = '/api/v1/general/assemble-pages';

/** More than one password is needed: one call opens all files with the same. */
export class SeveralPasswords extends Error {}

/**
 * Puts the document together, in one call; locked files are opened in it. Rejects with a `Problem`, or with
 * SeveralPasswords.
 */
export async function assemble(
  entries: Entries,
  name: string,
  signal: AbortSignal,
  progress: (sent: number, total: number) => void,
): Promise<Made> {
  const { files, pages } = toCall(entries);
  const passwords = new Set(files.flatMap(({ file }) => passwordOf(file) ?? []));
  if (passwords.size > 1) throw new SeveralPasswords();
  const [password] = passwords;
  const form = (): FormData => {
    const data = new FormData();
    for (const { file, name: fileName } of files) data.append('fileInput', file, fileName);
    if (password === undefined) data.append('pages', pages);
    else data.append('json', JSON.stringify(unlocking(password, pages)));
    return data;
  };
  const path = password === undefined ? 'general/assemble-pages' : 'pipeline/handleData';
  const { blob, header } = await upload(path, form, { signal, progress });
  return { file: new File([blob], name, { type: 'application/pdf' }), warnings: reportOf({ header }).warnings };
}

function unlocking(password: string, pages: string): object {
  return {
    pipeline: [
      { operation: REMOVE_PASSWORD, parameters: { password } },
      { operation: ASSEMBLE, parameters: { pages } },
    ],
  };
}

export function problemOf(error: unknown): Problem | SeveralPasswords {
  return error instanceof SeveralPasswords ? error : asProblem(error);
}
