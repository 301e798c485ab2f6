import type { Catalog } from '@quire/catalog';
import type { ConnectorOptions } from '../connectors/model.js';
import type { AutomationContent, DestinationSpec } from './model.js';

/** Stands for a value that is never shown; sent back, it keeps the value. */
const MASK = '********';

const SECRET_NAME = /pass(word|phrase|code)|secret|token|api_?key/i;
const API = /^\/?api\/v1\//;

type Values = Readonly<Record<string, unknown>>;

/** Options without their secrets. */
export function hideOptions(options: ConnectorOptions, secrets: readonly string[]): ConnectorOptions {
  return hidden(options, (name) => secrets.includes(name));
}

/** Options that were sent, with the stored value in place of every mask. */
export function restoreOptions(sent: ConnectorOptions, stored: ConnectorOptions | undefined): ConnectorOptions {
  return restored(sent, stored);
}

export interface Hiding {
  operations(): Catalog['operations'];
  /** Names of the secret options of a kind of destination. */
  secretsOf(type: string): readonly string[];
}

/** The content of an automation without passwords of steps and secrets of destinations. */
export function hideContent(content: AutomationContent, hiding: Hiding): AutomationContent {
  const { work, destinations } = content;
  const { pipeline } = work;
  return {
    ...content,
    work: {
      pipeline: typeof pipeline === 'string' ? pipeline : pipeline.map((step) => hideStep(step, hiding)),
      values: hidden(work.values, (name) => SECRET_NAME.test(name)),
    },
    destinations: destinations.map((destination) => ({
      ...destination,
      options: hideOptions(destination.options, hiding.secretsOf(destination.type)),
    })),
  };
}

/** The content that was sent, with stored values in place of masks: of the same step and the same destination. */
export function restoreContent(sent: AutomationContent, stored: AutomationContent | undefined): AutomationContent {
  if (stored === undefined) return sent;
  const { work, destinations } = sent;
  const { pipeline } = work;
  const before = stored.work.pipeline;
  return {
    ...sent,
    work: {
      pipeline:
        typeof pipeline === 'string' || typeof before === 'string'
          ? pipeline
          : pipeline.map((step, at) => restoreStep(step, before, at)),
      values: restored(work.values, stored.work.values),
    },
    destinations: destinations.map((destination) => ({
      ...destination,
      options: restoreOptions(destination.options, sameDestination(destination, stored.destinations)?.options),
    })),
  };
}

/** The stored destination that this one replaces. */
export function sameDestination(
  { id, type }: Pick<DestinationSpec, 'id' | 'type'>,
  stored: readonly DestinationSpec[],
): DestinationSpec | undefined {
  return stored.find((one) => one.id === id && one.type === type);
}

interface Step {
  readonly operation?: unknown;
  readonly parameters?: Values;
}

function hideStep(step: unknown, { operations }: Hiding): unknown {
  const { operation, parameters } = (step ?? {}) as Step;
  if (parameters === undefined) return step;
  const declared = operations().get(String(operation).replace(API, ''))?.operation.passwords ?? {};
  const secret = new Set<unknown>(Object.values(declared));
  return {
    ...(step as object),
    parameters: hidden(parameters, (name) => secret.has(name) || SECRET_NAME.test(name)),
  };
}

/** A step may have moved: the one at its place counts, else the first of the same operation. */
function restoreStep(step: unknown, stored: readonly unknown[], at: number): unknown {
  const { operation, parameters } = (step ?? {}) as Step;
  if (parameters === undefined || !Object.values(parameters).includes(MASK)) return step;
  const same = (one: unknown): boolean => (one as Step | undefined)?.operation === operation;
  const before = same(stored[at]) ? stored[at] : stored.find(same);
  return { ...(step as object), parameters: restored(parameters, (before as Step | undefined)?.parameters) };
}

function hidden(values: Values, isSecret: (name: string) => boolean): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      isSecret(name) && value !== '' && value !== null && value !== undefined ? MASK : value,
    ]),
  );
}

function restored(values: Values, stored: Values | undefined): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value === MASK ? (stored?.[name] ?? value) : value]),
  );
}
