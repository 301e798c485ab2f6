import {
  InputError,
  holds,
  kindName,
  type Endpoint,
  type EndpointRequest,
  type FieldFault,
  type PartSpec,
} from '@quire/registry';
import Joi from 'joi';
import { accepts, documentFile, faultsOf, kindList } from '../../operations/runner/index.js';
import type { WireFile } from '../../operations/workers/index.js';
import type { HttpDeps } from '../deps.js';
import { siteOf } from '../request/call-site.js';
import { callerOf } from '../request/caller.js';
import { formValues, refuseOtherFields } from '../request/form-values.js';
import { readFields } from '../request/read-fields.js';
import type { Form } from '../request/read-form.js';
import { keepBody, keepJson, readJson } from '../request/read-json.js';
import { readCallForm, sentOrStored } from './call-form.js';
import type { CallContext } from './handle-call.js';

type RequestSpec = NonNullable<Endpoint['request']>;

/** The body of a call: validated fields, and files by field. */
interface Body {
  readonly payload: Record<string, unknown>;
  readonly files: Readonly<Record<string, readonly WireFile[]>>;
}

/** Reads a call and validates it against the endpoint's schemas. Throws INPUT_INVALID with every fault. */
export async function readEndpointCall(
  deps: HttpDeps,
  endpoint: Endpoint,
  context: CallContext,
): Promise<EndpointRequest> {
  const { request, life } = context;
  if (endpoint.changes === true && request.method === 'head')
    throw new InputError('METHOD_NOT_ALLOWED', { method: 'HEAD', allowed: endpoint.method });
  const spec = endpoint.request ?? {};
  const faults: FieldFault[] = [];
  const params = validated(spec.params?.(Joi), request.params, faults) as Record<string, string>;
  const query = validated(spec.query?.(Joi), { ...(request.query as Record<string, unknown>) }, faults);
  const { payload, files } = await readBody(deps, spec, context, faults);
  if (faults.length > 0)
    throw new InputError('INPUT_INVALID', { detail: faults.map(({ detail }) => detail).join('; ') }, faults);
  return {
    params,
    query,
    payload,
    files: Object.fromEntries(Object.entries(files).map(([field, list]) => [field, list.map(documentFile)])),
    headers: request.headers as Record<string, string | undefined>,
    principal: callerOf(request),
    address: request.app.address,
    site: siteOf(request, deps.settings),
    signal: life.signal,
  };
}

/** Validates the values and adds their faults to `faults`. */
function validated(
  schema: Joi.ObjectSchema | undefined,
  value: unknown,
  faults: FieldFault[],
): Record<string, unknown> {
  if (schema === undefined) return (value ?? {}) as Record<string, unknown>;
  const result = schema.validate(value, {
    abortEarly: false,
    convert: true,
    stripUnknown: true,
    errors: { wrap: { label: false } },
  });
  faults.push(...faultsOf(result.error));
  return (result.value ?? {}) as Record<string, unknown>;
}

async function readBody(deps: HttpDeps, spec: RequestSpec, context: CallContext, faults: FieldFault[]): Promise<Body> {
  const { request, life, digests } = context;
  if (spec.payloadType === 'multipart') return readMultipart(deps, spec, context, faults);
  if (spec.payloadType === 'form') {
    const form = await readFields(request.raw.req, () => life.scratch(), deps.formLimits);
    return { payload: validated(spec.payload?.(Joi), formValues(request, form), faults), files: {} };
  }
  if (spec.asFile === true) {
    const path = (await life.scratch()).filePath();
    const most = Math.min(spec.maxBytes ?? deps.formLimits.maxBytes, request.app.mostBytes ?? Infinity);
    const file = await keepJson(request.raw.req, path, most, digests);
    return { payload: {}, files: { body: [file] } };
  }
  if (spec.payloadType === 'binary') {
    const path = (await life.scratch()).filePath();
    const most = request.app.mostBytes ?? deps.formLimits.maxBytes;
    return { payload: {}, files: { body: [await keepBody(request.raw.req, path, most, digests)] } };
  }
  if (spec.payload === undefined) return { payload: {}, files: {} };
  return { payload: validated(spec.payload(Joi), await readJson(request.raw.req, spec.maxBytes), faults), files: {} };
}

async function readMultipart(
  deps: HttpDeps,
  spec: RequestSpec,
  context: CallContext,
  faults: FieldFault[],
): Promise<Body> {
  const call = await readCallForm(deps, context, Infinity, (form) => textFields(spec, form));
  const payload = validated(spec.payload?.(Joi), call.values, faults);
  const field = spec.fileIdFor;
  const partFields = (spec.files ?? []).map((part) => part.field);
  const document = field === undefined ? [] : await sentOrStored(deps, context, call, [field], partFields);
  const files =
    field === undefined || document.length === 0 ? call.form.files : { ...call.form.files, [field]: document };
  faults.push(...fileFaults(spec.files ?? [], files, payload, call.form));
  return { payload, files };
}

/** Fields that are not file fields; a long text may still be sent as a file part. */
function textFields({ payload, files = [] }: RequestSpec, form: Form): readonly string[] {
  const others = Object.keys(form.files).filter((name) => !files.some(({ field }) => field === name));
  if (others.length === 0) return [];
  const known = (payload?.(Joi).describe() as { readonly keys?: object } | undefined)?.keys ?? {};
  return others.filter((name) => Object.hasOwn(known, name));
}

function fileFaults(
  parts: readonly PartSpec[],
  files: Readonly<Record<string, readonly WireFile[]>>,
  payload: Readonly<Record<string, unknown>>,
  form: Form,
): FieldFault[] {
  const known = parts.map(({ field }) => field);
  return parts.flatMap((part) => {
    const sent = files[part.field] ?? [];
    if (sent.length === 0) {
      if (!holds(part.requiredWhen, payload)) return [];
      refuseOtherFields(form, [part.field], known);
      throw new InputError('INPUT_FILE_MISSING', { field: part.field }, [
        { pointer: `/${part.field}`, detail: 'the file is missing' },
      ]);
    }
    if (part.many !== true && sent.length > 1)
      return [{ pointer: `/${part.field}`, detail: `was sent ${sent.length} times; one file is accepted` }];
    return sent
      .filter(({ kind }) => !accepts(part.kinds, kind))
      .map(({ kind }) => ({
        pointer: `/${part.field}`,
        detail: `is ${kind === 'bin' ? 'of an unknown type' : kindName(kind)}; allowed: ${kindList(part.kinds)}`,
      }));
  });
}
