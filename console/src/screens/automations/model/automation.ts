import type { ShownField } from '@quire/registry';
import { callJson, upload } from '../../../api/index.ts';

/** When a schedule starts, as the server takes it. */
export interface Schedule {
  readonly type: 'every' | 'daily' | 'weekly' | 'monthly';
  readonly count?: number;
  readonly unit?: 'MINUTES' | 'HOURS' | 'DAYS';
  readonly at?: string;
  readonly days?: readonly string[];
  readonly dayOfMonth?: number;
}

export interface Trigger {
  readonly type: 'manual' | 'arrival' | 'schedule';
  readonly cron?: string;
  readonly schedule?: Schedule;
  readonly zone?: string;
  readonly missed?: 'once' | 'skip';
}

export interface Input {
  readonly source: string | null;
  readonly trigger: Trigger;
}

export type Options = Readonly<Record<string, unknown>>;

export interface Destination {
  readonly id?: string;
  readonly type: string;
  readonly options: Options;
}

/** What people decide about an automation. */
export interface SentAutomation {
  readonly name: string;
  readonly enabled: boolean;
  readonly description: string;
  readonly work: { readonly pipeline: string | readonly object[]; readonly values: Options };
  readonly inputs: readonly Input[];
  readonly destinations: readonly Destination[];
  readonly filters: {
    readonly names: readonly string[];
    readonly kinds: readonly string[];
    readonly minBytes: number | null;
    readonly maxBytes: number | null;
  };
  readonly quietMs: number;
  readonly once: 'version' | 'content';
  readonly order: 'oldest' | 'name';
  readonly concurrency: number;
  readonly retry: { readonly times: number; readonly firstMs: number };
}

export const fileStates = ['waiting', 'running', 'delivering', 'delivered', 'parked'] as const;
export type FileState = (typeof fileStates)[number];
export type FileCounts = Readonly<Record<FileState, number>>;

export interface Automation extends SentAutomation {
  readonly id: string;
  readonly owner: string | null;
  readonly revision: number;
  readonly editable: boolean;
  /** The watched folder that it is; null for one that was saved. */
  readonly folder: { readonly id: string; readonly path: string } | null;
  /** The stored folder whose files it processes; it is changed with the folder. */
  readonly storageFolder: string | null;
  readonly nextStart: string | null;
  readonly files: FileCounts;
  readonly problems: readonly {
    readonly source: string | null;
    readonly code: string;
    readonly detail: string;
    readonly since?: string;
  }[];
}

/** A kind of source or destination, with a form of its options. */
export interface Kind {
  readonly type: string;
  readonly title: string;
  readonly help: string;
  readonly icon: string;
  readonly announces: boolean;
  readonly fields: readonly ShownField[];
}

export interface Kinds {
  readonly sources: readonly Kind[];
  readonly destinations: readonly Kind[];
  readonly defaults: Defaults;
}

/** What an automation has where nobody says otherwise. */
export type Defaults = Pick<SentAutomation, 'filters' | 'quietMs' | 'once' | 'order' | 'concurrency' | 'retry'>;

export interface SourceRow {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly referencingPolicies: readonly { readonly id: string; readonly name: string }[];
}

export interface Source {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly enabled: boolean;
  readonly options: Options;
}

export interface AutomationFile {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly state: FileState;
  readonly since: string;
  readonly nextAttempt: string | null;
  readonly attempts: number;
  readonly runId: string | null;
  /** Of its run; small files share jobs. */
  readonly jobId: string | null;
  readonly reason: { readonly code: string; readonly detail: string } | null;
  readonly places: readonly string[];
}

export interface FilesPage {
  readonly files: readonly AutomationFile[];
  readonly total: number;
  readonly next: number | null;
}

export type FilesNews = FilesPage & { readonly counts: FileCounts };

export interface Run {
  readonly id: string;
  readonly state: 'running' | 'delivering' | 'completed' | 'failed' | 'cancelled';
  readonly trigger: 'manual' | 'schedule' | 'arrival' | 'upload';
  readonly inputs: readonly string[];
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly outputs: readonly { readonly name: string; readonly places: readonly string[] }[];
  readonly warnings: readonly string[];
  readonly detail: string | null;
  readonly bytes: number;
  readonly attempt: number;
  /** What each tool did, and which one failed; empty until the pipeline has ended. */
  readonly steps: readonly RunStep[];
}

export interface RunStep {
  readonly index: number;
  readonly operation: string;
  readonly ms: number;
  readonly received: StepFiles;
  readonly returned: StepFiles;
  readonly warnings?: readonly string[];
  /** Why it failed, also if the pipeline went on. */
  readonly error?: {
    readonly code: string;
    readonly detail: string;
    readonly pointer?: string;
    readonly hint?: string;
  };
}

