import { InputError, type Clock, type DocumentFile, type Logger, type Principal } from '@quire/registry';
import type { FindStepFile } from '../../operations/pipelines/index.js';
import { newBlobId } from '../../store/index.js';
import { measured } from '../connectors/copied-file.js';
import type { PipelineRecord } from '../model.js';
import type { TeamRecords } from '../team-records.js';
import type { Asset, AssetRecords } from './asset-records.js';
import type { AssetUse, AssetUses } from './asset-uses.js';

/** Largest asset, in bytes (`docs/interface/automation.yml`, policies/assets). */
export const LARGEST_ASSET = 50 * 1024 * 1024;
/** How long an asset is kept that nothing refers to any more: jobs that began before may still need it. */
const KEPT_MS = 86_400_000;
const MOST_NAMED = 5;

export interface AssetsDeps {
  readonly records: AssetRecords;
  readonly uses: Pick<AssetUses, 'of'>;
  readonly teams: TeamRecords;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  /** Most bytes of one owner. */
  mostBytes(): number;
  /** Whether the caller may run a saved pipeline. */
  mayRun(pipeline: PipelineRecord, principal: Principal): boolean;
  /** The account that owns a saved pipeline; rejects when it is gone. */
  ownerOf(pipeline: Pick<PipelineRecord, 'ownerId' | 'ownerName'>): Promise<Principal>;
}

/** Stored files for steps: who may see, use and change them. */
export class Assets {
  constructor(private readonly deps: AssetsDeps) {}

  /** Those of the caller's team, without those that nothing refers to any more; the oldest first. */
  async list(principal: Principal): Promise<readonly Asset[]> {
    const all = await this.deps.records.all();
    return all.filter((asset) => asset.releasedAt === null && this.deps.teams.sees(principal, asset));
  }

  /** Throws AUTOMATION_READ_ONLY, INPUT_TOO_LARGE, and AUTOMATION_CONFLICT when the owner has no room for it. */
  async add(principal: Principal, file: DocumentFile): Promise<Asset> {
    const { records, teams, clock } = this.deps;
    teams.mustEdit(principal);
    if (file.size > LARGEST_ASSET) throw new InputError('INPUT_TOO_LARGE', { limit: LARGEST_ASSET });
    const owner = teams.ownerOf(principal);
    const path = file.path();
    await this.#mustHaveRoom(owner.ownerId, file.size);
    const asset: Asset = {
      id: newBlobId(),
      fileName: file.name,
      kind: file.kind,
      contentType: file.mediaType === '' ? null : file.mediaType,
      ...(await measured(path)),
      ...owner,
      createdAt: clock.now().getTime(),
      releasedAt: null,
    };
    await records.add(asset, path);
    try {
      // Two that arrived together may both have found room.
      await this.#mustHaveRoom(owner.ownerId, 0);
    } catch (error) {
      await records.remove(asset.id);
      throw error;
    }
    return asset;
  }

  /** Writes the content to a new path. Throws NOT_FOUND, AUTOMATION_READ_ONLY. */
  async fetch(principal: Principal, id: string, path: string): Promise<Asset> {
    const asset = this.deps.teams.mustSee(principal, await this.deps.records.get(id));
    this.deps.teams.mustEdit(principal);
    await this.#copy(id, path);
    return asset;
  }

  /** Throws NOT_FOUND, AUTOMATION_READ_ONLY, and AUTOMATION_CONFLICT while steps name it. */
  async remove(principal: Principal, id: string): Promise<void> {
    const { records, teams, uses } = this.deps;
    const { fileName } = teams.mustSee(principal, await records.get(id));
    teams.mustEdit(principal);
    const users = await uses.of(id);
    if (users.length > 0)
      throw new InputError('AUTOMATION_CONFLICT', {
        detail: `The file "${fileName}" is used by ${this.#named(users, principal)}; change or delete that first`,
      });
    await records.remove(id);
  }

