import Joi from 'joi';
import { isQuireError } from '@quire/registry';
import { cleanFileName } from '../../../operations/runner/index.js';
import type { FileRecord, Storage, UploadSet } from '../../../storage/index.js';
import { newBlobId } from '../../../store/index.js';
import type { ConnectorDeps } from '../deps.js';
import { proving, reaching, unreachable } from '../faults.js';
import type {
  ConnectorContext,
  ConnectorOptions,
  DeliveredFile,
  Delivery,
  DestinationKind,
  OpenDestination,
} from '../model.js';
import { readNote } from '../note.js';
import { readOptions } from '../read-options.js';
import { requireFolder, requireStorage } from './stored-folders.js';

interface StorageOptions {
  readonly folderId: string | null;
  readonly mode: 'new_file' | 'new_version';
}

/** Remembered before a file is stored: the id of its content, and that of the file that it replaces. */
interface Note {
  readonly blob: string;
  readonly replaces: string | null;
}

const note = Joi.object<Note>({ blob: Joi.string().required(), replaces: Joi.string().allow(null).required() });

const options = Joi.object<StorageOptions>({
  folderId: Joi.string()
    .guid()
    .lowercase()
    .allow(null)
    .default(null)
    .description('Id of a folder in the file storage of the owner; null for the root')
    .meta({
      shown: {
        label: 'Folder',
        help: 'Of the file storage.',
        widget: 'folder',
      },
    }),
  mode: Joi.string()
    .valid('new_file', 'new_version')
    .default('new_file')
    .description(
      'new_file stores each result as a file of its own; new_version replaces the content of the file with the same ' +
        'name in the folder, if there is exactly one',
    )
    .meta({
      shown: {
        label: 'If there is a file of this name',
        help: '',
        options: { new_file: 'Keep both', new_version: 'Replace its content' },
      },
    }),
});

/** Stores results in the file storage of the owner, within the quota. */
export function storageDestination(deps: Pick<ConnectorDeps, 'storage'>): DestinationKind {
  const read = (given: ConnectorOptions): StorageOptions => readOptions('DESTINATION', options, given);
  return {
    type: 'storage',
    title: 'Files',
    help: 'Keeps each result in the file storage.',
    icon: 'folder-closed',
    options,
    secrets: [],
    async check(given, { principal }) {
      const { folderId } = read(given);
      const storage = requireStorage('DESTINATION', deps);
      await proving('DESTINATION', 'folderId', () =>
        reaching('DESTINATION', () => requireFolder('DESTINATION', storage, principal, folderId)),
      );
    },
    async open(given, context) {
      return new StorageDestination(requireStorage('DESTINATION', deps), read(given), context);
    },
  };
}

class StorageDestination implements OpenDestination {
  constructor(
    private readonly storage: Storage,
    private readonly options: StorageOptions,
    private readonly context: ConnectorContext,
  ) {}

  get #owner(): string {
    return this.context.principal.id;
  }

  async deliver(file: DeliveredFile, delivery: Delivery): Promise<{ readonly place: string }> {
    return reaching('DESTINATION', async () => {
      const stored = (await this.#earlier(delivery)) ?? (await this.#store(file, delivery));
      return { place: `${stored.fileName} (file ${stored.id})` };
    });
  }

  async close(): Promise<void> {}

  /** The file that an earlier attempt has stored. */
  async #earlier(delivery: Delivery): Promise<FileRecord | undefined> {
    const before = readNote(delivery, note);
    if (before === undefined) return undefined;
    const { files } = this.storage;
    const candidates =
      before.replaces === null
        ? [...(await files.inFolder(this.#owner, this.options.folderId)), ...(await files.inFolder(this.#owner, null))]
        : [await files.byId(before.replaces)];
    return candidates.find((candidate) => candidate?.ownerId === this.#owner && candidate.blob === before.blob);
  }

  async #store(file: DeliveredFile, delivery: Delivery): Promise<FileRecord> {
    const { principal, signal } = this.context;
    const { folderId, mode } = this.options;
    const { files } = this.storage;
    await requireFolder('DESTINATION', this.storage, principal, folderId);
    const upload: UploadSet = {
      fileName: cleanFileName(file.name),
      contentType: file.mediaType,
      main: { path: file.path, size: file.size },
      history: undefined,
      audit: undefined,
    };
    const same =
      mode === 'new_file'
        ? []
        : (await files.inFolder(this.#owner, folderId)).filter(({ fileName }) => fileName === upload.fileName);
    const replaces = same.length === 1 ? (same[0]?.id ?? null) : null;
    const blob = newBlobId();
    await delivery.remember(JSON.stringify({ blob, replaces }));
    try {
      return replaces === null
        ? await files.add(this.#owner, upload, signal, { blob, folderId })
        : await files.replace(this.#owner, replaces, upload, signal, { blob });
    } catch (error) {
      // Somebody deleted the file or the folder, or replaced the file again and again: the next attempt finds out.
      if (isQuireError(error) && (error.code === 'STORAGE_CONFLICT' || error.code === 'NOT_FOUND'))
        throw unreachable('DESTINATION', 'somebody changes the same files', error);
      throw error;
    }
  }
}
