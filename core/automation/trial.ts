import { QuireError, isQuireError, type EndpointAnswer, type EndpointRequest } from '@quire/registry';
import type { Catalog } from '@quire/catalog';
import { isObject } from '../operations/pipelines/index.js';
import { runCall, type PipelineCallDeps } from '../operations/pipelines/endpoints/index.js';
import { mask } from '../settings/index.js';
import { isSecretName } from './automations/hidden-values.js';
import type { Work } from './automations/model.js';
import { secretsWithin } from './step-secrets.js';

export interface TrialDeps extends PipelineCallDeps {
  catalog(): Pick<Catalog, 'operations'>;
}

/** Shorter texts are found everywhere in headers, and are no secrets worth the name. */
const SHORTEST_IN_HEADERS = 4;

/** Runs the pipeline of an automation on the files of a call, with what is stored. Throws as a run of it. */
export async function tryWork(
  deps: TrialDeps,
  request: EndpointRequest,
  { work, path, make }: { readonly work: Work; readonly path: string; readonly make: () => Promise<string> },
): Promise<EndpointAnswer> {
  const json = await make().catch((error: unknown) => {
    // The steps of a saved pipeline are not known here, and neither is what they say about values.
    throw hiddenError(error, secretValues(work.values));
  });
  return runTrial(deps, request, { json, path });
}

/**
 * Runs a pipeline that contains stored secrets on the files of a call, at once: never as a job, whose record would
 * outlive the call. The files of the result are the caller's; errors and headers are shown without the secrets.
 */
export async function runTrial(
  deps: TrialDeps,
  request: EndpointRequest,
  { json, path }: { readonly json: string; readonly path: string },
): Promise<EndpointAnswer> {
  const secrets = await secretsOf(deps, request, json);
  const { prefer: _, ...headers } = request.headers;
  try {
    const answer = await runCall(deps, { ...request, headers, payload: {}, query: {} }, { json, path });
    return { ...answer, headers: hiddenHeaders(answer.headers ?? {}, secrets) };
  } catch (error) {
    throw hiddenError(error, secrets);
  }
}

/** With those in steps of other saved pipelines. The longest first: one may contain another. */
async function secretsOf(
  deps: TrialDeps,
  { principal }: Pick<EndpointRequest, 'principal'>,
  json: string,
): Promise<readonly string[]> {
  const { pipeline, values } = JSON.parse(json) as { readonly pipeline: readonly unknown[]; readonly values?: unknown };
  // The run throws the same faults.
  const verified = await deps
    .pipelines()
    .report(json, principal)
    .then(
      ({ steps }) => steps.map(({ path, params }) => ({ operation: path, parameters: params })),
      () => [],
    );
  const all = new Set([
    ...secretsWithin(deps.catalog(), [...pipeline, ...verified]),
    ...secretValues(isObject(values) ? values : {}),
  ]);
  return [...all].filter((secret) => secret !== mask).sort((a, b) => b.length - a.length);
}

function secretValues(values: Work['values']): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    isSecretName(name) && value !== '' && (typeof value === 'string' || typeof value === 'number')
      ? [String(value)]
      : [],
  );
}

function hidden(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, mask), text);
}

function hiddenHeaders(
  headers: Readonly<Record<string, string>>,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const forms = secrets
    .filter(({ length }) => length >= SHORTEST_IN_HEADERS)
    .flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]);
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, hidden(value, forms)]));
}

function hiddenError(error: unknown, secrets: readonly string[]): unknown {
  if (!isQuireError(error)) return error;
  const { code, data, errors, message } = error;
  const shown = new QuireError(
    code,
    Object.fromEntries(
      Object.entries(data).map(([name, value]) => [name, typeof value === 'string' ? hidden(value, secrets) : value]),
    ),
    errors.map(({ pointer, detail }) => ({ pointer, detail: hidden(detail, secrets) })),
    { cause: error },
  );
  shown.message = hidden(message, secrets);
  return shown;
}
