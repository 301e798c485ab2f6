import { StartupError, type AnyOperation, type Endpoint, type JoiRoot, type PipelineTemplate } from '@quire/registry';
import type Joi from 'joi';
import { CatalogError } from './catalog-error.js';
import { loadPlugin, type LoadedPlugin, type PluginRequest } from './load-plugin.js';
import { nearestPath } from './nearest-path.js';
import { operationNames } from './operation-names.js';
import { templatesOf, type TemplateFaults } from './pipeline-templates.js';

/** Settings of one operation: whether it is enabled, and its limits. */
export interface OperationOverrides {
  readonly enabled: boolean;
  /** Milliseconds. */
  readonly timeoutMs?: number;
  readonly concurrency?: number;
  /** Bytes. */
  readonly maxBytes?: number;
  readonly maxPages?: number;
}

/** An operation with its plugin and its built schema. */
export interface CatalogOperation {
  readonly operation: AnyOperation;
  /** Unique name in generated clients, and OpenAPI operationId. */
  readonly name: string;
  readonly plugin: LoadedPlugin;
  /** Built once, when it is needed; converts values and lists every fault. Unknown fields are left to the caller. */
  readonly schema: Joi.ObjectSchema;
  readonly overrides: OperationOverrides;
}

/** An endpoint with its plugin. */
export interface CatalogEndpoint {
  readonly endpoint: Endpoint;
  readonly plugin: LoadedPlugin;
}

/** An optional plugin that was left out, and the reasons. */
export interface CatalogWarning {
  readonly plugin: string;
  readonly version?: string;
  readonly problems: readonly string[];
}

/** Everything the loaded plugins declare. */
export interface Catalog {
  readonly plugins: readonly LoadedPlugin[];
  readonly operations: ReadonlyMap<string, CatalogOperation>;
  readonly endpoints: readonly CatalogEndpoint[];
  readonly warnings: readonly CatalogWarning[];
  /** Pipelines to start from: those whose operations are all loaded. */
  readonly templates: readonly PipelineTemplate[];
  /** Templates that were left out, because one of their operations would refuse them. */
  readonly templateFaults: readonly TemplateFaults[];
  /** Returns the operation path that a wrong or incomplete one most likely means. */
  nearest(path: string): string | undefined;
}

export interface CatalogRequest {
  readonly plugins: readonly PluginRequest[];
  /** Absolute folder, or several in order, from which packages are resolved. */
  readonly resolveFrom: string | readonly string[];
  readonly joi: JoiRoot;
  /** The host's own endpoints; plugins may not declare their paths. */
  readonly reserved?: readonly Endpoint[];
  /** The `operations` section of the settings. */
  readonly operations?: Readonly<Record<string, OperationOverrides>>;
  /** Returns `file:line` of an entry of `operations`, for messages. */
  readonly operationOrigin?: (path: string) => string;
  /** Called for templates that are left out: at once, or when templates are first asked for. */
  readonly templateLeftOut?: (faults: TemplateFaults) => void;
}

/**
 * Loads and checks every plugin. Throws CatalogError with all faults of all plugins; those of optional plugins become
 * warnings.
 */
export async function loadCatalog(request: CatalogRequest): Promise<Catalog> {
  const folders = typeof request.resolveFrom === 'string' ? [request.resolveFrom] : request.resolveFrom;
  const results = await Promise.all(
    request.plugins.map(async (wanted) => ({ wanted, result: await loadPlugin(wanted, folders, request.joi) })),
  );
  const faults: StartupError[] = [];
  const warnings: CatalogWarning[] = [];
  const leaveOut = (
    name: string,
    version: string | undefined,
    optional: boolean,
    problems: readonly StartupError[],
  ): void => {
    if (optional)
      warnings.push({
        plugin: name,
        ...(version === undefined ? {} : { version }),
        problems: problems.map(({ message }) => message),
      });
    else faults.push(...problems);
  };

  const loaded: LoadedPlugin[] = [];
  for (const { wanted, result } of results) {
    if ('loaded' in result) loaded.push(result.loaded);
    else leaveOut(result.name, result.version, wanted.optional === true, result.faults);
  }

  // Required plugins claim their paths before optional ones, so that an optional plugin never displaces a required one.
  const claims = new Claims(request.reserved ?? []);
  const kept = new Set<LoadedPlugin>();
  for (const plugin of [...loaded.filter(({ optional }) => !optional), ...loaded.filter(({ optional }) => optional)]) {
    const conflicts = claims.conflicts(plugin);
    if (conflicts.length > 0) leaveOut(plugin.name, plugin.version, plugin.optional, conflicts);
    else kept.add(plugin);
    if (conflicts.length === 0 || !plugin.optional) claims.claim(plugin);
  }

  const plugins = loaded.filter((plugin) => kept.has(plugin));
  const catalog = buildCatalog(plugins, warnings, request);
  for (const path of Object.keys(request.operations ?? {})) {
    if (catalog.operations.has(path)) continue;
    const near = catalog.nearest(path);
    const fault = new StartupError('SETTINGS_INVALID', {
      where: request.operationOrigin?.(path) ?? 'operations',
      detail: `operations.${path} is not a loaded operation.${near === undefined ? '' : ` Did you mean ${near}?`}`,
    });
    // It may belong to a plugin that was left out; then the settings are right and only the plugin is missing.
    if (warnings.length > 0) warnings.push({ plugin: path.split('/')[0] ?? path, problems: [fault.message] });
    else if (faults.every(({ code }) => code === 'SETTINGS_INVALID')) faults.push(fault);
  }
  if (faults.length > 0) throw new CatalogError(faults);
  return catalog;
}

