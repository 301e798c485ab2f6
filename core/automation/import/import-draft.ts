import type { Catalog } from '@quire/catalog';
import { isQuireError, type FieldFault, type Principal } from '@quire/registry';
import {
  isObject,
  isSecretParameter,
  pathOf,
  stepsWithin,
  type PipelineReport,
} from '../../operations/pipelines/index.js';
import { escapePointer } from '../../operations/runner/index.js';
import { mask } from '../../settings/index.js';
import type { Assets } from '../assets/assets.js';
import type { Automations } from '../automations/automations.js';
import type { Automation, AutomationContent, DestinationSpec } from '../automations/model.js';
import type { Kinds } from '../connector-options.js';
import type { ConnectorOptions } from '../connectors/model.js';
import type { Sources } from '../sources/sources.js';
import {
  withoutConnection,
  type DescribedSource,
  type Draft,
  type DraftDestination,
  type Finding,
  type ImportCall,
} from './draft.js';
import { settleFiles } from './settle-files.js';
import { settleInputs, type NewSource, type SettledInputs } from './settle-inputs.js';

export interface ImportDraftDeps {
  readonly assets: Pick<Assets, 'forStep' | 'withContent'>;
  readonly automations: Automations;
  readonly sources: Sources;
  readonly kinds: Kinds;
  operations(): Catalog['operations'];
  report(json: string, principal: Principal): Promise<PipelineReport>;
}

/** A draft as it would be here. */
export interface FittedDraft {
  readonly name: string;
  readonly content: AutomationContent;
  /** Sources that have to be saved first, under ids that the content names. */
  readonly newSources: readonly NewSource[];
  readonly findings: readonly Finding[];
  /** What keeps it from running, also as `todo` in the findings. */
  readonly faults: readonly FieldFault[];
}

/** A source that was made for an import. */
export interface MadeSource {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** Made by the server and never shown again: the address and the secret of a webhook. */
  readonly made: ConnectorOptions;
}

/** Compares a draft with what this server has; nothing is saved. */
export async function fitDraft(deps: ImportDraftDeps, draft: Draft, call: ImportCall): Promise<FittedDraft> {
  const inputs = await settleInputs(deps.sources, deps.kinds, draft.inputs, call);
  const usable = await deps.sources.usableBy(call.principal);
  const found: Finding[] = [];
  const kept = draft.destinations.flatMap((one) => {
    const destination = destinationOf(deps.kinds, one, (id) => usable.get(id) ?? call.described.get(id), found);
    return destination === undefined ? [] : [{ pointer: one.pointer, destination }];
  });
  const { name } = draft;
  const files = await settleFiles(deps.assets, draft, call, stepPlaces(draft));
  const content = {
    ...draft.content,
    work: { ...draft.content.work, pipeline: files.pipeline },
    inputs: inputs.inputs,
    destinations: kept.map((one) => one.destination),
  };
  const checked = await deps.automations.tried(
    call.principal,
    { name, enabled: false, content },
    [...inputs.newSources.map(({ source }) => source), ...inputs.reused],
    call.signal,
  );
  const place = placesOf(draft, inputs, kept);
  const faults = checked.faults.map(({ pointer, detail }) => ({ pointer: place(pointer), detail }));
  return {
    name,
    content: { ...checked.content, ...policyOf(deps.kinds, draft) },
    newSources: inputs.newSources,
    faults,
    findings: [
      ...draft.findings,
      ...inputs.findings,
      ...found,
      ...files.findings,
      ...blankSecrets(deps, draft),
      ...(await unknownFields(deps, draft, call.principal)),
      ...faults.map((fault): Finding => ({ kind: 'todo', ...fault })),
    ],
  };
}

/** Saves a fitted draft, switched off, with its new sources. If it cannot be saved, its sources are removed again. */
export async function saveFitted(
  { automations, sources }: Pick<ImportDraftDeps, 'automations' | 'sources'>,
  { content, newSources }: Pick<FittedDraft, 'content' | 'newSources'>,
  name: string,
  { principal, signal }: Pick<ImportCall, 'principal' | 'signal'>,
): Promise<{ readonly automation: Automation; readonly sources: readonly MadeSource[] }> {
  const made: MadeSource[] = [];
  try {
    for (const { source, shownOnce } of newSources) {
      const { id, name: title, type, options } = await sources.save(principal, source, signal);
      made.push({
        id,
        name: title,
        type,
        made: Object.fromEntries(shownOnce.map((option) => [option, options[option]])),
      });
    }
    return { automation: await automations.createOff(principal, { name, content }), sources: made };
  } catch (error) {
    for (const { id } of made) await sources.remove(principal, id);
    throw error;
  }
}

