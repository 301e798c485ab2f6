import { extname } from 'node:path';
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
  Delivered,
  DeliveredFile,
  Delivery,
  DestinationKind,
  InputPlace,
  OpenDestination,
} from '../model.js';
import { readNote } from '../note.js';
import { readOptions } from '../read-options.js';
import { requireFolder, requireStorage, STORAGE_SOURCE } from './stored-folders.js';

interface StorageOptions {
  readonly folderId: string | null;
  readonly mode: 'new_file' | 'new_version' | 'in_place';
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
    .valid('new_file', 'new_version', 'in_place')
    .default('new_file')
    .description(
      'new_file stores each result as a file of its own; new_version replaces the content of the file with the same ' +
        'name in the folder, if there is exactly one; in_place replaces the content of the stored file that was ' +
        'processed, if the result is one file, and stores several as new files',
    )
    .meta({
      shown: {
        label: 'If there is a file of this name',
        help: '',
        options: {
          new_file: 'Keep both',
          new_version: 'Replace its content',
          in_place: 'Replace the file that was processed',
        },
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

  async deliver(file: DeliveredFile, delivery: Delivery): Promise<Delivered> {
    return reaching('DESTINATION', async () => {
      const from = await this.#storedInput(delivery);
      const earlier = await this.#earlier(delivery);
      if (earlier !== undefined) return deliveredAs(earlier, from);
      for (;;) {
        const target = await this.#target(file, delivery, from);
        if ('left' in target) return { place: target.left };
        const stored = await this.#store(file, delivery, target);
        if (target.isFirst !== true || (await this.#isOldest(stored))) return deliveredAs(stored, from);
        // Another delivery was first after all. With two files of the name, none would be replaced from now on.
        await this.storage.files.remove(this.#owner, stored.id, stored.revision);
      }
    });
  }

  async close(): Promise<void> {}

  /** The input, where it is a stored file that may get the result as its content. */
  async #storedInput(delivery: Delivery): Promise<InputPlace | null> {
    const from = this.options.mode === 'new_file' ? null : await delivery.from();
    return from?.type === STORAGE_SOURCE ? from : null;
  }

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

  async #target(
    file: DeliveredFile,
    { files: count }: Pick<Delivery, 'files'>,
    from: InputPlace | null,
  ): Promise<Target> {
    const { folderId, mode } = this.options;
    const { files } = this.storage;
    const fileName = cleanFileName(file.name);
    if (mode === 'in_place' && from !== null && count === 1) {
      const input = await files.byId(from.key);
      if (input?.ownerId === this.#owner) {
        if (String(input.revision) !== from.version)
          return { left: `${input.fileName} has a newer content, which is kept and processed in its turn` };
        return { replaces: input.id, fileName: nameInPlace(input.fileName, fileName), revision: input.revision };
      }
    }
    if (mode !== 'new_version') return { replaces: null, fileName };
    const same = await this.#named(fileName, folderId);
    return { replaces: same.length === 1 ? (same[0]?.id ?? null) : null, fileName, isFirst: same.length === 0 };
  }

  async #named(fileName: string, folderId: string | null): Promise<readonly FileRecord[]> {
    return (await this.storage.files.inFolder(this.#owner, folderId)).filter((one) => one.fileName === fileName);
  }

  async #isOldest({ id, fileName, folderId }: FileRecord): Promise<boolean> {
    const [oldest] = await this.#named(fileName, folderId);
    return oldest === undefined || oldest.id === id;
  }

  async #store(file: DeliveredFile, delivery: Delivery, target: FileTarget): Promise<FileRecord> {
    const { principal, signal } = this.context;
    const { folderId } = this.options;
    const { files } = this.storage;
    const { replaces, fileName, revision } = target;
    await requireFolder('DESTINATION', this.storage, principal, folderId);
    const upload: UploadSet = {
      fileName,
      contentType: file.mediaType,
      main: { path: file.path, size: file.size },
      history: undefined,
      audit: undefined,
    };
    const blob = newBlobId();
    await delivery.remember(JSON.stringify({ blob, replaces }));
    try {
      return replaces === null
        ? await files.add(this.#owner, upload, signal, { blob, folderId })
        : await files.replace(this.#owner, replaces, upload, signal, {
            blob,
            ...(revision === undefined ? {} : { revision }),
          });
    } catch (error) {
      // Somebody deleted the file or the folder, or replaced the file again and again: the next attempt finds out.
      if (isQuireError(error) && (error.code === 'STORAGE_CONFLICT' || error.code === 'NOT_FOUND'))
        throw unreachable('DESTINATION', 'somebody changes the same files', error);
      throw error;
    }
  }
}

/** Where a result goes: a new file, or one whose content it replaces, while that has this revision. */
interface FileTarget {
  readonly replaces: string | null;
  readonly fileName: string;
  readonly revision?: number;
  /** Whether no file has this name, and the next one is to replace it. */
  readonly isFirst?: boolean;
}
/** `left`: why nothing is stored. */
type Target = FileTarget | { readonly left: string };

function deliveredAs({ id, fileName, revision }: FileRecord, from: InputPlace | null): Delivered {
  const place = `${fileName} (file ${id})`;
  return from?.key === id ? { place, inputVersion: String(revision) } : { place };
}

/** The name of the file stays; its extension is that of the result, which may be of another type. */
function nameInPlace(stored: string, result: string): string {
  const [before, after] = [extname(stored), extname(result)];
  if (before.toLowerCase() === after.toLowerCase()) return stored;
  return `${stored.slice(0, stored.length - before.length)}${after}`;
}
