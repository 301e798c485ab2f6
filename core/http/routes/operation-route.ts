import type { ServerRoute } from '@hapi/hapi';
import type { CatalogOperation } from '@quire/catalog';
import { inputFields, type EndpointAnswer } from '@quire/registry';
import { rateLimitFields } from '../../billing/index.js';
import { operationDocs } from '../../openapi/index.js';
import { fieldNames, type RunRequest, type Scratch } from '../../operations/runner/index.js';
import type { WireFile } from '../../operations/workers/index.js';
import type { HttpDeps } from '../deps.js';
import { startJob } from '../jobs/start-job.js';
import { callOptions, type CallOptions } from '../request/call-options.js';
import { callerOf } from '../request/caller.js';
import { header } from '../request/credentials.js';
import { inputName, namingInput } from '../request/input-name.js';
import { noticedHeaders } from '../response/fact-headers.js';
import { runAnswer } from '../response/respond.js';
import { readCallForm, sentOrStored, type CallForm } from './call-form.js';
import { handleCall, type CallContext, type CallSteps } from './handle-call.js';
import { rawBody } from './route-options.js';

export function operationPath({ operation }: CatalogOperation, prefix: string): string {
  return `${prefix}/api/v1/${operation.path}`;
}

/** Creates the POST route of an operation from its declaration. */
export function operationRoute(deps: HttpDeps, entry: CatalogOperation, prefix: string): ServerRoute {
  const { operation } = entry;
  const steps = operationSteps(deps, entry);
  return {
    method: 'POST',
    path: operationPath(entry, prefix),
    options: {
      ...rawBody,
      plugins: {
        quire: {
          access: operation.access ?? {},
          operation: operation.path,
          ...(operation.deprecated === undefined ? {} : { deprecated: operation.deprecated }),
          switched: operation.path,
          docs: () => operationDocs(entry),
        },
      },
    },
    handler: (request, h) => handleCall(deps, steps, request, h),
  };
}

function operationSteps(deps: HttpDeps, entry: CatalogOperation): CallSteps<CallForm> {
  const { operation } = entry;
  let names: readonly string[] | undefined;
  return {
    mayKeepAnswer: true,
    read: (context) => {
      deps.prepareWorker(entry.plugin);
      const { maxBytes } = deps.runner.limitsOf(entry, 'route');
      return readCallForm(deps, context, maxBytes + deps.formLimits.maxFieldBytes, () => (names ??= textFields(entry)));
    },
    sent: ({ form, values }) => ({
      fields: values,
      files: Object.entries(form.files).flatMap(([field, files]) =>
        files.map(({ name, path }) => ({ field, name, path })),
      ),
    }),
    work: (call, context, jobUuid) =>
      namingInput(inputName(operation, call.form), () => runOrStart(deps, entry, call, context, jobUuid)),
  };
}

/** Runs the operation, or starts it as a job if the caller asked for one. */
async function runOrStart(
  deps: HttpDeps,
  entry: CatalogOperation,
  call: CallForm,
  context: CallContext,
  jobUuid: string | undefined,
): Promise<EndpointAnswer> {
  const { request, life } = context;
  const options = callOptions(header(request, 'prefer'), call.values, {
    settings: deps.settings,
    outbound: deps.outbound,
    canBeJob: entry.operation.job?.async !== false,
  });
  const run: RunRequest = {
    entry,
    params: call.values,
    ...(await inputsOf(deps, entry, call, context)),
    principal: callerOf(request),
    origin: 'route',
    folder: await runFolder(entry, await life.scratch()),
    signal: life.signal,
    strict: options.strict,
    zip: true,
  };
  return options.job ? startOperationJob(deps, run, options, context, jobUuid) : runNow(deps, run, options, context);
}

/** Workers put their results beside the uploads; what runs in the server writes to a folder of its own. */
function runFolder({ operation }: CatalogOperation, scratch: Scratch): string | Promise<string> {
  return operation.runsIn === 'host' ? scratch.folder() : scratch.root;
}

async function runNow(
  deps: HttpDeps,
  run: RunRequest,
  options: CallOptions,
  { request }: CallContext,
): Promise<EndpointAnswer> {
  // The uploads are in the folder of this call, which is removed with it.
  const ran = await deps.runner.run({ ...run, spendsInputs: true });
  const result = { ...ran, replaced: [...options.replaced, ...ran.replaced] };
  const limits = rateLimitFields(result.charge.left, new Date());
  const answer = runAnswer(header(request, 'accept'), result, run.entry.operation, limits);
  await result.charge.settle();
  return answer;
}

async function startOperationJob(
  deps: HttpDeps,
  run: RunRequest,
  options: CallOptions,
  { request, life }: CallContext,
  uuid: string | undefined,
): Promise<EndpointAnswer> {
  const { entry, params, files, parts, principal } = run;
  const { ignored, replaced } = await deps.runner.admit(run, await deps.takenElsewhere([entry]));
  return startJob(
    { ...deps, zip: (...zip) => deps.runner.zip(...zip) },
    {
      kind: 'operation',
      path: entry.operation.path,
      entries: [entry],
      params,
      files,
      parts,
      principal,
      call: options,
      headers: noticedHeaders({ ignored, replaced: [...options.replaced, ...replaced] }),
      signal: life.signal,
      requestHeaders: { accept: header(request, 'accept'), priority: header(request, 'priority') },
      ...(uuid === undefined ? {} : { uuid }),
    },
  );
}

/** The operation's fields that are not file fields. */
function textFields(entry: CatalogOperation): readonly string[] {
  const files = new Set([...inputFields(entry.operation), ...(entry.operation.parts ?? []).map(({ field }) => field)]);
  return fieldNames(entry).filter((name) => !files.has(name));
}

/** The document files and the second files of a call. */
async function inputsOf(
  deps: HttpDeps,
  { operation }: CatalogOperation,
  call: CallForm,
  context: CallContext,
): Promise<Pick<RunRequest, 'files' | 'parts'>> {
  const parts: Record<string, readonly WireFile[]> = {};
  for (const { field } of operation.parts ?? []) {
    const sent = call.form.files[field];
    if (sent !== undefined) parts[field] = sent;
  }
  const partFields = (operation.parts ?? []).map(({ field }) => field);
  const files =
    operation.accepts.length === 0 ? [] : await sentOrStored(deps, context, call, inputFields(operation), partFields);
  return { files, parts };
}
