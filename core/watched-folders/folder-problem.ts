import { isFullDisk, isQuireError } from '@quire/registry';

/** Why a watched folder cannot be processed at the moment. */
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

/** A watched folder cannot be processed; its files stay where they are until it can. */
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

/** Returns an error of the file system as a problem of the folder; undefined for any other error. */
function diskProblem(error: unknown): FolderProblem | undefined {
  const { code, message, path: from, dest } = (error ?? {}) as NodeJS.ErrnoException & { readonly dest?: string };
  const path = dest ?? from;
  const what = `${code ?? ''}${path === undefined ? '' : ` at ${JSON.stringify(path)}`}`;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new FolderProblem('not-writable', `The server has no permission to write or read here (${what}).`, [], {
      cause: error,
    });
  if (isFullDisk(error))
    return new FolderProblem('disk-full', `There is no space left on the disk (${what}).`, [], { cause: error });
  if (code !== undefined && /^E[A-Z0-9]+$/.test(code))
    return new FolderProblem('unreadable', `The file system reported ${what}: ${message}`, [], { cause: error });
  return undefined;
}

/** Returns any error as a problem of the folder. */
export function problemOf(error: unknown): FolderProblem {
  if (error instanceof FolderProblem) return error;
  const known = isQuireError(error) ? error : undefined;
  return (
    diskProblem(error) ??
    new FolderProblem(
      known?.row.family === 'access' ? 'not-allowed' : 'failed',
      known?.message ?? 'An internal error occurred; it was logged.',
      known?.errors ?? [],
      { cause: error },
    )
  );
}
