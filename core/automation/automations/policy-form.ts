import { isDeepStrictEqual } from 'node:util';
import { InputError, isQuireError, type FieldFault } from '@quire/registry';
import type { ConnectorOptions } from '../connectors/model.js';
import type { Source } from '../sources/source-records.js';
import { teamNumber } from '../team-records.js';
import type { SentAutomation } from './automations.js';
import {
  usualContent,
  type Automation,
  type AutomationContent,
  type AutomationInput,
  type DestinationSpec,
  type ScheduleTrigger,
  type Trigger,
} from './model.js';

/** Triggers of policies, and the kind of source that each of them needs. */
export const policyTriggers = {
  'folder-watch': 'folder',
  schedule: undefined,
  'storage-folder-watch': 'storage-folder',
  webhook: 'webhook',
} as const;
type PolicyTriggerType = keyof typeof policyTriggers;

export interface PolicyTrigger {
  readonly type: PolicyTriggerType;
  readonly options: Readonly<Record<string, unknown>>;
}

/** A step as policies write it. */
export interface PolicyStep {
  /** Missing in steps that contain steps. */
  readonly operation?: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly fileParameters: Readonly<Record<string, unknown>>;
}

/** The body of a policy (`docs/interface/automation.yml`, policy object). */
export interface SentPolicy {
  readonly id?: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly trigger: PolicyTrigger | null;
  readonly sourceIds: readonly string[];
  readonly steps: readonly PolicyStep[];
  readonly output: { readonly type: string; readonly options: ConnectorOptions };
  /** In place of `trigger` and `sourceIds`. */
  readonly inputs?: readonly PolicyInput[];
  /** Sources that are used as destinations; empty: `output`. */
  readonly outputIds?: readonly string[];
  readonly icon?: string;
}

export interface PolicyInput {
  readonly sourceId: string;
  readonly trigger: PolicyTrigger | null;
}

const INLINE = 'inline';
const TOOLS = '/api/v1/tools/';

/**
 * The automation that a policy describes. What policies cannot say stays as it was. Throws AUTOMATION_INVALID for
 * members that mean nothing here. `optionsOf`: names of the options of a kind of destination.
 */
export function fromPolicy(
  policy: SentPolicy,
  before: AutomationContent | undefined,
  sources: ReadonlyMap<string, Source>,
  optionsOf: (type: string) => ReadonlySet<string> | undefined,
): SentAutomation {
  const faults = policyFaults(policy, sources);
  if (faults.length > 0) throw invalidPolicy(faults);
  const { name, enabled, steps, output, outputIds = [], icon } = policy;
  const names = output.type === INLINE ? new Set<string>() : optionsOf(output.type);
  const own = (wanted: boolean): ConnectorOptions =>
    Object.fromEntries(Object.entries(output.options).filter(([name]) => (names?.has(name) ?? true) === wanted));
  const destinations: readonly DestinationSpec[] =
    outputIds.length > 0
      ? destinationsOf(outputIds, sources, optionsOf)
      : [
          ...(output.type === INLINE
            ? []
            : [{ id: before?.destinations[0]?.id ?? '', type: output.type, options: own(true) }]),
          ...(before?.policy?.outputIds === undefined ? (before?.destinations.slice(1) ?? []) : []),
        ];
  return {
    name,
    enabled,
    content: {
      ...usualContent,
      ...before,
      work: { pipeline: steps.map(pipelineStep), values: {} },
      inputs: inputsOf(policy, before, sources),
      destinations,
      policy: {
        ...before?.policy,
        // Clients keep members there that mean something only to them.
        outputOptions: own(false),
        outputIds: outputIds.length > 0 ? outputIds : undefined,
        ...(icon === undefined ? {} : { icon }),
      },
    },
  };
}

/**
 * The inputs of a policy. Clients that know only `trigger` and `sourceIds` send `inputs` back as they read them, so
 * what differs from the stored automation counts.
 */
