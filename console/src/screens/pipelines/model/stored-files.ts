import { callJson } from '../../../api/index.ts';

/** A file that the server keeps for steps. */
export interface StoredFile {
  readonly id: string;
  readonly fileName: string;
  readonly kind: string;
}

const PREFIX = 'asset:';

/** How a step names a stored file. */
export function referenceTo({ id }: Pick<StoredFile, 'id'>): string {
  return `${PREFIX}${id}`;
}

export function storedFiles(signal: AbortSignal): Promise<readonly StoredFile[]> {
  return callJson('policies/assets', { signal });
}

export function storeFile(file: File): Promise<StoredFile> {
  const body = new FormData();
  body.append('file', file);
  return callJson('policies/assets', { body });
}
