import Joi from 'joi';
import { isQuireError } from '@quire/registry';
import type { FileRecord, Storage } from '../../../storage/index.js';
import { writeStream } from '../copied-file.js';
import type { ConnectorDeps } from '../deps.js';
import { passingError, proving, reaching } from '../faults.js';
import type { ConnectorContext, ConnectorOptions, FoundFile, OpenSource, SourceKind } from '../model.js';
import { readOptions } from '../read-options.js';
import { requireFolder, requireStorage, STORAGE_SOURCE } from './stored-folders.js';

interface SourceOptions {
  readonly folderId: string;
  readonly mode: 'consume' | 'snapshot';
}

const options = Joi.object<SourceOptions>({
  folderId: Joi.string()
    .guid()
    .lowercase()
    .required()
    .description('Id of a folder in the file storage of the owner')
    .meta({
      shown: { label: 'Folder', help: 'Of the file storage.', widget: 'folder' },
    }),
  mode: Joi.string()
    .valid('consume', 'snapshot')
    .default('snapshot')
    .description('snapshot leaves all files where they are; consume deletes each file when its results are delivered')
    .meta({
      shown: { label: 'After delivery', help: '', options: { consume: 'Remove the file', snapshot: 'Leave the file' } },
    }),
});

/** Files in a folder of the file storage. */
export function storageSource(deps: Pick<ConnectorDeps, 'storage'>): SourceKind {
  const read = (given: ConnectorOptions): SourceOptions => readOptions('SOURCE', options, given);
  return {
    type: STORAGE_SOURCE,
    title: 'Folder in Files',
    help: 'Takes the files in a folder of the file storage.',
    icon: 'folder-closed',
    options,
    secrets: [],
    announces: true,
    async check(given, { principal }) {
      const { folderId } = read(given);
      const storage = requireStorage('SOURCE', deps);
      await proving('SOURCE', 'folderId', () =>
        reaching('SOURCE', () => requireFolder('SOURCE', storage, principal, folderId)),
      );
    },
    onArrival: (arrived) =>
      deps.storage?.files.onArrival((owner, folderId) =>
        arrived((given, ownerId) => ownerId === owner && given['folderId'] === folderId),
      ) ?? (() => undefined),
    async open(given, context) {
      return new StorageSource(requireStorage('SOURCE', deps), read(given), context);
    },
  };
}

class StorageSource implements OpenSource {
  constructor(
    private readonly storage: Storage,
    private readonly options: SourceOptions,
    private readonly context: ConnectorContext,
  ) {}

  get #owner(): string {
    return this.context.principal.id;
  }

  async *list(): AsyncGenerator<FoundFile> {
    const { folderId } = this.options;
    const found = await reaching('SOURCE', async () => {
      // A folder that was deleted has no files, which must not look like a folder that is empty.
      await requireFolder('SOURCE', this.storage, this.context.principal, folderId);
      return this.storage.files.inFolder(this.#owner, folderId);
    });
    for (const file of found)
      if (file.purpose === 'generic' && !file.fileName.startsWith('.'))
        yield {
          key: file.id,
          name: file.fileName,
          size: file.sizeBytes,
          version: versionOf(file),
          changedAt: file.updatedAt ?? file.createdAt,
          lasting: true,
        };
  }

  async fetch(found: FoundFile, path: string) {
    const { key, version } = found;
    const file = await reaching('SOURCE', () => this.storage.files.byId(key));
    if (file?.ownerId !== this.#owner || versionOf(file) !== version) return undefined;
    try {
      const { stream } = await this.storage.files.open(file, undefined, this.context.signal);
      return await writeStream(stream, path);
    } catch (error) {
      // Deleted or replaced in between.
      if (isQuireError(error) && error.code === 'NOT_FOUND') return undefined;
      throw passingError('SOURCE', error) ?? error;
    }
  }

  async finish({ key, version }: FoundFile): Promise<void> {
    if (this.options.mode === 'snapshot') return;
    await reaching('SOURCE', () => this.storage.files.remove(this.#owner, key, Number(version))).catch(
      (error: unknown) => {
        if (!isQuireError(error) || error.code !== 'NOT_FOUND') throw error;
      },
    );
  }

  async watch(arrived: () => void): Promise<{ stop(): Promise<void> }> {
    const { folderId } = this.options;
    const end = this.storage.files.onArrival((owner, folder) => {
      if (owner === this.#owner && folder === folderId) arrived();
    });
    return { stop: async () => end() };
  }

  async close(): Promise<void> {}
}

/** A move or a new name is no new version; new content is. */
function versionOf({ revision }: FileRecord): string {
  return String(revision);
}
