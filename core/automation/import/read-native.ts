import Joi from 'joi';
import { isObject } from '../../operations/pipelines/index.js';
import { escapePointer } from '../../operations/runner/index.js';
import type { SentAutomation } from '../automations/automations.js';
import { sentAutomation, sentOf } from '../endpoints/automation-wire.js';
import { EXPORT_MEMBERS } from './exported.js';
import {
  ignoredMembers,
  nameOf,
  type DescribedFile,
  type DescribedSource,
  type DraftInput,
  type ReadDocument,
} from './draft.js';

/** Members of the answer about an automation that only its server can know. */
const OF_SERVER = ['id', 'owner', 'revision', 'createdAt', 'savedAt', 'editable', 'nextStart', 'files', 'problems'];

/** Reads an exported automation of this server, or what `GET automations/{id}` answers. */
export function readNative(value: Readonly<Record<string, unknown>>, file: string): ReadDocument {
  const described = inputsOf(value);
  const schema = sentAutomation(Joi);
  const known = Object.keys((schema.describe() as { readonly keys: object }).keys);
  const named = { ...pick(value, known), name: nameOf(value['name'], file), enabled: false };
  const inputs = described.map(({ input }) => input);
  const read = schema.validate({ ...named, inputs }, { abortEarly: false }) as {
    readonly value: Readonly<Record<string, unknown>>;
    readonly error?: { readonly details: readonly { readonly path: readonly unknown[]; readonly message: string }[] };
  };
  if (read.error !== undefined)
    return {
      faults: read.error.details.map(({ path, message }) => ({
        pointer: path.map((part) => `/${escapePointer(String(part))}`).join(''),
        detail: message.replace(/^"[^"]*" /, ''),
      })),
    };
  const { name, content }: SentAutomation = sentOf(read.value);
  const { inputs: sent, destinations, ...rest } = content;
  return {
    draft: {
      kind: 'automation',
      name,
      content: rest,
      steps: Array.isArray(rest.work.pipeline) ? rest.work.pipeline.map((_, i) => `/work/pipeline/${i}`) : [],
      inputs: sent.map(({ source, trigger }, i): DraftInput => ({
        pointer: `/inputs/${i}`,
        source: described[i]?.source ?? source,
        trigger: () => trigger,
      })),
      destinations: destinations.map(({ type, options }, i) => ({
        pointer: `/destinations/${i}`,
        target: { type, options },
      })),
      files: filesOf(value),
      findings: ignoredMembers(value, [...known, ...OF_SERVER, ...EXPORT_MEMBERS]),
    },
  };
}

/** Inputs as the schema knows them, with the sources that exports describe in place of an id. */
function inputsOf(
  value: Readonly<Record<string, unknown>>,
): readonly { readonly input: unknown; readonly source?: DescribedSource }[] {
  const inputs = Array.isArray(value['inputs']) ? (value['inputs'] as readonly unknown[]) : [];
  return inputs.map((input) => {
    const source = isObject(input) ? input['source'] : undefined;
    if (!isObject(input) || !isObject(source)) return { input };
    const { name, type, options } = source;
    return {
      input: { ...input, source: null },
      source: {
        name: typeof name === 'string' ? name : String(type),
        type: String(type),
        options: isObject(options) ? options : {},
      },
    };
  });
}

/** The stored files that an export describes. */
function filesOf({ assets }: Readonly<Record<string, unknown>>): ReadonlyMap<string, DescribedFile> {
  const described = Array.isArray(assets) ? (assets as readonly unknown[]) : [];
  return new Map(
    described.flatMap((asset) => {
      const { id, fileName, sha256 } = isObject(asset) ? asset : {};
      return typeof id === 'string' && typeof fileName === 'string' && typeof sha256 === 'string'
        ? [[id, { fileName, sha256 }] as const]
        : [];
    }),
  );
}

function pick(value: Readonly<Record<string, unknown>>, names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)));
}
