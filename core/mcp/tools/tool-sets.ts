import { setImmediate } from 'node:timers/promises';
import type { Catalog, CatalogOperation } from '@quire/catalog';
import type { Principal, SettingsReader } from '@quire/registry';
import { endpointKey, type AvailabilityTable, type Guard } from '../../access/index.js';
import type { McpSettings } from '../mcp-settings.js';
import { operationTools, snakeCase, type OperationTool } from './operation-tools.js';
import { pipelineTools, type PipelineTool, type PipelineToolsDeps } from './pipeline-tools.js';
import { runOperation } from './run-operation.js';
import type { Searchable } from './search-tools.js';
import { smallProfile } from './small-profile.js';
import type { Tool, ToolSet } from './tool.js';

/** `full`: a tool for each operation; `small`: tools to find, describe and run them. */
export const profiles = ['full', 'small'] as const;
export type Profile = (typeof profiles)[number];

export interface ToolSetsDeps extends PipelineToolsDeps {
  catalog(): Catalog;
  availability(): AvailabilityTable;
  readonly guard: Pick<Guard, 'refusal'>;
  readonly mcp: Pick<McpSettings, 'allowed' | 'blocked'>;
  readonly settings: SettingsReader;
  /** Tools of both profiles that are no operations. */
  readonly ownTools: readonly Tool[];
}

/** The tools that callers may use. Nothing is made before the first call. */
export class ToolSets {
  #operations: Promise<ReadonlyMap<string, OperationTool>> | undefined;
  readonly #small: readonly Tool[];

  constructor(private readonly deps: ToolSetsDeps) {
    this.#small = smallProfile(async ({ principal }) => {
      const usable = await this.#usableBy(principal);
      const saved = await this.#pipelinesOf(principal);
      const tools = [...usable.map((tool) => this.#toolOf(tool)), ...saved.map(({ tool }) => tool)];
      return {
        tools: new Map(tools.map((tool) => [tool.definition.name, tool])),
        whyNot: (name) => this.whyNot(name, principal),
        searchable: [...usable.map(searchableOf), ...saved.map(({ searchable }) => searchable)],
      };
    });
  }

  /**
   * Returns the tools of a profile that this caller may use now: own tools first, then operations, then saved
   * pipelines, each by name.
   */
  async of(profile: Profile, principal: Principal): Promise<ToolSet> {
    const own = profile === 'small' ? [...this.#small, ...this.deps.ownTools] : this.deps.ownTools;
    // A read-only key may look at files, but neither upload nor run anything.
    const usableOwn = own.filter(({ scope }) => scope === 'mcp.tools.read' || principal.scope?.readOnly !== true);
    const operations = profile === 'small' ? [] : await this.#usableBy(principal);
    const saved = profile === 'small' ? [] : await this.#pipelinesOf(principal);
    const tools = [...usableOwn, ...operations.map((tool) => this.#toolOf(tool)), ...saved.map(({ tool }) => tool)];
    return new Map(tools.map((tool) => [tool.definition.name, tool]));
  }

  /** Why the caller may not use a tool that others may, as a sentence; undefined where there is no such tool. */
  async whyNot(name: string, principal: Principal): Promise<string | undefined> {
    const entry = (await this.#allOperations()).get(name)?.entry;
    return entry && this.#refusal(entry, principal)?.reason;
  }

  #refusal({ operation: { access, path } }: CatalogOperation, principal: Principal): ReturnType<Guard['refusal']> {
    return this.deps.guard.refusal(access, principal, { method: 'POST', path: `/api/v1/${path}` });
  }

  async #pipelinesOf(principal: Principal): Promise<PipelineTool[]> {
    if (principal.scope?.readOnly === true) return [];
    const taken = new Set([...(await this.#allOperations()).keys(), ...this.#ownNames()]);
    const saved = await pipelineTools(this.deps, principal, taken);
    return saved.filter(({ names }) => isOffered(names, this.deps.mcp));
  }

  #ownNames(): string[] {
    return [...this.#small, ...this.deps.ownTools].map(({ definition }) => definition.name);
  }

  async #usableBy(principal: Principal): Promise<OperationTool[]> {
    const usable: OperationTool[] = [];
    for (const tool of (await this.#allOperations()).values())
      if (await this.#mayUse(tool.entry, principal)) usable.push(tool);
    return usable;
  }

  async #mayUse(entry: CatalogOperation, principal: Principal): Promise<boolean> {
    const { access } = entry.operation;
    const { reason } = this.deps.availability().of(entry);
    if (reason === 'CONFIG') return false;
    if (reason === 'DEPENDENCY' && !(await this.deps.takenElsewhere([entry]))) return false;
    if (access?.needsSettings?.some((key) => this.deps.settings.get<unknown>(key) !== true) === true) return false;
    return this.#refusal(entry, principal) === undefined;
  }

  #toolOf({ entry, definition }: OperationTool): Tool {
    return { definition, scope: 'mcp.tools.write', call: (call) => runOperation(this.deps, entry, call) };
  }

  /** Every operation that the settings make a tool, for all callers. */
  #allOperations(): Promise<ReadonlyMap<string, OperationTool>> {
    return (this.#operations ??= this.#describe().catch((error: unknown) => {
      this.#operations = undefined;
      throw error;
    }));
  }

  async #describe(): Promise<ReadonlyMap<string, OperationTool>> {
    const entries: CatalogOperation[] = [];
    for (const entry of this.deps.catalog().operations.values()) {
      // Tools run as jobs, which keep their results.
      if (entry.operation.job?.async !== false && isOffered(namesOf(entry), this.deps.mcp)) entries.push(entry);
    }
    // Describing all schemas at once would block other calls for a tenth of a second.
    return operationTools(entries, new Set(this.#ownNames()), () => setImmediate());
  }
}

/** Whether the settings make what has these names a tool (`mcp.allowedOperations`, `mcp.blockedOperations`). */
function isOffered(names: readonly string[], { allowed, blocked }: ToolSetsDeps['mcp']): boolean {
  const isNamed = (list: readonly string[]): boolean => list.some((each) => names.includes(each));
  return !isNamed(blocked) && (allowed.length === 0 || isNamed(allowed));
}

/** The names by which settings may call an operation: its path, the last part of it, its key and its names. */
export function namesOf({ operation: { path }, name }: CatalogOperation): string[] {
  return [path, `/api/v1/${path}`, path.slice(path.lastIndexOf('/') + 1), endpointKey(path), name, snakeCase(name)];
}

function searchableOf({ entry, definition, keywords }: OperationTool): Searchable {
  const { name, title } = definition;
  return { name, title, summary: entry.operation.summary, keywords, path: entry.operation.path };
}
