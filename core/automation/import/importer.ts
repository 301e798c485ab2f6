import { InputError, isQuireError, type DocumentFile, type FieldFault, type Principal } from '@quire/registry';
import type { Catalog } from '@quire/catalog';
import { pathOf, stepsWithin } from '../../operations/pipelines/index.js';
import type { FolderHandOver } from '../folders/folder-hand-over.js';
import { readFiles, type ImportDocument, type ReadFilesDeps, type RefusedFile } from './documents.js';
import type { DescribedSource, DocumentKind, Draft, Finding, ImportCall, PlannedSource } from './draft.js';
import { blankSecrets, fitDraft, saveFitted, type ImportDraftDeps, type MadeSource } from './import-draft.js';
import type { Automation } from '../automations/model.js';
import type { PolicyStep } from '../automations/policy-form.js';
import { readPolicy } from './read-policy.js';
import { readDocument } from './read-document.js';
import { readPipeline, type FolderPlaces } from './read-pipeline.js';

export interface ImporterDeps extends ReadFilesDeps, ImportDraftDeps {
  places(): FolderPlaces;
}

/** What became of one document. */
export interface ImportEntry {
  readonly file: string;
  /** JSON Pointer of the document in its file. */
  readonly pointer: string;
  readonly kind: DocumentKind | null;
  readonly name: string | null;
  /** `ready`: it would be created; nothing was saved. */
  readonly outcome: 'created' | 'ready' | 'refused';
  readonly automationId: string | null;
  readonly findings: readonly Finding[];
  readonly sources: readonly MadeSource[];
  /** Why it was refused. */
  readonly error: ImportError | null;
}

interface ImportError {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly FieldFault[];
}

export interface ImportOptions {
  readonly principal: Principal;
  /** Only reports. */
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

/** A listing of a store (`docs/interface/automation.yml`, policies/import). */
export interface Listing {
  readonly name: string;
  readonly icon?: string;
  readonly storeId?: string;
  readonly steps: readonly PolicyStep[];
}

type Read = ReturnType<typeof readDocument>;

/** Makes automations of exported files. */
export class Importer {
  constructor(private readonly deps: ImporterDeps) {}

  /**
   * Makes an automation, switched off, of each document in these files. One that is not understood is refused by name,
   * and the others go on. Throws AUTOMATION_READ_ONLY.
   */
  async import(files: readonly DocumentFile[], options: ImportOptions): Promise<readonly ImportEntry[]> {
    const { documents, refused } = await readFiles(this.deps, files, options.signal);
    const read = documents.map((document) => ({ document, found: readDocument(document, this.deps.places()) }));
    const described = describedIn(read.map(({ found }) => found));
    const planned: PlannedSource[] = [];
    const call: ImportCall = { principal: options.principal, signal: options.signal, described, planned };
    const names = new Set<string>();
    const entries: ImportEntry[] = refused.map((one) => refusedEntry(one, invalid(one.detail)));
    for (const { document, found } of read) {
      if ('source' in found) {
        if (described.size === read.length)
          entries.push(
            refusedEntry(document, invalid('is a source; import it together with an automation that uses it')),
          );
        continue;
      }
      const entry =
        'faults' in found
          ? refusedEntry(document, invalid(sentenceOf(found.faults), found.faults))
          : await this.#one(document, found.draft, names, call, options.dryRun ? planned : undefined);
      if (entry.name !== null && entry.error === null) names.add(entry.name);
      entries.push(entry);
    }
    return entries;
  }

  /** Makes an automation of a store listing. Throws AUTOMATION_INVALID for wrong steps, blank secrets aside. */
  async listing(
    { name, icon = '', storeId, steps }: Listing,
    { principal, signal }: Omit<ImportOptions, 'dryRun'>,
  ): Promise<Automation> {
    // Files of the server where it was listed.
    const bare = steps.map((step) => ({ ...step, fileParameters: {} }));
    const found = readPolicy({ name, steps: bare, ...(storeId === undefined ? {} : { storeId }) }, name);
    if ('faults' in found) throw refusal(found.faults);
    if (!('draft' in found)) throw refusal([]);
    const { draft } = found;
    const call: ImportCall = { principal, signal, described: new Map(), planned: [] };
    const free = await this.deps.automations.freeName(principal, name);
    const fitted = await fitDraft(this.deps, draft, call);
    const blank = new Set(blankSecrets(this.deps, draft).map(({ pointer }) => pointer));
    const wrong = fitted.faults.filter(({ pointer }) => !blank.has(pointer));
    if (wrong.length > 0) throw refusal(wrong);
    const policy = { outputOptions: {}, ...fitted.content.policy, ...(icon === '' ? {} : { icon }) };
    const content = { ...fitted.content, policy };
    return (await saveFitted(this.deps, { content, newSources: [] }, free, call)).automation;
  }

