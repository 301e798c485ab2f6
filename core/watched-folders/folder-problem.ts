import { isQuireError } from '@quire/registry';

/** Why nothing of a watched folder is worked on at the moment. */
export type ProblemKind =
  | 'no-pipeline'
  | 'several-pipelines'
  | 'pipeline-invalid'
  | 'output-refused'
  | 'not-allowed'
  | 'not-writable'
  | 'disk-full'
  | 'unreadable'
  | 'failed';

/** A watched folder cannot be worked on; its files stay where they are until it can. */
export class FolderProblem extends Error {
  constructor(
    readonly kind: ProblemKind,
    message: string,
    readonly faults: readonly { readonly pointer: string; readonly detail: string }[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'FolderProblem';
  }
}

/** A fault of the file system as a problem of the folder; undefined for any other error. */
export function diskProblem(error: unknown): FolderProblem | undefined {
  const { code, message, path: from, dest } = (error ?? {}) as NodeJS.ErrnoException & { readonly dest?: string };
  const path = dest ?? from;
  const what = `${code ?? ''}${path === undefined ? '' : ` at ${JSON.stringify(path)}`}`;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new FolderProblem('not-writable', `The server has no right to write or read here (${what}).`, [], {
      cause: error,
    });
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new FolderProblem('disk-full', `There is no space left (${what}).`, [], { cause: error });
  if (code !== undefined && /^E[A-Z0-9]+$/.test(code))
    return new FolderProblem('unreadable', `The file system answers ${what}: ${message}`, [], { cause: error });
  return undefined;
}

/** Any error as a problem of the folder. */
export function problemOf(error: unknown): FolderProblem {
  if (error instanceof FolderProblem) return error;
  const known = isQuireError(error) ? error : undefined;
  return (
    diskProblem(error) ??
    new FolderProblem(
      known?.row.family === 'access' ? 'not-allowed' : 'failed',
      known?.message ?? 'The server made an error; it was logged.',
      known?.errors ?? [],
      { cause: error },
    )
  );
}