function destinationOf(
  kinds: Kinds,
  { pointer, target }: DraftDestination,
  sourceOf: (id: string) => DescribedSource | undefined,
  findings: Finding[],
): DestinationSpec | undefined {
  const todo = (detail: string, at = ''): void =>
    void findings.push({ kind: 'todo', pointer: `${pointer}${at}`, detail });
  const described = typeof target === 'string' ? sourceOf(target) : target;
  if (described === undefined) {
    todo(`is left out: there is no source with the id "${String(target)}" here; add the destination`);
    return undefined;
  }
  const { type } = described;
  const kind = kinds.destinations.get(type);
  if (kind === undefined) {
    todo(`is left out: ${kinds.unknown('destinations', type)}`);
    return undefined;
  }
  const known = optionNames(kinds, type);
  const options = withoutConnection(described.options, `${pointer}/options`, findings);
  const kept = Object.entries(options).filter(([name, value]) => {
    const isMissing = kind.secrets.includes(name) && value === mask;
    if (isMissing) todo('is a secret, which exports do not contain: enter it', `/options/${escapePointer(name)}`);
    return !isMissing && (known?.has(name) ?? true);
  });
  return { id: '', type, options: Object.fromEntries(kept) };
}

/** Names of the options of a kind of destination; undefined for a kind that does not exist. */
function optionNames(kinds: Kinds, type: string): ReadonlySet<string> | undefined {
  const described = kinds.destinations.get(type)?.options.describe() as { readonly keys?: object } | undefined;
  return described === undefined ? undefined : new Set(Object.keys(described.keys ?? {}));
}

/** Options of a policy's output that mean something only to its clients. */
function policyOf(kinds: Kinds, { content, destinations }: Draft): Pick<AutomationContent, 'policy'> {
  const [first] = destinations;
  if (content.policy === undefined || first === undefined || typeof first.target === 'string') return {};
  const { type, options } = first.target;
  const known = optionNames(kinds, type);
  const rest = Object.entries(options).filter(([name]) => known !== undefined && !known.has(name));
  return { policy: { ...content.policy, outputOptions: Object.fromEntries(rest) } };
}

/** Where in the document a fault of the automation is. */
function placesOf(
  { steps, content }: Draft,
  { pointers }: SettledInputs,
  destinations: readonly { readonly pointer: string }[],
): (pointer: string) => string {
  const within: readonly (readonly [string, readonly string[]])[] = [
    ['/work/pipeline', steps],
    ['/pipeline', typeof content.work.pipeline === 'string' ? [] : steps],
    ['/inputs', pointers],
    ['/destinations', destinations.map(({ pointer }) => pointer)],
  ];
  return (pointer) => {
    for (const [base, places] of within) {
      const [, at = '', rest = ''] = new RegExp(`^${base}/(\\d+)(.*)$`).exec(pointer) ?? [];
      const place = places[Number(at || '-1')];
      // What is made of one text of the document has no places in it.
      if (place !== undefined) return /^\/(outputDir|outputIds)/.test(place) ? place : `${place}${rest}`;
    }
    return pointer;
  };
}

/** Where in the document a step is. */
function stepPlaces(draft: Draft): (pointer: string) => string {
  return placesOf(draft, { inputs: [], pointers: [], newSources: [], reused: [], findings: [] }, []);
}

/** Passwords and keys of steps that are empty, as exports for stores have them. */
export function blankSecrets({ operations }: Pick<ImportDraftDeps, 'operations'>, draft: Draft): Finding[] {
  const { pipeline } = draft.content.work;
  if (typeof pipeline === 'string') return [];
  const catalog = { operations: operations() };
  return stepsWithin(pipeline).flatMap(({ step, pointer }) => {
    const parameters = isObject(step['parameters']) ? step['parameters'] : {};
    return Object.entries(parameters).flatMap(([name, value]): Finding[] => {
      if (value !== '' || !isSecretParameter(catalog, pathOf(step), name)) return [];
      const at = /^\/pipeline\/(\d+)(.*)$/.exec(pointer);
      return [
        {
          kind: 'todo',
          pointer: `${draft.steps[Number(at?.[1])] ?? ''}${at?.[2] ?? ''}/parameters/${escapePointer(name)}`,
          detail: 'is empty; exports do not contain secrets: enter the value if the step needs it',
        },
      ];
    });
  });
}

/** Fields that the operation of a step does not know. */
async function unknownFields(deps: ImportDraftDeps, draft: Draft, principal: Principal): Promise<Finding[]> {
  const { pipeline, values } = draft.content.work;
  if (typeof pipeline === 'string') return [];
  const named = Object.keys(values).length === 0 ? {} : { values };
  try {
    const { ignored } = await deps.report(JSON.stringify({ pipeline, ...named }), principal);
    const place = stepPlaces(draft);
    return ignored.map(({ pointer, detail }): Finding => ({ kind: 'differs', pointer: place(pointer), detail }));
  } catch (error) {
    // The check of the automation reports what keeps it from being read.
    if (isQuireError(error) && error.code === 'PIPELINE_INVALID') return [];
    throw error;
  }
}