class Claims {
  readonly #paths = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #offers = new Map<string, string>();

  constructor(reserved: readonly Endpoint[]) {
    for (const [path] of pathsOf([], reserved)) this.#paths.set(path, 'the server itself');
  }

  conflicts(plugin: LoadedPlugin): StartupError[] {
    const faults: StartupError[] = [];
    const earlier = this.#names.get(plugin.name);
    if (earlier !== undefined)
      return [
        new StartupError('PLUGIN_INVALID', {
          plugin: `${plugin.name} ${plugin.version}`,
          detail: `it is listed twice in the settings (${earlier}).`,
        }),
      ];
    for (const [path, shown] of pathsOf(plugin.plugin.operations, plugin.plugin.endpoints)) {
      const first = this.#paths.get(path);
      if (first !== undefined)
        faults.push(
          new StartupError('OPERATION_DUPLICATE', { path: shown, first, second: `${plugin.name} ${plugin.version}` }),
        );
    }
    for (const { token } of plugin.plugin.offers ?? []) {
      const first = this.#offers.get(token.name);
      if (first !== undefined)
        faults.push(
          new StartupError('PLUGIN_INVALID', {
            plugin: `${plugin.name} ${plugin.version}`,
            detail: `it offers the service ${token.name}, which ${first} already offers.`,
          }),
        );
    }
    return faults;
  }

  claim(plugin: LoadedPlugin): void {
    const title = `${plugin.name} ${plugin.version}`;
    this.#names.set(plugin.name, title);
    for (const [path] of pathsOf(plugin.plugin.operations, plugin.plugin.endpoints))
      if (!this.#paths.has(path)) this.#paths.set(path, title);
    for (const { token } of plugin.plugin.offers ?? [])
      if (!this.#offers.has(token.name)) this.#offers.set(token.name, title);
  }
}

// An operation is a POST route, so an endpoint can collide with it. Parameters match the same segment whatever their
// names.
function* pathsOf(
  operations: readonly AnyOperation[],
  endpoints: readonly Endpoint[],
): Generator<readonly [string, string]> {
  for (const { path } of operations) yield [`POST /api/v1/${path}`, path];
  for (const { method, path, id } of endpoints) {
    const full = path.startsWith('/') ? path : `/api/v1/${path}`;
    yield [`${method} ${full.replace(/\{[^}]+\}/g, '{}')}`, `${method} ${full}`];
    yield [`id ${id}`, `endpoint id ${id}`];
  }
}

function buildCatalog(
  plugins: readonly LoadedPlugin[],
  warnings: readonly CatalogWarning[],
  request: CatalogRequest,
): Catalog {
  const operations = new Map<string, CatalogOperation>();
  const endpoints: CatalogEndpoint[] = [];
  const names = operationNames(
    plugins.flatMap(({ plugin }) => plugin.operations),
    [...(request.reserved ?? []), ...plugins.flatMap(({ plugin }) => plugin.endpoints)].map(({ id }) => id),
  );
  for (const plugin of plugins) {
    for (const operation of plugin.plugin.operations) {
      const schema = once(() =>
        (plugin.schemas.get(operation.path) ?? request.joi.object()).prefs({ convert: true, abortEarly: false }),
      );
      operations.set(
        operation.path,
        Object.freeze({
          operation,
          name: names.get(operation.path) ?? operation.path,
          plugin,
          get schema() {
            return schema();
          },
          overrides: request.operations?.[operation.path] ?? { enabled: true },
        }),
      );
    }
    for (const endpoint of plugin.plugin.endpoints) endpoints.push({ endpoint, plugin });
  }
  const templates = once(() => {
    const found = templatesOf(plugins, operations);
    for (const fault of found.templateFaults) request.templateLeftOut?.(fault);
    return found;
  });
  // Whoever writes a plugin learns at the start what is wrong with its templates.
  if (plugins.some(({ checkedBefore }) => !checkedBefore)) templates();
  return Object.freeze({
    plugins,
    operations,
    endpoints,
    warnings,
    get templates() {
      return templates().templates;
    },
    get templateFaults() {
      return templates().templateFaults;
    },
    nearest: (path: string) => nearestPath(path, operations.keys()),
  });
}

/** Returns the value that the first call has made. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
