import type { Catalog } from '@quire/catalog';
import type { ConnectorOptions } from '../connectors/model.js';
import { mask } from '../../settings/index.js';
import { keepSteps, maskSteps } from '../step-secrets.js';
import type { AutomationContent, DestinationSpec } from './model.js';

const SECRET_NAME = /pass(word|phrase|code)|secret|token|api_?key/i;

/** Whether a value with this name is hidden, where nothing else says so. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

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
      pipeline: typeof pipeline === 'string' ? pipeline : maskSteps(catalogOf(hiding), pipeline),
      values: hidden(work.values, isSecretName),
    },
    destinations: destinations.map((destination) => ({
      ...destination,
      options: hideOptions(destination.options, hiding.secretsOf(destination.type)),
    })),
  };
}

/** The content that was sent, with stored values in place of masks: of the same step and the same destination. */
export function restoreContent(
  sent: AutomationContent,
  stored: AutomationContent | undefined,
  hiding: Hiding,
): AutomationContent {
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
          : // What is left is a fault of the step, which the check reports.
            keepSteps(catalogOf(hiding), pipeline, before, () => undefined),
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

function catalogOf(hiding: Hiding): Pick<Catalog, 'operations'> {
  return { operations: hiding.operations() };
}

function hidden(values: Values, isSecret: (name: string) => boolean): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      isSecret(name) && value !== '' && value !== null && value !== undefined ? mask : value,
    ]),
  );
}

function restored(values: Values, stored: Values | undefined): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value === mask ? (stored?.[name] ?? value) : value]),
  );
}
