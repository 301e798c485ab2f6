import { isDeepStrictEqual } from 'node:util';
import { mask } from '../../settings/index.js';
import type { AutomationInput } from '../automations/model.js';
import type { Kinds } from '../connector-options.js';
import type { Source } from '../sources/source-records.js';
import type { Sources } from '../sources/sources.js';
import {
  withoutConnection,
  type DescribedSource,
  type DraftInput,
  type Finding,
  type ImportCall,
  type PlannedSource,
} from './draft.js';

/** A source that has to be saved before the automation. */
export interface NewSource {
  readonly source: Source;
  /** Options that the server makes when it is saved. */
  readonly shownOnce: readonly string[];
}

export interface SettledInputs {
  readonly inputs: readonly AutomationInput[];
  /** Where each of them is in the document. */
  readonly pointers: readonly string[];
  readonly newSources: readonly NewSource[];
  /** Sources that another document of the call would make. */
  readonly reused: readonly Source[];
  readonly findings: readonly Finding[];
}

/** Finds the sources of a draft here, or describes those to be made; an input without a source is left out. */
export async function settleInputs(
  sources: Sources,
  kinds: Kinds,
  drafts: readonly DraftInput[],
  call: ImportCall,
): Promise<SettledInputs> {
  const settling: Settling = { sources, kinds, call, newSources: [], reused: [], findings: [] };
  const settled: { readonly pointer: string; readonly input: AutomationInput }[] = [];
  for (const { pointer, source, trigger } of drafts) {
    if (source === null) {
      settled.push({ pointer, input: { source, trigger: trigger(undefined) } });
      continue;
    }
    const found = await sourceOf(settling, source, pointer);
    if (found === undefined) continue;
    settled.push({ pointer, input: { source: found.id, trigger: trigger(found.type) } });
  }
  return {
    inputs: settled.map(({ input }) => input),
    pointers: settled.map(({ pointer }) => pointer),
    newSources: settling.newSources,
    reused: settling.reused,
    findings: settling.findings,
  };
}

interface Settling {
  readonly sources: Sources;
  readonly kinds: Kinds;
  readonly call: ImportCall;
  readonly newSources: NewSource[];
  readonly reused: Source[];
  readonly findings: Finding[];
}

async function sourceOf(
  settling: Settling,
  wanted: DescribedSource | string,
  pointer: string,
): Promise<Source | undefined> {
  if (typeof wanted !== 'string') return made(settling, wanted, pointer);
  const { sources, call, findings } = settling;
  const here = (await sources.usableBy(call.principal)).get(wanted);
  if (here !== undefined) return here;
  const described = call.described.get(wanted);
  if (described !== undefined) return made(settling, described, pointer);
  findings.push({
    kind: 'todo',
    pointer,
    detail:
      `is left out: there is no source with the id "${wanted}" here; add it in the editor, or import the answer of ` +
      `GET /api/v1/sources/${wanted} of the other server together with this file`,
  });
  return undefined;
}

async function made(
  { sources, kinds, call, newSources, reused, findings }: Settling,
  { name, type, options: described }: DescribedSource,
  pointer: string,
): Promise<Source | undefined> {
  const options = withoutConnection(described, `${pointer}/source/options`, findings);
  const secrets = kinds.sources.get(type)?.secrets ?? [];
  const missing = secrets.filter((secret) => options[secret] === mask);
  const sent = Object.fromEntries(Object.entries(options).filter(([option]) => !missing.includes(option)));
  const isSame = ({ source }: { readonly source: Source }): boolean =>
    source.type === type && Object.entries(sent).every(([key, value]) => source.options[key] === value);
  const already = newSources.find(isSame);
  if (already !== undefined) return already.source;
  const tried = await sources.tried(call.principal, { name, type, enabled: true, options: sent }, call.signal);
  if (tried.source === undefined) {
    const secret = missing.length === 0 ? '' : ` (exports do not contain ${missing.join(', ')})`;
    for (const fault of tried.faults)
      findings.push({
        kind: 'todo',
        pointer: `${pointer}/source${fault.pointer}`,
        detail: `the ${type} source "${name}" cannot be used here and is left out: ${fault.detail}${secret}`,
      });
    return undefined;
  }
  if (tried.isNew !== true) {
    findings.push({ kind: 'translated', pointer, detail: `uses the source "${tried.source.name}", which is the same` });
    return tried.source;
  }
  const shownOnce = Object.keys(kinds.sources.get(type)?.make?.() ?? {});
  // What the server makes itself is another one for every source.
  const planned = shownOnce.length > 0 ? undefined : call.planned.find(isSameAs(tried.source, secrets));
  if (planned !== undefined) {
    const detail = `reuses the new source "${planned.source.name}" of the automation "${planned.automation}"`;
    findings.push({ kind: 'translated', pointer, detail });
    reused.push(planned.source);
    return planned.source;
  }
  newSources.push({ source: tried.source, shownOnce });
  findings.push({ kind: 'translated', pointer, detail: `gets a new ${type} source "${name}"` });
  const needed = missing.filter((option) => !shownOnce.includes(option));
  if (needed.length > 0)
    findings.push({
      kind: 'todo',
      pointer,
      detail: `exports do not contain ${needed.join(', ')}: enter it in the source`,
    });
  if (shownOnce.length > 0)
    findings.push({
      kind: 'todo',
      pointer,
      detail: `has a new ${shownOnce.join(' and ')}, which the report of the import shows once: give them to the sender`,
    });
  return tried.source;
}

/** Whether a source would be the same as one that is planned, secrets aside. */
function isSameAs({ type, options }: Source, secrets: readonly string[]): (planned: PlannedSource) => boolean {
  const open = (all: Source['options']): unknown =>
    Object.fromEntries(Object.entries(all).filter(([name]) => !secrets.includes(name)));
  return ({ source }) => source.type === type && isDeepStrictEqual(open(source.options), open(options));
}
