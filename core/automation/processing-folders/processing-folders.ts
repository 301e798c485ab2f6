import { randomUUID } from 'node:crypto';
import { InputError, isQuireError, type Clock, type Logger, type Principal } from '@quire/registry';
import type { LoginServices } from '../../accounts/index.js';
import type { FolderRecord, Storage } from '../../storage/index.js';
import type { Automations } from '../automations/automations.js';
import { usualContent, type Automation, type AutomationContent } from '../automations/model.js';
import { asPolicyError, pipelineStep, type PolicyStep } from '../automations/policy-form.js';
import { STORAGE_SOURCE } from '../connectors/index.js';
import type { Source, SourceRecords } from '../sources/source-records.js';
import type { TeamRecords } from '../team-records.js';

/** Where results go. */
export interface FolderOutput {
  /** `new_version` replaces the content of the file that was processed. */
  readonly mode: 'new_version' | 'new_file';
  /** For new files; null: the folder itself. */
  readonly folderId: string | null;
}

export interface SentProcessingFolder {
  readonly id?: string | null;
  readonly folderId: string;
  readonly enabled?: boolean;
  readonly steps?: readonly PolicyStep[];
  readonly output?: Partial<FolderOutput> | null;
}

export interface ProcessingFolder {
  readonly automation: Automation;
  readonly folderId: string;
  readonly output: FolderOutput;
}

export interface ProcessingFoldersDeps {
  /** Undefined while login or storage is off. */
  readonly storage: Storage | undefined;
  readonly login: LoginServices | undefined;
  readonly automations: Automations;
  readonly sourceRecords: SourceRecords;
  readonly teams: TeamRecords;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}

const LONGEST_NAME = 80;
const KEPT_IN_PLACE = 'in_place';

/** Folders of the file storage that process their files: an automation and its source, kept together. */
export class ProcessingFolders {
  constructor(private readonly deps: ProcessingFoldersDeps) {}

