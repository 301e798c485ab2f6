import { showOperation, type CatalogOperation, type OperationPresentation } from '@quire/catalog';
import { effectsOf, fileReturns, returnsJson, type AnyOperation } from '@quire/registry';
import { inputSchema, shortened } from './input-schema.js';
import type { ToolDefinition } from './tool.js';

const LONGEST_NOTES = 220;
const MOST_KEYWORDS = 6;

/** An operation as a tool, before it is known who calls. */
export interface OperationTool {
  readonly entry: CatalogOperation;
  readonly definition: ToolDefinition;
  readonly keywords: readonly string[];
}

/**
 * Returns the tools of these operations in order of their names. `taken`: names of other tools; `breathe` is awaited
 * between two operations.
 */
export async function operationTools(
  entries: Iterable<CatalogOperation>,
  taken: ReadonlySet<string>,
  breathe: () => Promise<unknown>,
): Promise<ReadonlyMap<string, OperationTool>> {
  const tools = new Map<string, OperationTool>();
  const sorted = [...entries].sort((a, b) => (a.operation.path < b.operation.path ? -1 : 1));
  for (const entry of sorted) {
    const name = toolName(entry, (candidate) => taken.has(candidate) || tools.has(candidate));
    tools.set(name, { entry, definition: definitionOf(name, entry), keywords: entry.operation.keywords ?? [] });
    await breathe();
  }
  return new Map([...tools].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * `rotatePdf` as `rotate_pdf`, at most 64 of the characters that every client allows; with the category, or a number,
 * where the name is taken.
 */
function toolName({ name, operation }: CatalogOperation, isTaken: (name: string) => boolean): string {
  const category = operation.path.slice(0, operation.path.indexOf('/'));
  const wanted = [snakeCase(name), snakeCase(`${category}-${name}`)];
  let chosen = wanted.find((candidate) => !isTaken(candidate));
  for (let n = 2; chosen === undefined; n += 1) {
    const numbered = `${snakeCase(name)}_${n}`;
    if (!isTaken(numbered)) chosen = numbered;
  }
  return chosen;
}

export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase()
    .slice(0, 60);
}

function definitionOf(name: string, entry: CatalogOperation): ToolDefinition {
  const shown = showOperation(entry, () => undefined);
  return {
    name,
    title: shown.title,
    description: descriptionOf(shown),
    inputSchema: inputSchema(shown),
    annotations: annotationsOf(entry.operation),
  };
}

function descriptionOf({ summary, notes = '', keywords, deprecated }: OperationPresentation): string {
  const also = keywords.slice(0, MOST_KEYWORDS).join(', ');
  return [
    `${summary}.`,
    shortened(notes, LONGEST_NOTES),
    also === '' ? '' : `Keywords: ${also}.`,
    deprecated === undefined ? '' : `Deprecated${deprecated.use === undefined ? '' : `: use ${deprecated.use}`}.`,
  ]
    .filter((text) => text !== '')
    .join(' ');
}

/**
 * What clients may assume before they ask their user. No tool changes its input: results are new files. A tool that
 * only reports, or passes a file on or not, is read-only; one whose result lacks something of the document for good is
 * called destructive.
 */
function annotationsOf(operation: AnyOperation): ToolDefinition['annotations'] {
  const effects = effectsOf(operation);
  const loses = effects.some((effect) => effect === 'lossy' || effect === 'rasterises' || effect === 'dropsText');
  const openWorld = effects.includes('needsNetwork');
  return {
    readOnlyHint: !openWorld && (returnsJson(operation) || fileReturns(operation)?.unchanged === true),
    destructiveHint: loses || operation.writes === 'rewrite',
    openWorldHint: openWorld,
  };
}