  /**
   * Finds an asset for a step: one of the caller's team, or one that a saved pipeline names that the caller may run and
   * whose owner may use it.
   */
  readonly forStep: FindStepFile = async (id, principal) => {
    const asset = await this.deps.records.get(id);
    if (asset === undefined || !(await this.#mayUse(principal, asset))) return undefined;
    const { fileName: name, kind, size } = asset;
    return { id, name, kind, size, copyTo: (path) => this.#copy(id, path) };
  };

  /** An asset of the caller's team with this content. */
  async withContent(principal: Principal, sha256: string): Promise<Asset | undefined> {
    return (await this.list(principal)).find((asset) => asset.sha256 === sha256);
  }

  /** The assets with these ids that the caller's team has. */
  async withIds(principal: Principal, ids: Iterable<string>): Promise<readonly Asset[]> {
    const found = await Promise.all([...ids].map((id) => this.deps.records.get(id)));
    return found.filter((asset) => asset !== undefined).filter((asset) => this.deps.teams.sees(principal, asset));
  }

  /**
   * Notes assets that a saved or deleted pipeline no longer names; they are removed later unless something else does.
   * Never rejects: the pipeline is saved already, and an asset that is not noted only stays.
   */
  async released(ids: Iterable<string>): Promise<void> {
    const { records, uses, clock, log } = this.deps;
    try {
      for (const id of ids)
        if ((await records.get(id)) !== undefined && (await uses.of(id)).length === 0)
          await records.setReleased(id, clock.now().getTime());
    } catch (error) {
      log.warn({ err: error }, 'stored files that no step names any more could not be noted; they stay');
    }
  }

  /** Removes what was released a day ago and is not named again. */
  async sweep(): Promise<void> {
    const { records, uses, clock } = this.deps;
    const now = clock.now().getTime();
    for (const { id, releasedAt } of await records.all()) {
      if (releasedAt === null || releasedAt > now - KEPT_MS) continue;
      if ((await uses.of(id)).length > 0) await records.setReleased(id, null);
      else await records.remove(id);
    }
    await records.sweepContents(now);
  }

  async #copy(id: string, path: string): Promise<void> {
    if (!(await this.deps.records.copyTo(id, path))) throw new InputError('NOT_FOUND');
  }

  async #mayUse(principal: Principal, asset: Asset): Promise<boolean> {
    const { teams, uses, mayRun, ownerOf } = this.deps;
    if (teams.sees(principal, asset)) return true;
    for (const { pipeline } of await uses.of(asset.id)) {
      if (pipeline === undefined || !mayRun(pipeline, principal)) continue;
      const owner = await ownerOf(pipeline).catch(() => undefined);
      if (owner !== undefined && teams.sees(owner, asset)) return true;
    }
    return false;
  }

  async #mustHaveRoom(ownerId: string, more: number): Promise<void> {
    const own = (await this.deps.records.all()).filter((asset) => asset.ownerId === ownerId);
    const bytes = own.reduce((sum, { size }) => sum + size, more);
    const most = this.deps.mostBytes();
    if (bytes <= most) return;
    throw new InputError('AUTOMATION_CONFLICT', {
      detail:
        `Your stored files would have ${bytes} bytes together, and at most ${most} are allowed ` +
        '(policies.assetBytesPerOwner): delete one, or have the setting raised',
    });
  }

  /** Names what the caller may see, and counts the rest. */
  #named(users: readonly AssetUse[], principal: Principal): string {
    const { teams, mayRun } = this.deps;
    const visible = users.filter(({ automation, pipeline }) =>
      pipeline === undefined
        ? automation !== undefined && teams.sees(principal, automation)
        : mayRun(pipeline, principal),
    );
    const words = visible
      .slice(0, MOST_NAMED)
      .map(({ kind, name }) => `the ${kind === 'automation' ? 'automation' : 'saved pipeline'} "${name}"`);
    const more = users.length - words.length;
    return [...words, ...(more > 0 ? [`${more} ${words.length === 0 ? 'pipelines of others' : 'more'}`] : [])].join(
      ', ',
    );
  }
}
