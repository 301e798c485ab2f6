import { isObject } from '../../operations/pipelines/index.js';
import { usualContent, type Trigger } from '../automations/model.js';
import { policyTriggers, triggerOf, pipelineStep, type PolicyTrigger } from '../automations/policy-form.js';
import {
  ignoredMembers,
  nameOf,
  type DraftDestination,
  type DraftInput,
  type Finding,
  type ReadDocument,
} from './draft.js';

type Members = Readonly<Record<string, unknown>>;

const KNOWN = ['name', 'enabled', 'steps', 'trigger', 'sourceIds', 'inputs', 'output', 'outputIds', 'rules', 'storeId'];
/** Members that belong to the other server and need no word. */
const OF_SERVER = ['id', 'owner', 'teamId'];
const INLINE = 'inline';

/** Reads a policy, or a store export of one (`docs/interface/automation.yml`, policy object). */
export function readPolicy(value: Members, file: string): ReadDocument {
  const findings: Finding[] = ignoredMembers(value, [...KNOWN, ...OF_SERVER]);
  const written = value['steps'] as readonly unknown[];
  const faults = written.flatMap((step, i) =>
    isObject(step) ? [] : [{ pointer: `/steps/${i}`, detail: 'must be an object' }],
  );
  if (written.length === 0) faults.push({ pointer: '/steps', detail: 'has no steps' });
  if (faults.length > 0) return { faults };
  if (value['enabled'] === true)
    findings.push({ kind: 'differs', pointer: '/enabled', detail: 'is off here until somebody switches it on' });
  if (Array.isArray(value['rules']) && value['rules'].length > 0)
    findings.push({
      kind: 'todo',
      pointer: '/rules',
      detail: 'is left out: results go to every destination; make an automation for each rule, with a filter step',
    });
  const { storeId } = value;
  return {
    draft: {
      kind: 'policy',
      name: nameOf(value['name'], file),
      content: {
        ...usualContent,
        work: { pipeline: (written as readonly Members[]).map(stepOf), values: {} },
        policy: { outputOptions: outputOptions(value), ...(typeof storeId === 'string' ? { storeId } : {}) },
      },
      steps: written.map((_, i) => `/steps/${i}`),
      inputs: inputsOf(value, findings),
      destinations: destinationsOf(value, findings),
      files: new Map(),
      findings,
    },
  };
}

function stepOf(step: Members): object {
  const { parameters, fileParameters } = step;
  return pipelineStep({
    ...step,
    parameters: isObject(parameters) ? parameters : {},
    fileParameters: isObject(fileParameters) ? fileParameters : {},
  });
}

/** The list `inputs` of later versions, else `sourceIds` with the one trigger. */
function inputsOf(value: Members, findings: Finding[]): readonly DraftInput[] {
  const { inputs, sourceIds, trigger } = value;
  if (Array.isArray(inputs) && inputs.length > 0)
    return (inputs as readonly unknown[]).flatMap((input, i) => {
      const pointer = `/inputs/${i}`;
      const source = isObject(input) ? input['sourceId'] : undefined;
      if (typeof source !== 'string') return [];
      const read = readTrigger((input as Members)['trigger'], `${pointer}/trigger`, findings);
      return [{ pointer, source, trigger: read }];
    });
  const read = readTrigger(trigger, '/trigger', findings);
  const ids = Array.isArray(sourceIds) ? sourceIds.filter((id) => typeof id === 'string') : [];
  if (ids.length === 0 && isObject(trigger))
    findings.push({
      kind: 'todo',
      pointer: '/sourceIds',
      detail: 'is empty: here a trigger starts the work on files of a source; add one and its trigger',
    });
  return ids.map((source, i) => ({ pointer: `/sourceIds/${i}`, source, trigger: read }));
}

function readTrigger(trigger: unknown, pointer: string, findings: Finding[]): (type: string | undefined) => Trigger {
  if (!isObject(trigger)) return () => ({ type: 'manual' });
  const { type, options } = trigger;
  if (typeof type !== 'string' || !(type in policyTriggers)) {
    const detail = `${JSON.stringify(type)} is not a kind of trigger here: it starts only by hand`;
    findings.push({ kind: 'todo', pointer: `${pointer}/type`, detail });
    return () => ({ type: 'manual' });
  }
  const read = { type: type as PolicyTrigger['type'], options: isObject(options) ? options : {} };
  return (kind) => triggerOf(read, kind === undefined ? undefined : { type: kind });
}

function outputOf({ output }: Members): { readonly type: string; readonly options: Members } {
  const { type, options } = isObject(output) ? output : ({} as Members);
  return { type: typeof type === 'string' ? type : INLINE, options: isObject(options) ? options : {} };
}

function outputOptions(value: Members): Members {
  const { type, options } = outputOf(value);
  return type === INLINE ? options : {};
}

function destinationsOf(value: Members, findings: Finding[]): readonly DraftDestination[] {
  const { outputIds } = value;
  const ids = Array.isArray(outputIds) ? outputIds.filter((id) => typeof id === 'string') : [];
  if (ids.length > 0) return ids.map((target, i) => ({ pointer: `/outputIds/${i}`, target }));
  const target = outputOf(value);
  if (target.type !== INLINE) return [{ pointer: '/output', target }];
  findings.push({
    kind: 'differs',
    pointer: '/output',
    detail: 'is inline: results stay with the run as its files, until they expire; add a destination to keep them',
  });
  return [];
}
