import type { FieldFault, ShownField } from '@quire/registry';
import { EXIT, Failure } from './failure.js';
import type { Tool } from './options.js';
import type { Connection } from './server.js';

/** A saved pipeline as `GET /api/v1/pipelines` answers it. */
interface SavedPipeline {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly fields: readonly ShownField[];
  readonly valid: boolean;
  readonly errors: readonly FieldFault[];
}

/** `stamp-invoices`, `tools/stamp-invoices`, `stamp-invoices@3`. */
const NAME = /^(?:tools\/)?([a-z][a-z0-9-]{0,62})(?:@([1-9]\d{0,8}))?$/;

/** Whether a word names a version of a saved pipeline, or says that it is one: then no tool of the catalog is meant. */
export function isSavedOnly(word: string): boolean {
  return NAME.test(word) && /^tools\/|@/.test(word);
}

/** Finds the saved pipeline that a word names, as a tool; undefined if the caller has none of that name. */
export async function savedTool({ quire }: Connection, word: string, signal: AbortSignal): Promise<Tool | undefined> {
  const [, name, version] = NAME.exec(word) ?? [];
  if (name === undefined) return undefined;
  const query = version === undefined ? {} : { version };
  const found = await read<SavedPipeline>(quire.request(`/api/v1/pipelines/${name}`, { query, signal }));
  if (found === undefined) return undefined;
  const [fault] = found.errors;
  if (fault !== undefined)
    throw new Failure(
      EXIT.refused,
      `The saved pipeline ${name} cannot run now: ${fault.pointer} ${fault.detail}`,
      'Correct it in the console, under Pipelines.',
    );
  return asTool(found, version === undefined ? name : `${name}@${version}`);
}

/** The saved pipelines of the caller, as `searchOperations` takes them; none on a server that has no such thing. */
export async function savedPipelines({ quire }: Connection, signal: AbortSignal) {
  const found = await read<readonly SavedPipeline[]>(quire.request('/api/v1/pipelines', { signal }));
  return (found ?? []).map((each) => ({ ...each, path: `tools/${each.name}`, keywords: [] }));
}

/** The JSON of an answer; undefined for 404. */
async function read<T>(answer: Promise<Response>): Promise<T | undefined> {
  try {
    return (await (await answer).json()) as T;
  } catch (error) {
    if ((error as { readonly status?: number }).status === 404) return undefined;
    throw error;
  }
}

function asTool({ title, description, fields }: SavedPipeline, name: string): Tool {
  return {
    name,
    path: `tools/${name}`,
    summary: title,
    ...(description === '' ? {} : { notes: description }),
    files: 'all',
    parts: [
      {
        field: 'fileInput',
        label: 'Files',
        kinds: [],
        extensions: [],
        required: true,
        requiredWhen: 'always',
        many: true,
      },
    ],
    fields,
    returns: { type: 'file', kinds: [], many: true, mayDrop: true },
    job: true,
  };
}