  /** Follows what becomes of folders and of their owners. */
  listen(): void {
    const { storage, login, log } = this.deps;
    storage?.folders.listen({
      renamed: async ({ ownerId, id, name }) => {
        try {
          const found = await this.#of(ownerId, id);
          if (found !== undefined) await this.deps.automations.rename(found, nameOf({ name }));
        } catch (error) {
          log.warn({ err: error }, 'the automation of a stored folder could not be renamed');
        }
      },
      removing: (ownerId, ids) => this.#discard(ownerId, (folderId) => ids.includes(folderId)),
    });
    login?.accounts.onUserChange(async (userId, what) => {
      if (what !== 'gone') return;
      await this.#discard(userId, () => true).catch((error: unknown) =>
        log.warn({ err: error }, 'automations of the stored folders of a deleted user could not be removed'),
      );
    });
  }

  /** Those of the caller, by the name of the folder. */
  async list(principal: Principal): Promise<readonly ProcessingFolder[]> {
    return (await this.#ownedBy(principal.id)).sort((a, b) => (a.automation.name < b.automation.name ? -1 : 1));
  }

  /** Throws NOT_FOUND for one that the caller does not own. */
  async get(principal: Principal, id: string): Promise<ProcessingFolder> {
    const found = (await this.#ownedBy(principal.id)).find(({ automation }) => automation.id === id);
    if (found === undefined) throw new InputError('NOT_FOUND');
    return found;
  }

  /**
   * Creates one, or changes the one with this id, where members that are missing stay. Throws NOT_FOUND for a folder or
   * an id that is not the caller's, AUTOMATION_CONFLICT for a folder that has one already, AUTOMATION_INVALID.
   */
  async save(
    storage: Storage,
    principal: Principal,
    sent: SentProcessingFolder,
    signal: AbortSignal,
  ): Promise<ProcessingFolder> {
    const id = sent.id?.trim() ?? '';
    const before = id === '' ? undefined : await this.get(principal, id);
    const folder = await storage.folders.own(principal.id, sent.folderId);
    const other = await this.#of(principal.id, folder.id);
    if (other !== undefined && other.id !== before?.automation.id)
      throw new InputError('AUTOMATION_CONFLICT', {
        detail: `The folder "${folder.name}" processes its files already (${other.id}); change that one`,
      });
    const saved = await this.#save(principal, folder, sent, before, signal).catch((error: unknown) =>
      Promise.reject(pointed(error)),
    );
    return shown(saved, folder.id);
  }

  /** Files stay where they are, runs that have begun go on. Throws NOT_FOUND. */
  async remove(principal: Principal, id: string): Promise<void> {
    await this.deps.automations.discard((await this.get(principal, id)).automation);
  }

  /** Removes sources whose automation was not saved, or was deleted, when the server was killed. */
  async sweep(): Promise<void> {
    const { sourceRecords, automations, clock } = this.deps;
    const used = new Set((await automations.ofFolders()).map(({ id }) => id));
    const old = clock.now().getTime() - STALE_MS;
    for (const { id, storageFolder, savedAt } of await sourceRecords.all(STORAGE_SOURCE))
      if (storageFolder !== undefined && !used.has(id) && savedAt < old) await sourceRecords.remove(id);
  }

  async #save(
    principal: Principal,
    folder: FolderRecord,
    { enabled, steps, output }: SentProcessingFolder,
    before: ProcessingFolder | undefined,
    signal: AbortSignal,
  ): Promise<Automation> {
    const { automations, sourceRecords, teams, clock } = this.deps;
    const name = nameOf(folder);
    const id = before?.automation.id ?? randomUUID();
    const source: Source = {
      id,
      name,
      type: STORAGE_SOURCE,
      enabled: true,
      ...(before === undefined ? teams.ownerOf(principal) : ownerOf(before.automation)),
      storageFolder: folder.id,
      savedAt: clock.now().getTime(),
      docsTotal: (await sourceRecords.get(id))?.docsTotal ?? 0,
      options: { folderId: folder.id, mode: 'snapshot' },
    };
    const content: AutomationContent = {
      ...usualContent,
      ...before?.automation.content,
      ...(steps === undefined && before !== undefined
        ? {}
        : { work: { pipeline: (steps ?? []).map(pipelineStep), values: {} } }),
      inputs: [{ source: id, trigger: { type: 'arrival' } }],
      destinations: [{ id: '', type: 'storage', options: destinationOf({ ...before?.output, ...output }, folder.id) }],
    } as AutomationContent;
    const saving = () => sourceRecords.put(source);
    const sent = { name, enabled: enabled ?? before?.automation.enabled ?? true, content };
    const forFolder = { storageFolder: folder.id, source, saving };
    return automations.saveForFolder(principal, sent, forFolder, signal, before?.automation);
  }

  async #ownedBy(ownerId: string): Promise<ProcessingFolder[]> {
    return (await this.deps.automations.ofFolders()).flatMap((automation) =>
      automation.ownerId === ownerId && automation.storageFolder !== undefined
        ? [shown(automation, automation.storageFolder)]
        : [],
    );
  }

  async #of(ownerId: string, folderId: string): Promise<Automation | undefined> {
    return (await this.#ownedBy(ownerId)).find((one) => one.folderId === folderId)?.automation;
  }

  async #discard(ownerId: string, which: (folderId: string) => boolean): Promise<void> {
    for (const { automation, folderId } of await this.#ownedBy(ownerId))
      if (which(folderId)) await this.deps.automations.discard(automation);
  }
}

/** Longer than a save takes. */
const STALE_MS = 3_600_000;

function nameOf({ name }: Pick<FolderRecord, 'name'>): string {
  return name.slice(0, LONGEST_NAME).trimEnd();
}

function ownerOf({ ownerId, ownerName, teamId }: Automation) {
  return { ownerId, ownerName, teamId };
}

function destinationOf({ mode = 'new_version', folderId = null }: Partial<FolderOutput>, own: string) {
  return { folderId: folderId ?? own, mode: mode === 'new_version' ? KEPT_IN_PLACE : mode };
}

function shown(automation: Automation, folderId: string): ProcessingFolder {
  const { mode, folderId: place } = automation.content.destinations[0]?.options ?? {};
  const output: FolderOutput = {
    mode: mode === KEPT_IN_PLACE ? 'new_version' : 'new_file',
    folderId: typeof place === 'string' && place !== folderId ? place : null,
  };
  return { automation, folderId, output };
}

/** A fault of the automation, with pointers into the body of the call. */
function pointed(error: unknown): unknown {
  if (!isQuireError(error) || error.code !== 'AUTOMATION_INVALID') return error;
  const policy = asPolicyError(error, {});
  if (!isQuireError(policy)) return policy;
  const errors = policy.errors.map(({ pointer, detail }) => ({
    pointer: pointer
      .replace(/^\/sourceIds\/0/, '/folderId')
      .replace(/^\/output\/options/, '/output')
      .replace(/^\/output\/(?!folderId|mode).*/, '/output'),
    detail,
  }));
  const [first] = errors;
  return new InputError(
    'AUTOMATION_INVALID',
    { ...policy.data, first: `${first?.pointer ?? ''} ${first?.detail ?? ''}`.trim() },
    errors,
  );
}
