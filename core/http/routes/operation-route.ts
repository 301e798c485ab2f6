import type { ServerRoute } from '@hapi/hapi';
import type { CatalogOperation } from '@quire/catalog';
import { InputError, inputFields, type Principal } from '@quire/registry';
import { fieldNames, type Scratch } from '../../operations/runner/index.js';
import { type WireFile } from '../../operations/workers/index.js';
import { headerText } from '../response/content-disposition.js';
import { header } from '../request/credentials.js';
import { rateLimitFields } from '../../billing/index.js';
import type { HttpDeps } from '../deps.js';
import { answerEndpoint } from '../response/answer-endpoint.js';
import { captureAnswer, captureFiles, digestsFor } from './audit-captures.js';
import { keyedCall } from '../response/answer-once.js';
import { callOptions } from '../request/call-options.js';
import { formValues, refuseTextInput, withTextFiles } from '../request/form-values.js';
import { inputName, namingInput } from '../request/input-name.js';
import { readForm, type Form } from '../request/read-form.js';
import { RequestLife } from './request-life.js';
import { runAnswer } from '../response/respond.js';
import { rawBody } from './route-options.js';
import { principalOf, startJob } from './start-job.js';
import { storedFile } from '../response/stored-file.js';
import { operationDocs } from '../../openapi/index.js';

/** The POST route of one operation, made from its declaration alone. */
export function operationRoute(deps: HttpDeps, entry: CatalogOperation, prefix: string): ServerRoute {
  const { operation } = entry;
  return {
    method: 'POST',
    path: `${prefix}/api/v1/${operation.path}`,
    options: {
      ...rawBody,
      plugins: {
        quire: {
          access: operation.access ?? {},
          operation: operation.path,
          switched: operation.path,
          docs: () => operationDocs(entry),
        },
      },
    },
    handler: (request, h) => {
      const life = new RequestLife(request, deps.scratchRoot);
      return life.hold(
        (async () => {
          const principal = principalOf(request);
          const scratch = await life.scratch();
          const limits = deps.runner.limitsOf(entry, 'route');
          const once = keyedCall(deps, request, life);
          const captures = deps.audit?.captures;
          const digests = digestsFor(captures, once.digests);
          const form = await readForm(
            request.raw.req,
            scratch,
            {
              ...deps.formLimits,
              maxBytes: Math.min(deps.formLimits.maxBytes, limits.maxBytes + deps.formLimits.maxFieldBytes),
            },
            digests,
          );
          captureFiles(request, captures, form.files, digests);
          const params = await withTextFiles(
            formValues(request, form),
            form,
            textFields(entry),
            deps.formLimits.maxFieldBytes,
          );
          const sent = {
            fields: params,
            files: Object.entries(form.files).flatMap(([field, files]) =>
              files.map(({ name, path }) => ({ field, name, path })),
            ),
          };
          const answer = await once.answer(sent, (uuid) =>
            namingInput(inputName(operation, form), async () => {
              const call = callOptions(header(request, 'prefer'), params, {
                settings: deps.settings,
                outbound: deps.outbound,
                canBeJob: operation.job?.async !== false,
              });
              const { files, parts } = await inputsOf(deps, entry, form, params, scratch, principal);
              const run = {
                entry,
                params,
                files,
                parts,
                principal,
                origin: 'route' as const,
                folder: await scratch.folder(),
                signal: life.signal,
                strict: call.strict,
                zip: true,
              };
              if (call.job) {
                const verified = await deps.runner.admit(run, await deps.takenElsewhere([entry]));
                const headers: Record<string, string> =
                  verified.ignored.length > 0 ? { 'x-ignored-fields': headerText(verified.ignored.join(', ')) } : {};
                return startJob(
                  { ...deps, zip: (...zip) => deps.runner.zip(...zip) },
                  {
                    kind: 'operation',
                    path: operation.path,
                    entries: [entry],
                    params,
                    files,
                    parts,
                    principal,
                    call,
                    headers,
                    signal: life.signal,
                    requestHeaders: { accept: header(request, 'accept'), priority: header(request, 'priority') },
                    ...(uuid === undefined ? {} : { uuid }),
                  },
                );
              }
              const result = await deps.runner.run(run);
              const answered = runAnswer(
                header(request, 'accept'),
                result,
                operation,
                rateLimitFields(result.charge.left, new Date()),
              );
              await result.charge.settle();
              return answered;
            }),
          );
          if (answer.file?.release !== undefined) life.afterwards(answer.file.release);
          captureAnswer(request, captures, answer);
          return answerEndpoint(h, answer);
        })(),
      );
    },
  };
}

/** The operation's fields that no file is expected in. */
function textFields(entry: CatalogOperation): readonly string[] {
  const files = new Set([...inputFields(entry.operation), ...(entry.operation.parts ?? []).map(({ field }) => field)]);
  return fieldNames(entry).filter((name) => !files.has(name));
}

/**
 * The document files and second files of a call; an existing client's other name and `fileId` stand in for a missing
 * `fileInput`.
 */
async function inputsOf(
  deps: HttpDeps,
  entry: CatalogOperation,
  form: Form,
  params: Readonly<Record<string, unknown>>,
  scratch: Scratch,
  principal: Principal,
): Promise<{ files: readonly WireFile[]; parts: Record<string, readonly WireFile[]> }> {
  const parts: Record<string, readonly WireFile[]> = {};
  for (const { field } of entry.operation.parts ?? [])
    if (form.files[field] !== undefined) parts[field] = form.files[field];
  if (entry.operation.accepts.length === 0) return { files: [], parts };
  const names = inputFields(entry.operation);
  let files = names.map((name) => form.files[name] ?? []).find((sent) => sent.length > 0) ?? [];
  const fileId = params['fileId'];
  if (files.length === 0 && fileId !== undefined && fileId !== '') {
    if (typeof fileId !== 'string')
      throw new InputError('INPUT_FILE_COUNT', { field: 'fileId', found: 'several', allowed: 'one' });
    files = [await storedFile(deps, fileId, principal, scratch)];
  } else refuseTextInput(form, names);
  return { files, parts };
}