  /**
   * Makes an automation of a watched folder of this server, switched off, and moves its pipeline file aside; if that is
   * not possible, the folder stays as it is and nothing is made. Throws AUTOMATION_INVALID for a pipeline that could
   * not run, AUTOMATION_CONFLICT while runs are open, AUTOMATION_READ_ONLY.
   */
  async importFolder(folder: FolderHandOver, { principal, dryRun, signal }: ImportOptions): Promise<ImportEntry> {
    const { definition, setAside } = folder;
    const value = JSON.parse(definition.json.replace(/^\ufeff/, '')) as Readonly<Record<string, unknown>>;
    const document: ImportDocument = { file: definition.file, pointer: '', value };
    const found = readPipeline(value, definition.file, { ...this.deps.places(), watched: folder });
    if (!('draft' in found)) throw refusal('faults' in found ? found.faults : []);
    const { draft } = found;
    const call: ImportCall = { principal, signal, described: new Map(), planned: [] };
    const { fitted, entry } = await this.#fitted(document, draft, new Set(), call);
    const findings = [...entry.findings, ...togetherIn(this.deps.operations(), draft), OFF];
    if (dryRun) return { ...entry, findings, outcome: 'ready', automationId: null, sources: [] };
    if (fitted.faults.length > 0) throw refusal(fitted.faults);
    const { automation, sources } = await saveFitted(this.deps, fitted, entry.name, call);
    try {
      const place = await setAside();
      const detail =
        `the pipeline file is now ${JSON.stringify(place)}; ` + 'to undo this, delete the automation and move it back';
      findings.push({ kind: 'translated', pointer: '', detail });
    } catch (error) {
      await this.deps.automations.remove(principal, automation.id);
      for (const { id } of sources) await this.deps.sources.remove(principal, id);
      throw error;
    }
    return { ...entry, findings, outcome: 'created', automationId: automation.id, sources };
  }

  /** What a draft would be here, under a free name. */
  async #fitted(document: ImportDocument, draft: Draft, names: ReadonlySet<string>, call: ImportCall) {
    const { kind } = draft;
    const name = await this.deps.automations.freeName(call.principal, draft.name, names);
    const fitted = await fitDraft(this.deps, draft, call);
    const renamed: Finding[] =
      name === draft.name
        ? []
        : [{ kind: 'differs', pointer: '/name', detail: `is "${name}", because "${draft.name}" is taken` }];
    const entry = { ...placeOf(document), kind, name, findings: [...renamed, ...fitted.findings], error: null };
    return { fitted, entry };
  }

  async #one(
    document: ImportDocument,
    draft: Draft,
    names: ReadonlySet<string>,
    call: ImportCall,
    /** Given when nothing is to be saved: gets what would be. */
    planned: PlannedSource[] | undefined,
  ): Promise<ImportEntry> {
    const { kind } = draft;
    try {
      const { fitted, entry } = await this.#fitted(document, draft, names, call);
      const { name } = entry;
      if (planned !== undefined) {
        planned.push(...fitted.newSources.map(({ source }) => ({ source, automation: name })));
        return { ...entry, outcome: 'ready', automationId: null, sources: [] };
      }
      const { automation, sources } = await saveFitted(this.deps, fitted, name, call);
      return { ...entry, outcome: 'created', automationId: automation.id, sources };
    } catch (error) {
      // The rest of the report must not be lost.
      if (!isQuireError(error) || error.code === 'CANCELLED' || error.code === 'AUTOMATION_READ_ONLY') throw error;
      const { code, message, row, errors } = error;
      return {
        ...refusedEntry(document, { status: row.status, code, detail: message, errors }),
        kind,
        name: draft.name,
      };
    }
  }
}

function describedIn(read: readonly Read[]): ReadonlyMap<string, DescribedSource> {
  return new Map(read.flatMap((found) => ('source' in found ? [[found.source.id, found.source] as const] : [])));
}

function placeOf({ file, pointer }: Pick<RefusedFile, 'file' | 'pointer'>): Pick<RefusedFile, 'file' | 'pointer'> {
  return { file, pointer };
}

function refusedEntry(place: Pick<RefusedFile, 'file' | 'pointer'>, error: ImportError): ImportEntry {
  const nothing = { kind: null, name: null, automationId: null, findings: [], sources: [] };
  return { ...placeOf(place), ...nothing, outcome: 'refused', error };
}

function invalid(detail: string, errors: readonly FieldFault[] = []): ImportError {
  return { status: 400, code: 'INPUT_INVALID', detail, errors };
}

function sentenceOf(faults: readonly FieldFault[]): string {
  return faults.map(({ pointer, detail }) => `${pointer} ${detail}`.trim()).join('; ');
}

function refusal(faults: readonly FieldFault[]): InputError {
  const [first] = faults;
  const count = faults.length > 1 && faults.length;
  return new InputError(
    'AUTOMATION_INVALID',
    { first: `${first?.pointer ?? ''} ${first?.detail ?? ''}`, count },
    faults,
  );
}

const OFF: Finding = {
  kind: 'todo',
  pointer: '',
  detail: 'is off until somebody switches it on; until then, files wait in the folder',
};

/** Steps that got all files of a watched folder together, and get each file alone in an automation. */
function togetherIn(operations: Catalog['operations'], { content, steps }: Draft): readonly Finding[] {
  const { pipeline } = content.work;
  if (typeof pipeline === 'string') return [];
  const together = stepsWithin(pipeline).find(
    ({ step }) => operations.get(pathOf(step).replace(/^\/api\/v1\//, ''))?.operation.files === 'all',
  );
  if (together === undefined) return [];
  const detail = 'gets each file alone: the watched folder gave it all files that had arrived';
  return [{ kind: 'differs', pointer: steps[Number(together.pointer.split('/')[2])] ?? '', detail }];
}
