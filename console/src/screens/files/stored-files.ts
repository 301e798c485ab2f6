import { callJson, upload } from '../../api/index.ts';

/** A stored file as `GET storage/files` returns it. */
export interface StoredFile {
  readonly id: number;
  readonly fileName: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly owner: string;
  readonly ownedByCurrentUser: boolean;
  readonly createdAt: string;
  /** Null until the content is replaced. */
  readonly updatedAt: string | null;
  readonly sharedUsers: readonly {
    readonly username: string;
    readonly displayName: string | null;
    readonly accessRole: string;
  }[];
  readonly shareLinks: readonly ShareLink[];
  readonly folderId: string | null;
}

export interface ShareLink {
  readonly token: string;
  readonly expiresAt: string | null;
  readonly withoutAccount: boolean;
  readonly hasPassword: boolean;
  /** Null for no limit. */
  readonly maxDownloads: number | null;
  readonly downloadsLeft: number | null;
}

export interface Folder {
  readonly id: string;
  readonly name: string;
  readonly parentFolderId: string | null;
}

/** A folder that processes its files; its automation has the same id. */
export interface ProcessingFolder {
  readonly id: string;
  readonly folderId: string;
  readonly enabled: boolean;
  readonly steps: readonly Readonly<Record<string, unknown>>[];
  readonly output: ProcessingOutput;
}

export interface ProcessingOutput {
  readonly mode: 'new_version' | 'new_file';
  /** For new files; null is the folder itself. */
  readonly folderId: string | null;
}

export interface Storage {
  readonly files: readonly StoredFile[];
  readonly folders: readonly Folder[];
  readonly processing: readonly ProcessingFolder[];
  readonly usage: Usage;
}

/** Bytes that the user stores and may store; null is no limit. */
export interface Usage {
  readonly usedBytes: number;
  readonly allowedBytes: number | null;
  readonly maxFileBytes: number | null;
}

export async function loadStorage(): Promise<Storage> {
  const [files, folders, processing, usage] = await Promise.all([
    callJson<readonly StoredFile[]>('storage/files'),
    listFolders(),
    listProcessing(),
    callJson<Usage>('storage/usage'),
  ]);
  return { files, folders, processing, usage };
}

export function listFolders(signal?: AbortSignal): Promise<readonly Folder[]> {
  return callJson('storage/folders', { signal });
}

export function listProcessing(signal?: AbortSignal): Promise<readonly ProcessingFolder[]> {
  return callJson('processing-folders', { signal });
}

/** Address of the screen on which the processing of a folder is made and changed. */
export function processingPage(folderId: string): string {
  return `files/${encodeURIComponent(folderId)}/processing`;
}

/** Uploads a file into a folder; '' is the top. */
export async function store(
  file: File,
  folderId: string,
  options: { readonly signal: AbortSignal; readonly progress: (share: number) => void },
): Promise<void> {
  const answer = await upload(
    'storage/files',
    () => {
      const form = new FormData();
      form.append('file', file, file.name);
      return form;
    },
    { signal: options.signal, progress: (sent, total) => options.progress(total === 0 ? 1 : sent / total) },
  );
  if (folderId === '') return;
  const { id } = JSON.parse(await answer.blob.text()) as { id: number };
  await callJson(`storage/files/${id}/folder`, { method: 'PATCH', body: { folderId } });
}

/** Creates a folder, or returns the one of that name; '' is the top. */
export async function folderIn(folders: Folder[], parent: string, name: string): Promise<string> {
  const known = folders.find((folder) => (folder.parentFolderId ?? '') === parent && folder.name === name);
  if (known !== undefined) return known.id;
  const body = { id: crypto.randomUUID(), name, ...(parent === '' ? {} : { parentFolderId: parent }) };
  const created = await callJson<Folder>('storage/folders', { body });
  folders.push(created);
  return created.id;
}

/** Moves files at once; '' is the top. Returns the ids of those that could not be moved. */
export async function moveFiles(ids: readonly number[], folderId: string): Promise<readonly number[]> {
  const body = { fileIds: ids, folderId: folderId === '' ? null : folderId };
  const answer = await callJson<{ skippedFileIds: readonly number[] }>('storage/files/folder', {
    method: 'PATCH',
    body,
  });
  return answer.skippedFileIds;
}

/** Deletes a file of the user, or takes a shared one from the list. */
export async function deleteFile({ id, ownedByCurrentUser }: StoredFile): Promise<void> {
  await callJson(`storage/files/${id}${ownedByCurrentUser ? '' : '/shares/self'}`, { method: 'DELETE' });
}

/** The folders from the top down to this one. */
export function pathTo(folders: readonly Folder[], id: string): readonly Folder[] {
  const found: Folder[] = [];
  let at = folders.find((folder) => folder.id === id);
  while (at !== undefined && !found.includes(at)) {
    found.unshift(at);
    const parent = at.parentFolderId;
    at = folders.find((folder) => folder.id === parent);
  }
  return found;
}