function inputsOf(
  { inputs, sourceIds, trigger }: SentPolicy,
  before: AutomationContent | undefined,
  sources: ReadonlyMap<string, Source>,
): readonly AutomationInput[] {
  const shown = before === undefined ? undefined : shownInputs(before.inputs, sources);
  const older = (): readonly AutomationInput[] =>
    sourceIds.map((source) => ({ source, trigger: triggerOf(trigger, sources.get(source)) }));
  if (inputs === undefined) return older();
  const sent = inputs.map(({ sourceId, trigger: one }) => ({
    source: sourceId,
    trigger: triggerOf(one, sources.get(sourceId)),
  }));
  if (before === undefined || shown === undefined) return inputs.length > 0 ? sent : older();
  const read = { trigger: shownStart(before.inputs, sources), sourceIds: shown.map(({ sourceId }) => sourceId) };
  if (!isDeepStrictEqual(inputs, shown)) return sent;
  return isDeepStrictEqual({ trigger, sourceIds }, read) ? before.inputs : older();
}

function destinationsOf(
  ids: readonly string[],
  sources: ReadonlyMap<string, Source>,
  optionsOf: (type: string) => ReadonlySet<string> | undefined,
): readonly DestinationSpec[] {
  return ids.flatMap((id) => {
    const source = sources.get(id);
    if (source === undefined) return [];
    const { type, options } = source;
    const known = optionsOf(type);
    return [{ id: '', type, options: Object.fromEntries(Object.entries(options).filter(([one]) => known?.has(one))) }];
  });
}

/** A step of a pipeline: steps that contain steps have no parameters and files of their own. */
export function pipelineStep(step: PolicyStep): object {
  const { fileParameters, parameters, ...rest } = step;
  if (!('operation' in rest)) return rest;
  return { ...rest, parameters, ...(Object.keys(fileParameters).length === 0 ? {} : { fileParameters }) };
}

/** The policy that shows an automation. `content`: without secrets. */
export function toPolicy(
  { id, name, enabled, ownerName, teamId }: Pick<Automation, 'id' | 'name' | 'enabled' | 'ownerName' | 'teamId'>,
  { work, inputs, destinations, policy }: AutomationContent,
  sources: ReadonlyMap<string, Source>,
) {
  const [output] = destinations;
  const steps =
    typeof work.pipeline === 'string'
      ? [{ operation: `${TOOLS}${work.pipeline}`, parameters: work.values }]
      : (work.pipeline as readonly Partial<PolicyStep>[]);
  return {
    id,
    name,
    owner: ownerName,
    enabled,
    trigger: shownStart(inputs, sources),
    sourceIds: inputs.flatMap(({ source }) => source ?? []),
    steps: steps.map((step: Partial<PolicyStep>) => ({
      ...step,
      parameters: step.parameters ?? {},
      fileParameters: step.fileParameters ?? {},
    })),
    output:
      output === undefined
        ? { type: INLINE, options: policy?.outputOptions ?? {} }
        : { type: output.type, options: { ...policy?.outputOptions, ...output.options } },
    teamId: teamNumber(teamId),
    inputs: shownInputs(inputs, sources),
    outputIds: policy?.outputIds ?? [],
    icon: policy?.icon ?? '',
    storeId: policy?.storeId ?? null,
  };
}

function shownInputs(inputs: readonly AutomationInput[], sources: ReadonlyMap<string, Source>): readonly PolicyInput[] {
  return inputs.flatMap((input) =>
    input.source === null ? [] : [{ sourceId: input.source, trigger: shownTrigger(input, sources) }],
  );
}

/** The trigger of the first input that starts by itself. */
function shownStart(inputs: readonly AutomationInput[], sources: ReadonlyMap<string, Source>): PolicyTrigger | null {
  const started = inputs.find(({ trigger }) => trigger.type !== 'manual');
  return started === undefined ? null : shownTrigger(started, sources);
}

