import {
  InputError,
  isQuireError,
  type DocumentFile,
  type Endpoint,
  type EndpointAnswer,
  type EndpointRequest,
  type FieldFault,
} from '@quire/registry';
import { referencesIn } from '../../operations/pipelines/index.js';
import { runCall, type PipelineCallDeps } from '../../operations/pipelines/endpoints/index.js';

const KEY = /^assets\[(\d{1,3})\]\.key$/;
const FILE = /^assets\[(\d{1,3})\]\.file$/;

/** The form of a call that runs steps. */
export const stepsRequest: Endpoint['request'] & object = {
  payloadType: 'multipart',
  payload: (joi) => {
    const key = joi
      .string()
      .trim()
      .max(200)
      .pattern(/^(?!asset:)/, 'a key that does not begin with asset:');
    return joi
      .object({
        json: joi.string().required().description('`{name?, steps, output?}` as JSON; `output` is inline'),
        policyId: joi.string().max(100).description('Not needed: steps may name every stored file of your team'),
        'assets[0].key': key.description(
          'By what steps name the file `assets[0].file` in `fileParameters`; further ones are `assets[1].key` and so ' +
            'on. Files with the same key go into the same field',
        ),
      })
      .pattern(KEY, key);
  },
  files: [
    { field: 'fileInput', description: 'The files', kinds: ['any'], many: true, requiredWhen: 'always' },
    {
      field: 'assets[0].file',
      description: 'A file for steps; further ones are `assets[1].file` and so on',
      kinds: ['any'],
    },
  ],
  fileIdFor: 'fileInput',
};

/** Starts steps that are not saved as a job that is not waited for. Throws INPUT_INVALID, and as `runCall`. */
export async function runSteps(deps: PipelineCallDeps, request: EndpointRequest): Promise<EndpointAnswer> {
  const json = definitionIn(request);
  const stepFiles = filesSent(request);
  const { pipeline } = JSON.parse(json) as { readonly pipeline: readonly unknown[] };
  const named = referencesIn(pipeline);
  const call = {
    json,
    path: 'policies/run',
    stepFiles,
    ignored: [...stepFiles.keys()].filter((key) => !named.has(key)),
  };
  return runCall(deps, { ...request, payload: { async: true } }, call).catch((error: unknown) =>
    Promise.reject(asStepError(error)),
  );
}

/** The definition of the steps of a call. Throws INPUT_INVALID where it is not one. */
export function definitionIn({ payload }: Pick<EndpointRequest, 'payload'>): string {
  let sent: unknown;
  try {
    sent = JSON.parse(String(payload['json'] ?? ''));
  } catch (error) {
    throw wrong('/json', `is not JSON: ${(error as Error).message.slice(0, 200)}`);
  }
  const { name, steps, output } = (sent ?? {}) as {
    readonly name?: unknown;
    readonly steps?: unknown;
    readonly output?: { readonly type?: unknown } | null;
  };
  if (!Array.isArray(steps)) throw wrong('/json/steps', 'must be a list of steps');
  if ((output?.type ?? 'inline') !== 'inline')
    throw wrong('/json/output/type', 'must be inline; save an automation to deliver results elsewhere');
  return JSON.stringify({ ...(typeof name === 'string' ? { name } : {}), pipeline: steps });
}

/** The files that were sent for steps, by key. Throws INPUT_INVALID for a key without a file, or without a key. */
function filesSent({ payload, files }: EndpointRequest): ReadonlyMap<string, readonly DocumentFile[]> {
  const numbers = (names: readonly string[], pattern: RegExp): readonly string[] =>
    names.flatMap((name) => pattern.exec(name)?.[1] ?? []);
  const all = new Set([...numbers(Object.keys(payload), KEY), ...numbers(Object.keys(files), FILE)]);
  const sent = new Map<string, readonly DocumentFile[]>();
  for (const number of [...all].sort((a, b) => Number(a) - Number(b))) {
    const [keyField, fileField] = [`assets[${number}].key`, `assets[${number}].file`];
    const key = payload[keyField];
    const [file, ...others] = files[fileField] ?? [];
    if (typeof key !== 'string' || key === '') throw wrong(`/${keyField}`, `is missing: it names ${fileField}`);
    if (file === undefined) throw wrong(`/${fileField}`, `is missing: ${keyField} names it`);
    if (others.length > 0) throw wrong(`/${fileField}`, 'was sent several times; number further files assets[1], …');
    if (file.size === 0) throw wrong(`/${fileField}`, `${file.name} is empty`);
    sent.set(key, [...(sent.get(key) ?? []), file]);
  }
  return sent;
}

export function stepPointer(pointer: string): string {
  return pointer.replace(/^\/pipeline/, '/steps');
}

/** Faults of the pipeline, with pointers into the steps as they were sent. */
export function asStepError(error: unknown): unknown {
  if (!isQuireError(error) || error.code !== 'PIPELINE_INVALID') return error;
  const errors: FieldFault[] = error.errors.map(({ pointer, detail }) => ({ pointer: stepPointer(pointer), detail }));
  return new InputError('PIPELINE_INVALID', error.data, errors);
}

function wrong(pointer: string, detail: string): InputError {
  return new InputError('INPUT_INVALID', { detail: `${pointer} ${detail}` }, [{ pointer, detail }]);
}
