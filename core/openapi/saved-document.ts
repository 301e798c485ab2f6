import { schemaOfField } from '@quire/catalog';
import type { Principal, ShownField } from '@quire/registry';
import { asVersion31 } from './as-version-31.js';
import type { OpenApiDocument } from './complete-document.js';
import { usedComponents } from './document-parts.js';

/** A saved pipeline that a caller may run. */
export interface SavedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly fields: readonly ShownField[];
}

/** Finds the saved pipelines of a caller. */
export type SavedToolsOf = (principal: Principal) => Promise<readonly SavedTool[]>;

/** The call that runs the pipeline it names, in the document of the server. */
const NAMED = '/tools/{tool}';

/**
 * Returns the document (OpenAPI 3.1) of saved pipelines: a call for each, with its own fields, and answers as those of
 * the call that runs any of them.
 */
export function savedDocument(whole: OpenApiDocument, tools: readonly SavedTool[]): OpenApiDocument {
  const found = Object.entries(whole.paths).find(([path]) => path.endsWith(NAMED));
  const [namedPath = '', { post: named } = {}] = found ?? [];
  const { parameters = [], ...call } = (named ?? {}) as { readonly parameters?: readonly Record<string, unknown>[] };
  const common = { ...call, parameters: parameters.filter((parameter) => parameter['name'] !== 'tool') };
  const document = asVersion31({
    ...whole,
    info: { ...(whole['info'] as object), title: 'Quire: saved pipelines' },
    paths: { [namedPath]: { post: common } } as unknown as OpenApiDocument['paths'],
    components: usedComponents(common, whole.components),
    tags: (whole.tags ?? []).filter(({ name }) => name === 'pipelines'),
  });
  const [described = {}] = Object.values(document.paths).map(({ post }) => post);
  const base = namedPath.slice(0, -NAMED.length);
  const ids = new Set<string>();
  return {
    ...document,
    paths: Object.fromEntries(
      tools.map((tool) => [
        `${base}/tools/${tool.name}`,
        { post: { ...described, ...describe(tool, described, ids) } },
      ]),
    ) as unknown as OpenApiDocument['paths'],
  };
}

function describe({ name, title, description, fields }: SavedTool, common: object, ids: Set<string>): object {
  const body = (common as { readonly requestBody: Form }).requestBody;
  const form = body.content['multipart/form-data'].schema;
  const id = name.replace(/-+(\w?)/g, (_, letter: string) => letter.toUpperCase());
  const operationId = ids.has(id) ? `${id}${ids.size}` : id;
  ids.add(operationId);
  const own = fields.map((field) => [field.name, fieldSchema(field)] as const);
  const required = fields.filter((field) => field.required).map((field) => field.name);
  return {
    operationId,
    summary: title,
    description,
    requestBody: {
      ...body,
      content: {
        'multipart/form-data': {
          schema: {
            ...form,
            properties: { ...form.properties, ...Object.fromEntries(own) },
            required: [...form.required, ...required],
          },
        },
      },
    },
  };
}

interface Form {
  readonly content: {
    readonly 'multipart/form-data': {
      readonly schema: { readonly properties: object; readonly required: readonly string[] };
    };
  };
}

function fieldSchema(field: ShownField): object {
  const { label, help, default: usual } = field;
  const description = help === undefined ? label : `${label}: ${help}`;
  return { ...schemaOfField(field), description, ...(usual === undefined ? {} : { default: usual }) };
}
