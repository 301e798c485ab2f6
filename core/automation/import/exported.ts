import type { Asset } from '../assets/asset-records.js';
import { hideContent, hideOptions, type Hiding } from '../automations/hidden-values.js';
import type { Automation } from '../automations/model.js';
import type { Kinds } from '../connector-options.js';
import type { Source } from '../sources/source-records.js';

/** Members of exports that automations do not have. */
export const EXPORT_MEMBERS = ['format', 'version', 'assets'] as const;
const VERSION = 1;

/**
 * An automation as a file that another server can import: its sources are described in place of their ids, and secrets
 * are shown as ********. `assets`: the stored files that its steps name, which are named and not contained.
 */
export function exported(
  { name, content }: Pick<Automation, 'name' | 'content'>,
  sources: ReadonlyMap<string, Source>,
  { hiding, kinds, assets }: { readonly hiding: Hiding; readonly kinds: Kinds; readonly assets: readonly Asset[] },
) {
  const { policy: _, inputs, destinations, ...rest } = hideContent(content, hiding);
  return {
    format: 'quire-automation',
    version: VERSION,
    name,
    ...rest,
    inputs: inputs.map(({ source, trigger }) => {
      const found = source === null ? undefined : sources.get(source);
      if (found === undefined) return { source, trigger };
      const secrets = kinds.sources.get(found.type)?.secrets ?? [];
      const options = hideOptions(found.options, secrets);
      return { source: { name: found.name, type: found.type, options }, trigger };
    }),
    destinations: destinations.map(({ type, options }) => ({ type, options })),
    ...(assets.length === 0
      ? {}
      : { assets: assets.map(({ id, fileName, size, sha256 }) => ({ id, fileName, size, sha256 })) }),
  };
}
