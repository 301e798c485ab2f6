import { createHash } from 'node:crypto';
import {
  DefectError,
  OperationalError,
  type Identified,
  type PluginStore,
  type RecordsOptions,
  type Vault,
} from '@quire/registry';
import type { Sealer, Store } from '../store/index.js';

/** Seals texts with the server's secret. */
export type PluginSecrets = Sealer;

/** Returns a plugin's record sets (`plugin_<plugin>_<set>`). */
export function pluginStoreOf(store: Pick<Store, 'records'>, plugin: string): PluginStore {
  const prefix = `plugin_${shortName(plugin)}_`;
  return {
    records: <T extends Identified>(name: string, options?: RecordsOptions) => {
      if (!/^[A-Za-z][A-Za-z0-9_-]{0,23}$/.test(name))
        throw new DefectError('CONTRACT_BROKEN', {
          detail: `${plugin}: ${JSON.stringify(name)} is not a valid name for a record set`,
        });
      return store.records<T>(`${prefix}${name}`, options);
    },
  };
}

/** Returns a plugin's vault. */
export function pluginVault(secret: PluginSecrets, plugin: string): Vault {
  const use = `vault of ${plugin}`;
  return {
    seal: (text, purpose) => secret.seal(use, purpose, text),
    open: (sealed, purpose) => {
      try {
        const text = secret.open(use, purpose, sealed);
        if (typeof text === 'string') return text;
      } catch (cause) {
        throw new OperationalError(
          'SERVICE_NOT_SET_UP',
          { service: 'What was kept encrypted', detail: "it does not open with this server's key" },
          { cause },
        );
      }
      throw new DefectError('CONTRACT_BROKEN', { detail: `the vault of ${plugin} did not contain a text` });
    },
  };
}

/**
 * Shortens a plugin's name to what names of record sets allow: without `_`, so that plugin and set together are
 * unambiguous. Changed names end in a digest of the full name; the product's own plugins only lose their scope.
 */
function shortName(plugin: string): string {
  const own = /^@quire\/plugin-([a-z0-9-]{1,24})$/.exec(plugin)?.[1];
  if (own !== undefined) return own;
  return `${plugin
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 12)}-${createHash('sha256').update(plugin).digest('hex').slice(0, 11)}`;
}
