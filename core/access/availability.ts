import type { Catalog, CatalogOperation } from '@quire/catalog';

/** Why an operation can or cannot be called. */
export interface Availability {
  readonly enabled: boolean;
  /** `CONFIG`: switched off in the settings; `DEPENDENCY`: a program is missing; null when enabled. */
  readonly reason: 'CONFIG' | 'DEPENDENCY' | null;
  /** Programs that are missing. */
  readonly missing: readonly string[];
}

/** The key by which settings and existing clients name an operation: the last path segment, or `from-to-to` for conversions (`contract/general.yml`, get-endpoints-status). */
export function endpointKey(path: string): string {
  const segments = path.split('/');
  return segments[0] === 'convert' && segments.length >= 3 ? `${segments[1]}-to-${segments[2]}` : (segments.at(-1) ?? path);
}

/** Answers for every operation whether it can be called, from the settings and the programs found. */
export class AvailabilityTable {
  readonly #removed: ReadonlySet<string>;
  readonly #groups: ReadonlySet<string>;

  constructor(
    private readonly catalog: Catalog,
    settings: { toRemove: readonly string[]; groupsToRemove: readonly string[]; disabled: readonly string[] },
    private readonly hasProgram: (name: string) => boolean,
  ) {
    this.#removed = new Set([...settings.toRemove, ...settings.disabled]);
    this.#groups = new Set(settings.groupsToRemove.map((group) => group.toLowerCase()));
  }

  of(entry: CatalogOperation): Availability {
    const { path, needs } = entry.operation;
    const category = path.split('/')[0] ?? '';
    if (this.#removed.has(path) || this.#removed.has(endpointKey(path)) || this.#groups.has(category.toLowerCase())) return { enabled: false, reason: 'CONFIG', missing: [] };
    const missing = (needs?.programs ?? []).filter((program) => !this.hasProgram(program));
    return missing.length > 0 ? { enabled: false, reason: 'DEPENDENCY', missing } : { enabled: true, reason: null, missing: [] };
  }

  /** By endpoint key, for the contract's config endpoints; undefined for an unknown key. */
  byKey(key: string): Availability | undefined {
    const wanted = key.replace(/^\//, '');
    for (const entry of this.catalog.operations.values()) if (endpointKey(entry.operation.path) === wanted || entry.operation.path === wanted) return this.of(entry);
    return undefined;
  }
}
