import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_VERSION, StartupError } from '@quire/registry';
import major from 'semver/functions/major.js';
import satisfies from 'semver/functions/satisfies.js';
import valid from 'semver/functions/valid.js';
import gtr from 'semver/ranges/gtr.js';
import validRange from 'semver/ranges/valid.js';
import { entryFile } from './resolve-package.js';

/** The members of a plugin's package.json that the loader reads before any of its code runs. */
export interface PluginManifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** Range of registry API versions, such as `^1.0.0`. */
  readonly api: string;
  /** First path segments that the plugin may use. */
  readonly prefixes: readonly string[];
  /** Absolute path of the entry file. */
  readonly entry: string;
}

/** A manifest, or the faults that exclude the plugin; `version` is set as soon as it is known. */
export type ManifestResult =
  | { readonly manifest: PluginManifest }
  | { readonly faults: readonly StartupError[]; readonly version?: string };

/**
 * Reads and checks a plugin's package.json: its `quire` block, a bounded version range, the API version. Runs no code
 * of the plugin.
 */
export function readManifest(root: string, use: string): ManifestResult {
  let json: Record<string, unknown>;
  try {
    json = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, unknown>;
  } catch (error) {
    return { faults: [invalid(use, `its package.json cannot be read: ${(error as Error).message}.`)] };
  }
  const name = typeof json['name'] === 'string' ? json['name'] : use;
  const version = typeof json['version'] === 'string' ? json['version'] : '';
  const title = version === '' ? name : `${name} ${version}`;
  const problems: string[] = [];
  if (valid(version) === null)
    problems.push(`its version is ${JSON.stringify(json['version'])}; it must be a version such as 1.0.0.`);
  const block = json['quire'];
  if (typeof block !== 'object' || block === null) {
    problems.push(
      'its package.json has no "quire" block, such as { "kind": "plugin", "api": "^1.0.0", "prefixes": ["misc"] }.',
    );
    return { faults: problems.map((problem) => invalid(title, problem)), version };
  }
  const { kind, api, prefixes } = block as Record<string, unknown>;
  if (kind !== 'plugin') problems.push(`quire.kind is ${JSON.stringify(kind)}; it must be "plugin".`);
  const prefixList = Array.isArray(prefixes)
    ? prefixes.filter((prefix): prefix is string => typeof prefix === 'string' && /^[a-z0-9-]+$/.test(prefix))
    : [];
  if (!Array.isArray(prefixes) || prefixes.length === 0 || prefixList.length !== prefixes.length) {
    problems.push(
      `quire.prefixes is ${JSON.stringify(prefixes)}; it must be a list of first path segments, such as ["misc"].`,
    );
  }
  if (typeof api !== 'string' || api.trim() === '' || validRange(api) === null) {
    problems.push(`quire.api is ${JSON.stringify(api)}; it must be a version range such as "^${API_VERSION}".`);
  } else if (satisfies('999.0.0', api)) {
    problems.push(
      `quire.api is "${api}", which has no upper bound; it must be a bounded range such as "^${API_VERSION}".`,
    );
  }
  const entry = entryFile(root, json);
  if (entry === undefined) problems.push('its package.json exports no entry file for ".".');
  if (problems.length > 0 || typeof api !== 'string' || entry === undefined)
    return { faults: problems.map((problem) => invalid(title, problem)), version };
  if (!satisfies(API_VERSION, api, { includePrerelease: true })) {
    return {
      version,
      faults: [
        new StartupError('PLUGIN_API_MISMATCH', {
          plugin: name,
          version,
          needs: api,
          offers: API_VERSION,
          remedy: remedy(name, version, api),
        }),
      ],
    };
  }
  return {
    manifest: {
      name,
      version,
      description: typeof json['description'] === 'string' ? json['description'] : '',
      api,
      prefixes: prefixList,
      entry,
    },
  };
}

/** Creates the error for a plugin that the loader refuses. */
export function invalid(plugin: string, detail: string): StartupError {
  return new StartupError('PLUGIN_INVALID', { plugin, detail });
}

function remedy(name: string, version: string, api: string): string {
  if (gtr(API_VERSION, api)) return `Install a newer version: npm install ${name}@latest`;
  const newest = major(version);
  return `Install ${newest > 0 ? `${name}@${newest - 1}` : `an older version of ${name}`} or upgrade the server.`;
}
