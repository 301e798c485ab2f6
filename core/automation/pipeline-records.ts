import { InputError } from '@quire/registry';
import { openJson, sealJson } from '../secrets/index.js';
import { isDuplicateRecord, type Records, type Store } from '../store/index.js';
import type { PipelineContent, PipelineRecord, VersionFacts, VersionRecord } from './model.js';

/** What a new version consists of. */
export type NewVersion = Pick<VersionFacts, 'savedAt' | 'savedBy'> & { readonly content: PipelineContent };

/** The stored pipelines with all their versions. A crash at any point leaves each version whole or absent. */
export class PipelineRecords {
  readonly #pipelines: Records<PipelineRecord>;
  readonly #earlier: Records<VersionRecord>;

  constructor(
    store: Pick<Store, 'records'>,
    private readonly secretKey: Buffer,
  ) {
    this.#pipelines = store.records<PipelineRecord>('pipelines', { keys: ['ownerId'], unique: ['name'] });
    this.#earlier = store.records<VersionRecord>('pipeline_versions', { keys: ['pipelineId'] });
  }

  all(): Promise<readonly PipelineRecord[]> {
    return this.#pipelines.find({}, { sort: [{ field: 'name', order: 'ascending' }] });
  }

  byName(name: string): Promise<PipelineRecord | undefined> {
    return this.#pipelines.findOne({ name });
  }

  /** Throws PIPELINE_CONFLICT when the name is taken. */
  async add(
    record: Omit<PipelineRecord, keyof VersionFacts>,
    { content, ...facts }: NewVersion,
  ): Promise<PipelineRecord> {
    const sealed = sealJson(this.secretKey, `${record.id}@1`, content);
    return this.#pipelines.insert({ ...record, ...facts, version: 1, content: sealed }).catch((error: unknown) => {
      throw isDuplicateRecord(error) ? nameTaken(record.name) : error;
    });
  }

  /** Makes the next version the current one. Throws PIPELINE_CONFLICT when another change came first. */
  async addVersion(
    before: PipelineRecord,
    { content, ...facts }: NewVersion,
    changes: Partial<Pick<PipelineRecord, 'name' | 'sharedWith'>>,
  ): Promise<PipelineRecord> {
    const version = before.version + 1;
    const { id, version: number, savedAt, savedBy, content: sealed } = before;
    const earlier = { id: `${id}@${number}`, pipelineId: id, version: number, savedAt, savedBy, content: sealed };
    // Kept before it is replaced; the same again does no harm.
    await this.#earlier.put(earlier);
    const set = { ...facts, ...changes, version, content: sealJson(this.secretKey, `${id}@${version}`, content) };
    const changed = await this.#pipelines.update(id, { set }, { version: number }).catch((error: unknown) => {
      throw isDuplicateRecord(error) ? nameTaken(changes.name ?? '') : error;
    });
    if (changed === undefined)
      throw new InputError('PIPELINE_CONFLICT', {
        detail: `Somebody else has changed the pipeline "${before.name}" since; read it again`,
      });
    return changed;
  }

  /** Undefined if there is no such version. */
  async version(record: PipelineRecord, version: number): Promise<VersionFacts | undefined> {
    return version === record.version ? record : this.#earlier.get(`${record.id}@${version}`);
  }

  /** The newest first. */
  async versions(record: PipelineRecord): Promise<readonly VersionFacts[]> {
    const earlier = await this.#earlier.find({ pipelineId: record.id });
    return [record, ...earlier.filter(({ version }) => version < record.version).sort((a, b) => b.version - a.version)];
  }

  contentOf({ id }: Pick<PipelineRecord, 'id'>, { version, content }: VersionFacts): PipelineContent {
    return openJson(this.secretKey, `${id}@${version}`, content) as PipelineContent;
  }

  async remove({ id }: PipelineRecord): Promise<void> {
    await this.#pipelines.delete(id);
    // Last: without its record nobody can ask for them.
    for (const { id: version } of await this.#earlier.find({ pipelineId: id })) await this.#earlier.delete(version);
  }

  /** Removes what a user owns. */
  async forgetUser(ownerId: string): Promise<void> {
    for (const record of await this.#pipelines.find({ ownerId })) await this.remove(record);
  }
}

function nameTaken(name: string): InputError {
  return new InputError('PIPELINE_CONFLICT', {
    detail: `There is a pipeline named "${name}" already; choose another name`,
  });
}
