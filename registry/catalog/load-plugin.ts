import { pathToFileURL } from 'node:url';
import { StartupError, type JoiRoot, type Plugin } from '@quire/registry';
import type Joi from 'joi';
import { isMarked } from './checked-mark.js';
import { importPlugin } from './import-plugin.js';
import { invalid, readManifest } from './plugin-manifest.js';
import { resolvePackage } from './resolve-package.js';
import { buildFields } from './verify-schema.js';
import { verifyOptions, verifyPlugin, type PluginVerdict } from './verify-plugin.js';

/** One entry of `plugins` in the settings. */
export interface PluginRequest {
  readonly use: string;
  readonly optional?: boolean;
  readonly options?: Readonly<Record<string, unknown>>;
  /** `file:line` of the entry, for messages. */
  readonly where?: string;
  /** Folder from which the package is resolved before the others. */
  readonly folder?: string;
}

/** Parameter schemas by operation path. */
export type ParamsSchemas = Pick<ReadonlyMap<string, Joi.ObjectSchema>, 'get'>;

/** A plugin that has passed every check. */
export interface LoadedPlugin {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** The first of its prefixes. */
  readonly category: string;
  readonly prefixes: readonly string[];
  /** `file:` URL of the entry, for worker processes. */
  readonly entryUrl: string;
  /** Absolute folder of the package. */
  readonly root: string;
  readonly optional: boolean;
  readonly options: Readonly<Record<string, unknown>>;
  readonly plugin: Plugin;
  /** True if its declarations were checked by the build, and not again. */
  readonly checkedBefore: boolean;
  /** The parameter schemas of its operations; some are built when they are first asked for. */
  readonly schemas: ParamsSchemas;
}

/** A loaded plugin, or the faults that exclude it. */
export type LoadResult =
  | { readonly loaded: LoadedPlugin }
  | { readonly faults: readonly StartupError[]; readonly name: string; readonly version?: string };

/**
 * Resolves, reads and checks one plugin; its code is imported only after its package.json has passed. Returns faults
 * and does not throw for them.
 */
export async function loadPlugin(
  request: PluginRequest,
  folders: readonly string[],
  joi: JoiRoot,
): Promise<LoadResult> {
  const root = resolvePackage(request.use, request.folder === undefined ? folders : [request.folder, ...folders]);
  if (root === undefined) {
    return {
      name: request.use,
      faults: [new StartupError('PLUGIN_NOT_FOUND', { plugin: request.use, where: request.where ?? 'the settings' })],
    };
  }
  const read = readManifest(root, request.use);
  if ('faults' in read) return { name: request.use, ...read };
  const { manifest } = read;
  const title = `${manifest.name} ${manifest.version}`;
  const refuse = (details: readonly string[]): LoadResult => ({
    name: manifest.name,
    version: manifest.version,
    faults: details.map((detail) => invalid(title, detail)),
  });

  const imported = await importPlugin(manifest);
  if ('fault' in imported) return refuse([imported.fault]);
  const { plugin } = imported;
  const checked = verifyOptions(plugin, request.options ?? {}, joi);
  const checkedBefore = isMarked(manifest);
  const verdict = checkedBefore
    ? { faults: [], schemas: lateSchemas(plugin, joi) }
    : verdictOf(plugin, manifest.prefixes, joi);
  const faults = [...('faults' in checked ? checked.faults : []), ...verdict.faults];
  if (faults.length > 0 || 'faults' in checked) return refuse(faults);
  return {
    loaded: Object.freeze({
      name: manifest.name,
      version: manifest.version,
      description: manifest.description,
      category: manifest.prefixes[0] ?? '',
      prefixes: manifest.prefixes,
      entryUrl: pathToFileURL(manifest.entry).href,
      root,
      optional: request.optional === true,
      options: checked.options,
      plugin,
      checkedBefore,
      schemas: verdict.schemas,
    }),
  };
}

const verdicts = new WeakMap<Plugin, { readonly joi: JoiRoot; readonly prefixes: string; verdict: PluginVerdict }>();

/** Declarations never change, so several servers in one process check them once. */
function verdictOf(plugin: Plugin, prefixes: readonly string[], joi: JoiRoot): PluginVerdict {
  const known = verdicts.get(plugin);
  if (known?.joi === joi && known.prefixes === prefixes.join()) return known.verdict;
  const verdict = verifyPlugin(plugin, prefixes, joi);
  verdicts.set(plugin, { joi, prefixes: prefixes.join(), verdict });
  return verdict;
}

/** The schemas of a plugin that was checked before: a start needs few of them. */
function lateSchemas({ operations }: Plugin, joi: JoiRoot): ParamsSchemas {
  const built = new Map<string, Joi.ObjectSchema | undefined>();
  return {
    get: (path) => {
      if (!built.has(path)) {
        const params = operations.find((operation) => operation.path === path)?.params;
        built.set(path, buildFields(params, joi, 'params', () => undefined)?.schema);
      }
      return built.get(path);
    },
  };
}
