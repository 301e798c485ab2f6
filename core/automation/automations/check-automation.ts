import { isQuireError, type FieldFault, type Principal } from '@quire/registry';
import type { PipelineReport } from '../../operations/pipelines/index.js';
import { TOOL } from '../../operations/pipelines/index.js';
import { proveOptions, provenFaults, type Kinds } from '../connector-options.js';
import type { ConnectorOptions } from '../connectors/model.js';
import type { SavedPipelines } from '../saved-pipelines.js';
import type { Source } from '../sources/source-records.js';
import { scheduleFaults } from '../triggers/schedule.js';
import type { AutomationContent, AutomationInput, DestinationSpec, Work } from './model.js';
import { loopOf, placed, type Placed } from './places.js';

export interface CheckDeps {
  readonly kinds: Kinds;
  readonly saved: Pick<SavedPipelines, 'runnable'>;
  report(json: string, principal: Principal): Promise<PipelineReport>;
  now(): Date;
  /** Options with the bucket of the saved connection that they name, if the principal may use it. */
  resolved(options: ConnectorOptions, principal: Principal): Promise<ConnectorOptions>;
}

/** An automation with what it is checked against. */
export interface Checking {
  readonly id: string;
  readonly name: string;
  readonly content: AutomationContent;
  readonly principal: Principal;
  /** The sources that the author may use, by id. */
  readonly sources: ReadonlyMap<string, Source>;
  /** The other automations that files start, for loops. */
  readonly others: readonly Placed[];
  readonly signal: AbortSignal;
}

export interface CheckedAutomation {
  /** With the defaults of options. */
  readonly content: AutomationContent;
  readonly faults: readonly FieldFault[];
}

/** Checks an automation whole; faults point into its body. */
export async function checkAutomation(deps: CheckDeps, checking: Checking): Promise<CheckedAutomation> {
  const { content, principal } = checking;
  const faults: FieldFault[] = [...(await workFaults(deps, content.work, principal))];
  for (const [at, input] of content.inputs.entries()) {
    const pointer = `/inputs/${at}`;
    const again = content.inputs.findIndex(({ source }) => source !== null && source === input.source);
    if (again !== -1 && again !== at)
      faults.push({ pointer: `${pointer}/source`, detail: 'names the same source as an input before it' });
    faults.push(...(await inputFaults(deps, input, pointer, checking)));
  }
  faults.push(...filterFaults(content));
  const destinations: DestinationSpec[] = [];
  for (const [at, destination] of content.destinations.entries()) {
    const checked = await checkDestination(deps, destination, `/destinations/${at}`, checking);
    faults.push(...checked.faults);
    destinations.push({ ...destination, options: checked.options });
  }
  const whole = { ...content, destinations };
  if (faults.length === 0) faults.push(...(await loopFaults(deps, whole, checking)));
  return { content: whole, faults };
}

/** The pipeline that an automation runs now, as `pipeline/handleData` takes it. Throws as `SavedPipelines.runnable`. */
export async function definitionOf(
  saved: Pick<SavedPipelines, 'runnable'>,
  { pipeline, values }: Work,
  name: string,
  principal: Principal,
): Promise<string> {
  if (typeof pipeline !== 'string')
    return JSON.stringify({ name, pipeline, ...(Object.keys(values).length === 0 ? {} : { values }) });
  const [, tool = pipeline, version] = TOOL.exec(pipeline) ?? [];
  return (await saved.runnable(principal, tool, version === undefined ? undefined : Number(version), values)).json;
}

async function workFaults(deps: CheckDeps, work: Work, principal: Principal): Promise<FieldFault[]> {
  const named = typeof work.pipeline === 'string';
  try {
    const json = await definitionOf(deps.saved, work, 'automation', principal);
    const { faults, masked } = await deps.report(json, principal);
    return [...faults, ...masked].map(({ pointer, detail }) => ({
      pointer: named ? '/work/pipeline' : `/work${pointer}`,
      detail: named ? `${pointer} ${detail}` : detail,
    }));
  } catch (error) {
    if (!isQuireError(error)) throw error;
    if (error.code === 'NOT_FOUND')
      return [{ pointer: '/work/pipeline', detail: `there is no saved pipeline ${JSON.stringify(work.pipeline)}` }];
    if (error.row.status >= 500) throw error;
    const inside = error.code === 'PIPELINE_INVALID' && !named ? '/work' : '/work/pipeline';
    const at = error.code === 'INPUT_INVALID' ? '/work/values' : inside;
    return error.errors.length === 0
      ? [{ pointer: at, detail: error.message }]
      : error.errors.map(({ pointer, detail }) => ({ pointer: `${at}${pointer}`, detail }));
  }
}

async function inputFaults(
  deps: CheckDeps,
  { source, trigger }: AutomationInput,
  pointer: string,
  { sources, principal, signal }: Checking,
): Promise<FieldFault[]> {
  const faults: FieldFault[] = [];
  const report = (member: string, detail: string): void => void faults.push({ pointer: `${pointer}${member}`, detail });
  if (trigger.type === 'schedule')
    for (const { pointer: at, detail } of await scheduleFaults(trigger, deps.now())) report(`/trigger${at}`, detail);
  if (source === null) {
    if (trigger.type !== 'manual')
      report('/source', `is missing: ${trigger.type} starts the work on files of a source`);
    return faults;
  }
  const found = sources.get(source);
  if (found === undefined) {
    report('/source', `there is no source with the id "${source}"`);
    return faults;
  }
  const kind = deps.kinds.sources.get(found.type);
  if (kind === undefined) {
    report('/source', deps.kinds.unknown('sources', found.type));
    return faults;
  }
  if (trigger.type === 'arrival' && !kind.announces)
    report('/trigger/type', `a ${found.type} source does not report new files; use a schedule`);
  const proof = await provenFaults(kind, found.options, '', { principal, signal });
  // Its own options are not part of this body.
  for (const { detail } of proof) report('/source', `"${found.name}" cannot be used: ${detail}`);
  return faults;
}

async function checkDestination(
  { kinds }: CheckDeps,
  { type, options }: DestinationSpec,
  pointer: string,
  { principal, signal }: Checking,
): Promise<{ readonly options: ConnectorOptions; readonly faults: readonly FieldFault[] }> {
  const kind = kinds.destinations.get(type);
  if (kind === undefined)
    return { options, faults: [{ pointer: `${pointer}/type`, detail: kinds.unknown('destinations', type) }] };
  return proveOptions(kind, options, `${pointer}/options`, { principal, signal });
}

function filterFaults({ filters: { names, minBytes, maxBytes } }: AutomationContent): FieldFault[] {
  const faults: FieldFault[] = [];
  for (const [at, name] of names.entries())
    if (/[/\\\0]/.test(name))
      faults.push({ pointer: `/filters/names/${at}`, detail: 'is compared with names of files and has no folders' });
  if (minBytes !== null && maxBytes !== null && minBytes > maxBytes)
    faults.push({ pointer: '/filters/minBytes', detail: `is more than maxBytes (${maxBytes})` });
  return faults;
}

async function loopFaults(
  { resolved }: CheckDeps,
  content: AutomationContent,
  { id, name, sources, others, principal }: Checking,
): Promise<FieldFault[]> {
  const resolve = (options: ConnectorOptions) => resolved(options, principal);
  const own = await placed({ id, name, content }, (source) => sources.get(source)?.options, resolve);
  const loop = loopOf(own, others);
  if (loop === undefined) return [];
  return [
    {
      pointer: `/destinations/${loop.destination}`,
      detail: `would feed the automation with its own results: ${loop.names.join(' → ')}`,
    },
  ];
}
