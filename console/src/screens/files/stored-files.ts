import { callJson, upload } from '../../api/index.ts';

/** A stored file as `GET storage/files` returns it. */
export interface StoredFile {
  readonly id: number;
  readonly fileName: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly owner: string;
  readonly ownedByCurrentUser: boolean;
  readonly updatedAt: string;
  readonly sharedUsers: readonly { readonly username: string; readonly accessRole: string }[];
  readonly shareLinks: readonly { readonly token: string; readonly expiresAt: string | null }[];
  readonly folderId: string | null;
}

export interface Folder {
  readonly id: string;
  readonly name: string;
  readonly parentFolderId: string | null;
}

export interface Storage {
  readonly files: readonly StoredFile[];
  readonly folders: readonly Folder[];
}

export async function loadStorage(): Promise<Storage> {
  const [files, folders] = await Promise.all([
    callJson<readonly StoredFile[]>('storage/files'),
    callJson<readonly Folder[]>('storage/folders'),
  ]);
  return { files, folders };
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
