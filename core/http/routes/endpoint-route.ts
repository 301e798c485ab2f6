import type { Request, ServerRoute } from '@hapi/hapi';
import type { LoadedPlugin } from '@quire/catalog';
import {
  InputError,
  holds,
  type Endpoint,
  type EndpointRequest,
  type FieldFault,
  type PartSpec,
} from '@quire/registry';
import Joi from 'joi';
import { accepts, documentFile, fault, kindList } from '../../operations/runner/index.js';
import { type WireFile } from '../../operations/workers/index.js';
import { endpointDocs } from '../../openapi/index.js';
import { answerEndpoint } from '../response/answer-endpoint.js';
import { subjectOf } from './audit-calls.js';
import { captureAnswer, captureFiles, digestsFor } from './audit-captures.js';
import { keyedCall } from '../response/answer-once.js';
import { siteOf } from '../request/call-site.js';
import { chargeEndpoint } from './charge-endpoint.js';
import type { HttpDeps } from '../deps.js';
import { formValues, refuseTextInput, withTextFiles } from '../request/form-values.js';
import { readFields } from '../request/read-fields.js';
import { readForm, type Form } from '../request/read-form.js';
import { keepJson, readJson } from '../request/read-json.js';
import { RequestLife } from './request-life.js';
import { rawBody } from './route-options.js';
import { principalOf } from './start-job.js';
import { storedFile } from '../response/stored-file.js';

/** The route of one endpoint, made from its declaration. */
export function endpointRoute(
  deps: HttpDeps,
  endpoint: Endpoint,
  plugin: LoadedPlugin | undefined,
  prefix: string,
): ServerRoute {
  const path = endpoint.path.startsWith('/') ? endpoint.path : `/api/v1/${endpoint.path}`;
  const switched = deps.availability.switchOf(endpoint, plugin);
  return {
    method: endpoint.method,
    path: `${prefix}${path}`,
    options: {
      ...(endpoint.method === 'GET' ? {} : rawBody),
      // An endpoint that declares ranges reads them itself, so that a store is asked for no more than the range.
      ...(endpoint.returns.also?.[206] === undefined ? {} : { response: { ranges: false } }),
      plugins: {
        quire: {
          access: endpoint.access ?? {},
          ...(switched === undefined ? {} : { switched }),
          ...(endpoint.admit === undefined
            ? {}
            : { admit: (request: Request) => admit(deps, endpoint, plugin, request) }),
          docs: () => endpointDocs(endpoint),
        },
      },
    },
    handler: (request, h) => {
      const life = new RequestLife(request, deps.scratchRoot);
      return life.hold(
        (async () => {
          // What is answered to somebody unknown may be a secret, as a session: it is not kept.
          const once = keyedCall(deps, request, life, endpoint.access?.role !== 'public' || !deps.guard.loginEnabled);
          const captures = deps.audit?.captures;
          const call = await readCall(deps, endpoint, request, life, digestsFor(captures, once.digests));
          const subject = subjectOf(call);
          if (subject !== undefined) request.app.subject = subject;
          const answer = await once.answer(
            {
              fields: { query: call.query, payload: call.payload },
              files: Object.entries(call.files).flatMap(([field, files]) =>
                files.map((file) => ({ field, name: file.name, path: file.path() })),
              ),
            },
            (uuid) =>
              chargeEndpoint(deps, endpoint, call.principal, () =>
                endpoint.handle(uuid === undefined ? call : { ...call, jobUuid: uuid }, {
                  use: (token) => deps.serviceOf(plugin, token),
                }),
              ),
            endpoint.returns.status,
          );
          if (answer.file?.release !== undefined) life.afterwards(answer.file.release);
          captureAnswer(request, captures, answer);
          return answerEndpoint(h, answer, endpoint.returns.status);
        })(),
      );
    },
  };
}

/** Asks the endpoint whether the call may come. */
async function admit(
  deps: HttpDeps,
  endpoint: Endpoint,
  plugin: LoadedPlugin | undefined,
  request: Request,
): Promise<number | undefined> {
  const headers = request.headers as Record<string, string | undefined>;
  const declared = headers['content-length'];
  return endpoint.admit?.(
    {
      params: request.params as Record<string, string>,
      headers,
      principal: principalOf(request),
      address: request.app.address,
      declaredBytes: declared === undefined ? undefined : Number(declared),
    },
    { use: (token) => deps.serviceOf(plugin, token) },
  );
}