/** An error of the check of an automation, with pointers into the body of the policy. */
export function asPolicyError(error: unknown, policy: Pick<SentPolicy, 'inputs' | 'outputIds'>): unknown {
  if (!isQuireError(error) || error.code !== 'AUTOMATION_INVALID') return error;
  return invalidPolicy(
    error.errors.map(({ pointer, detail }) => ({ pointer: policyPointer(pointer, policy), detail })),
  );
}

function policyPointer(pointer: string, { inputs = [], outputIds = [] }: Pick<SentPolicy, 'inputs' | 'outputIds'>) {
  const work = pointer.replace(/^\/work\/pipeline/, '/steps');
  const output =
    outputIds.length > 0
      ? work.replace(/^\/destinations\/(\d+).*/, '/outputIds/$1')
      : work.replace(/^\/destinations\/0/, '/output');
  if (inputs.length > 0)
    return output
      .replace(/^\/inputs\/(\d+)\/source/, '/inputs/$1/sourceId')
      .replace(/^(\/inputs\/\d+\/trigger)\/(?!type)/, '$1/options/');
  return output
    .replace(/^\/inputs\/(\d+)\/source/, '/sourceIds/$1')
    .replace(/^\/inputs\/\d+\/trigger\/type/, '/trigger/type')
    .replace(/^\/inputs\/\d+\/trigger/, '/trigger/options');
}

function invalidPolicy(faults: readonly FieldFault[]): InputError {
  const [first] = faults;
  const count = faults.length > 1 && faults.length;
  return new InputError(
    'AUTOMATION_INVALID',
    { first: first === undefined ? '' : `${first.pointer} ${first.detail}`, count },
    faults,
  );
}

function policyFaults(
  { trigger, sourceIds, inputs, outputIds = [] }: SentPolicy,
  sources: ReadonlyMap<string, Source>,
): readonly FieldFault[] {
  const faults: FieldFault[] = [];
  for (const [at, id] of outputIds.entries())
    if (!sources.has(id))
      faults.push({ pointer: `/outputIds/${at}`, detail: `there is no source with the id "${id}"` });
  if (trigger === null || (inputs?.length ?? 0) > 0) return faults;
  const needed = policyTriggers[trigger.type];
  if (needed !== undefined && !sourceIds.some((id) => sources.get(id)?.type === needed))
    faults.push({ pointer: '/trigger/type', detail: `${trigger.type} needs a source of the kind ${needed}` });
  if (trigger.type === 'schedule' && sourceIds.length === 0)
    faults.push({ pointer: '/sourceIds', detail: 'is empty: a schedule starts the work on files of a source' });
  return faults;
}

/** The trigger of an input, by the kind of its source. */
export function triggerOf(trigger: PolicyTrigger | null, source: Pick<Source, 'type'> | undefined): Trigger {
  if (trigger === null) return { type: 'manual' };
  if (trigger.type !== 'schedule') {
    const needed = policyTriggers[trigger.type];
    return { type: source?.type === needed ? 'arrival' : 'manual' };
  }
  const { schedule, cron, zone, missed } = trigger.options;
  return {
    type: 'schedule',
    zone: typeof zone === 'string' && zone !== '' ? zone : 'UTC',
    missed: missed === 'skip' ? 'skip' : 'once',
    ...(typeof schedule === 'object' && schedule !== null
      ? { schedule: schedule as NonNullable<ScheduleTrigger['schedule']> }
      : {}),
    ...(typeof cron === 'string' ? { cron } : {}),
  };
}

function shownTrigger(
  { source, trigger }: AutomationInput,
  sources: ReadonlyMap<string, Source>,
): PolicyTrigger | null {
  if (trigger.type === 'manual') return null;
  if (trigger.type === 'schedule') {
    const { type, ...options } = trigger;
    return { type, options };
  }
  const kind = sources.get(source ?? '')?.type;
  const found = Object.entries(policyTriggers).find(([, needed]) => needed !== undefined && needed === kind);
  return { type: (found?.[0] ?? 'folder-watch') as PolicyTriggerType, options: {} };
}