/** How many files, and the names of the first. */
export interface StepFiles {
  readonly count: number;
  /** Of all of them. */
  readonly bytes?: number;
  readonly names: readonly string[];
}

/** Address of an automation, or of something in it. */
export function addressOf(id: string, ...rest: readonly string[]): string {
  return ['automations', ...[id, ...rest].map(encodeURIComponent)].join('/');
}

export function listAutomations(signal: AbortSignal): Promise<readonly Automation[]> {
  return callJson('automations', { signal });
}

export function getAutomation(id: string, signal?: AbortSignal): Promise<Automation> {
  return callJson(addressOf(id), { signal });
}

/** Creates an automation; with `before`, changes that one, unless somebody else has changed it since. */
export function saveAutomation(
  sent: SentAutomation,
  before?: Pick<Automation, 'id' | 'revision'>,
): Promise<Automation> {
  if (before === undefined) return callJson('automations', { body: sent });
  return callJson(addressOf(before.id), { method: 'PUT', query: { basedOn: String(before.revision) }, body: sent });
}

export function switchAutomation(automation: Automation, enabled: boolean): Promise<Automation> {
  return saveAutomation({ ...contentOf(automation), enabled }, automation);
}

/** What is sent back of an automation that was read. */
function contentOf({
  name,
  enabled,
  description,
  work,
  inputs,
  destinations,
  filters,
  quietMs,
  once,
  order,
  concurrency,
  retry,
}: Automation): SentAutomation {
  return {
    name,
    enabled,
    description,
    work,
    inputs,
    destinations,
    filters,
    quietMs,
    once,
    order,
    concurrency,
    retry,
  };
}

export async function removeAutomation(id: string): Promise<void> {
  await callJson(addressOf(id), { method: 'DELETE' });
}

export function getKinds(signal?: AbortSignal): Promise<Kinds> {
  return callJson('automations/kinds', { signal });
}

export async function listSources(signal?: AbortSignal): Promise<readonly SourceRow[]> {
  const { sources } = await callJson<{ readonly sources: readonly SourceRow[] }>('sources', { signal });
  return sources;
}

export function getSource(id: string, signal?: AbortSignal): Promise<Source> {
  return callJson(`sources/${encodeURIComponent(id)}`, { signal });
}

export function saveSource(source: Omit<Source, 'id'> & { readonly id?: string }): Promise<Source> {
  return callJson('sources', { body: source });
}

export async function removeSource(id: string): Promise<void> {
  await callJson(`sources/${encodeURIComponent(id)}`, { method: 'DELETE' });
}

/** Lists the sources of an automation now; returns how many files it took. */
export function startNow(id: string): Promise<{
  readonly taken: number;
  readonly problems: Automation['problems'];
}> {
  return callJson(addressOf(id, 'trigger'), { method: 'POST' });
}

/** Puts one parked file back to work, or all. */
export function retryFiles(id: string, file?: string): Promise<{ readonly count: number }> {
  return callJson(addressOf(id, 'items', 'retry'), { method: 'POST', query: { file } });
}

export function resetFiles(id: string): Promise<{ readonly count: number }> {
  return callJson(addressOf(id, 'items'), { method: 'DELETE' });
}

export function listFiles(
  id: string,
  query: { readonly state?: FileState | undefined; readonly offset?: number },
  signal?: AbortSignal,
): Promise<FilesPage> {
  const { state, offset = 0 } = query;
  return callJson(addressOf(id, 'items'), { query: { state, offset: String(offset) }, signal });
}

export async function listRuns(id: string, limit: number, signal?: AbortSignal): Promise<readonly Run[]> {
  const { runs } = await callJson<{ readonly runs: readonly Run[] }>(addressOf(id, 'runs'), {
    query: { limit: String(limit) },
    signal,
  });
  return runs;
}

export async function cancelRun(id: string, run: string): Promise<void> {
  await callJson(addressOf(id, 'runs', run, 'cancel'), { method: 'POST' });
}

/** Runs an automation on files of one's own; returns the id of the job. */
export async function runWithFiles(id: string, files: readonly File[]): Promise<string> {
  const { blob } = await upload(addressOf(id, 'run'), () => filesForm(files));
  return (JSON.parse(await blob.text()) as { readonly jobId: string }).jobId;
}

/** A form with files and nothing else. */
export function filesForm(files: readonly File[]): FormData {
  const fields = new FormData();
  for (const file of files) fields.append('fileInput', file, file.name);
  return fields;
}