async function readCall(
  deps: HttpDeps,
  endpoint: Endpoint,
  request: Request,
  life: RequestLife,
  digests: Map<string, string> | undefined,
): Promise<EndpointRequest> {
  if (endpoint.changes === true && request.method === 'head')
    throw new InputError('METHOD_NOT_ALLOWED', { method: 'HEAD', allowed: endpoint.method });
  const spec = endpoint.request ?? {};
  const faults: FieldFault[] = [];
  const check = (schema: Joi.ObjectSchema | undefined, value: unknown, prefix: string): Record<string, unknown> => {
    if (schema === undefined) return (value ?? {}) as Record<string, unknown>;
    const result = schema.validate(value, {
      abortEarly: false,
      convert: true,
      stripUnknown: true,
      errors: { wrap: { label: false } },
    });
    faults.push(...(result.error?.details ?? []).map((detail) => fault(detail, prefix)));
    return (result.value ?? {}) as Record<string, unknown>;
  };
  const params = check(spec.params?.(Joi), request.params, '') as Record<string, string>;
  const query = check(spec.query?.(Joi), { ...(request.query as Record<string, unknown>) }, '');
  let payload: Record<string, unknown> = {};
  let files: Readonly<Record<string, readonly WireFile[]>> = {};
  const formLimits = {
    ...deps.formLimits,
    maxBytes: Math.min(deps.formLimits.maxBytes, request.app.mostBytes ?? Infinity),
  };
  if (spec.payloadType === 'multipart') {
    const form = await readForm(request.raw.req, await life.scratch(), formLimits, digests);
    captureFiles(request, deps.audit?.captures, form.files, digests);
    const values = await withTextFiles(
      formValues(request, form),
      form,
      textFields(spec, form),
      deps.formLimits.maxFieldBytes,
    );
    payload = check(spec.payload?.(Joi), values, '');
    files =
      spec.fileIdFor === undefined ? form.files : await withStored(deps, request, spec.fileIdFor, form, values, life);
    faults.push(...fileFaults(spec.files ?? [], files, payload));
  } else if (spec.payloadType === 'form') {
    payload = check(
      spec.payload?.(Joi),
      formValues(request, await readFields(request.raw.req, () => life.scratch(), deps.formLimits)),
      '',
    );
  } else if (spec.asFile === true) {
    files = {
      body: [
        await keepJson(
          request.raw.req,
          (await life.scratch()).filePath(),
          spec.maxBytes ?? deps.formLimits.maxBytes,
          digests,
        ),
      ],
    };
  } else if (spec.payload !== undefined) {
    payload = check(spec.payload(Joi), await readJson(request.raw.req, spec.maxBytes), '');
  }
  if (faults.length > 0)
    throw new InputError('INPUT_INVALID', { detail: faults.map(({ detail }) => detail).join('; ') }, faults);
  const documents = Object.fromEntries(Object.entries(files).map(([field, list]) => [field, list.map(documentFile)]));
  return {
    params,
    query,
    payload,
    files: documents,
    headers: request.headers as Record<string, string | undefined>,
    principal: principalOf(request),
    address: request.app.address,
    site: siteOf(request, deps.settings),
    signal: life.signal,
  };
}

/** The fields that no file is expected in; a long text may come as one all the same. */
function textFields({ payload, files = [] }: NonNullable<Endpoint['request']>, form: Form): readonly string[] {
  const others = Object.keys(form.files).filter((name) => !files.some(({ field }) => field === name));
  if (others.length === 0) return [];
  const known = (payload?.(Joi).describe() as { readonly keys?: object } | undefined)?.keys ?? {};
  return others.filter((name) => Object.hasOwn(known, name));
}

/** The files of a form; the id of a stored one stands in where none was sent. */
async function withStored(
  deps: HttpDeps,
  request: Request,
  field: string,
  form: Form,
  values: Readonly<Record<string, unknown>>,
  life: RequestLife,
): Promise<Readonly<Record<string, readonly WireFile[]>>> {
  const { fileId } = values;
  if ((form.files[field] ?? []).length > 0) return form.files;
  if (fileId === undefined || fileId === '') {
    refuseTextInput(form, [field]);
    return form.files;
  }
  if (typeof fileId !== 'string')
    throw new InputError('INPUT_FILE_COUNT', { field: 'fileId', found: 'several', allowed: 'one' });
  return { ...form.files, [field]: [await storedFile(deps, fileId, principalOf(request), await life.scratch())] };
}

function fileFaults(
  parts: readonly PartSpec[],
  files: Readonly<Record<string, readonly WireFile[]>>,
  payload: Readonly<Record<string, unknown>>,
): FieldFault[] {
  return parts.flatMap((part) => {
    const sent = files[part.field] ?? [];
    if (sent.length === 0) {
      if (!holds(part.requiredWhen, payload)) return [];
      throw new InputError('INPUT_FILE_MISSING', { field: part.field }, [
        { pointer: `/${part.field}`, detail: 'the file is missing' },
      ]);
    }
    if (part.many !== true && sent.length > 1)
      return [{ pointer: `/${part.field}`, detail: `was sent ${sent.length} times; one file is taken` }];
    return sent
      .filter(({ kind }) => !accepts(part.kinds, kind))
      .map(({ kind }) => ({
        pointer: `/${part.field}`,
        detail: `is a ${kind} file; allowed: ${kindList(part.kinds)}`,
      }));
  });
}
