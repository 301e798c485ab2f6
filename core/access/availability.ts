import type { Catalog, CatalogOperation, LoadedPlugin } from '@quire/catalog';
import { AccessError, type Endpoint } from '@quire/registry';
import { functionalGroups, functionalGroupsOf, innerToolGroups, toolGroups, withoutTool } from './endpoint-groups.js';
import type { SwitchKind } from './switches.js';

/** Why an operation can or cannot be called. */
export interface Availability {
  readonly enabled: boolean;
  /** `CONFIG`: switched off by settings or an administrator; `DEPENDENCY`: a program is missing; null when enabled. */
  readonly reason: 'CONFIG' | 'DEPENDENCY' | null;
  /** Programs that are missing. */
  readonly missing: readonly string[];
  /**
   * The deciding source: `default`, `switch operation:general/rotate-pdf`, or the place of the setting (`file:line`,
   * `environment NAME`).
   */
  readonly decidedBy: string;
  /** The environment variable that disables it; an administrator cannot override this. */
  readonly pinnedBy?: string;
  /** The setting that turned it off, for messages; absent when a switch did. */
  readonly setting?: SwitchSetting;
}

/** Settings that turn operations off. */
type SwitchSetting = 'endpoints.toRemove' | 'endpoints.groupsToRemove' | 'system.enableUrlToPDF' | 'operations';

/** The refusal of an operation that the settings or an administrator turned off: OPERATION_DISABLED. */
export function operationDisabled(path: string, { setting }: Availability): AccessError {
  const turnedOffBy =
    setting === undefined
      ? "by an administrator's switch"
      : `by the setting ${setting === 'operations' ? `operations.${path}.enabled` : setting}`;
  return new AccessError('OPERATION_DISABLED', { operation: `/api/v1/${path}`, turnedOffBy });
}

/** The answer to existing clients, which may ask for keys that this server does not have. */
export interface KeyAvailability {
  readonly enabled: boolean;
  readonly reason: 'CONFIG' | 'DEPENDENCY' | 'UNKNOWN' | null;
}

/**
 * The key by which settings and existing clients name an operation: the last path segment, or `from-to-to` for
 * conversions (`docs/interface/platform.yml`, disabling endpoints).
 */
export function endpointKey(path: string): string {
  const segments = path.split('/').filter((segment) => !segment.startsWith('{'));
  return segments[0] === 'convert' && segments.length >= 3
    ? `${segments[1]}-to-${segments[2]}`
    : (segments.at(-1) ?? path);
}

export interface AvailabilitySettings {
  readonly toRemove: readonly string[];
  readonly groupsToRemove: readonly string[];
  /** Paths with `operations.<path>.enabled: false`. */
  readonly disabled: readonly string[];
  readonly urlToPdf: boolean;
  readonly enterprise: boolean;
  /** Where a setting comes from: `shipped`, `file:line` or `environment NAME`. */
  origin(key: SwitchSetting): string;
}

export interface AvailabilityDeps {
  readonly catalog: Catalog;
  /** Core's own endpoints; only those of pipelines can be switched. */
  readonly endpoints?: readonly Endpoint[];
  readonly settings: AvailabilitySettings;
  /** Switches set at run time. */
  readonly switches: {
    readonly revision: number;
    readonly known: boolean;
    get(kind: SwitchKind, name: string): boolean | undefined;
  };
  hasProgram(name: string): boolean;
  /** Returns the tool group of a program. */
  toolGroupOf(program: string): string | undefined;
  /** Returns the programs of a tool group. */
  programsOf(group: string): readonly string[];
}

interface Subject {
  readonly path: string;
  readonly plugin: string | undefined;
  readonly programs: readonly string[];
}

const runsPipelines: Subject = { path: 'pipeline/handleData', plugin: undefined, programs: [] };
const off = Object.freeze({ enabled: false, reason: 'CONFIG', missing: [] } as const);
const on: Availability = Object.freeze({ enabled: true, reason: null, missing: [], decidedBy: 'default' });

/**
 * Decides for every operation whether it can be called, from the settings, the switches of administrators and the
 * programs found. The nearest switch decides: operation, then plugin, then category; at each level a switch overrides
 * the settings file. Operations that the environment disables stay off, and so do those whose tool was removed or is
 * missing.
 */
export class AvailabilityTable {
  readonly #deps: AvailabilityDeps;
  readonly #removed: ReadonlySet<string>;
  readonly #groups: ReadonlySet<string>;
  readonly #disabled: ReadonlySet<string>;
  readonly #subjects = new Map<string, Subject>();
  readonly #paths = new Map<string, string[]>();
  #cache = new Map<string, Availability>();
  #cacheOf = -1;

  constructor(deps: AvailabilityDeps) {
    this.#deps = deps;
    const { catalog, settings, endpoints = [] } = deps;
    this.#removed = new Set(settings.toRemove.map((key) => key.replace(/^\/?(api\/v1\/)?/, '')));
    this.#groups = new Set(settings.groupsToRemove);
    this.#disabled = new Set(settings.disabled);
    for (const { operation, plugin } of catalog.operations.values())
      this.#add({ path: operation.path, plugin: plugin.name, programs: operation.needs?.programs ?? [] });
    for (const { endpoint, plugin } of catalog.endpoints)
      if (!endpoint.path.startsWith('/') && !this.#subjects.has(endpoint.path))
        this.#add({ path: endpoint.path, plugin: plugin.name, programs: [] });
    if (endpoints.some(({ path }) => path === runsPipelines.path)) this.#add(runsPipelines);
  }

  /** Grows whenever an answer may have changed. */
  get revision(): number {
    return this.#deps.switches.revision;
  }

  /** False until the switches have been read from the store. */
  get known(): boolean {
    return this.#deps.switches.known;
  }

  of(entry: CatalogOperation): Availability {
    return this.ofPath(entry.operation.path);
  }

  /** Returns the availability of a path; paths that cannot be switched are available. */
  ofPath(path: string): Availability {
    if (this.#cacheOf !== this.revision) {
      this.#cache = new Map();
      this.#cacheOf = this.revision;
    }
    let found = this.#cache.get(path);
    if (found === undefined) {
      const subject = this.#subjects.get(path);
      this.#cache.set(path, (found = subject === undefined ? on : this.#decide(subject)));
    }
    return found;
  }

  /**
   * Returns the path by which an endpoint is switched: its own, or that of the operation on which it depends; undefined
   * when it cannot be switched.
   */
  switchOf(endpoint: Endpoint, plugin: LoadedPlugin | undefined): string | undefined {
    const path = plugin === undefined && endpoint.path.startsWith('pipeline/') ? runsPipelines.path : endpoint.path;
    return this.#subjects.has(path) && (plugin !== undefined || path === runsPipelines.path) ? path : undefined;
  }

  /** Lists everything that can be switched, by path. */
  all(): readonly {
    readonly path: string;
    readonly key: string;
    readonly plugin: string | undefined;
    readonly availability: Availability;
  }[] {
    return [...this.#subjects.values()].map(({ path, plugin }) => ({
      path,
      key: endpointKey(path),
      plugin,
      availability: this.ofPath(path),
    }));
  }

  /**
   * Looks up an endpoint key or path, with or without a leading slash. For an unknown key existing clients get true,
   * and UNKNOWN as the reason (`docs/interface/misc.yml`, endpoint-enabled).
   */
  byKey(key: string): KeyAvailability {
    const wanted = key.replace(/^\/?(api\/v1\/)?/, '');
    const paths = this.#subjects.has(wanted) ? [wanted] : this.#paths.get(wanted);
    if (paths === undefined)
      return this.#offByName(wanted) ? { enabled: false, reason: 'CONFIG' } : { enabled: true, reason: 'UNKNOWN' };
    const answers = paths.map((path) => this.ofPath(path));
    const { enabled, reason } = answers.find((answer) => answer.enabled) ?? answers[0] ?? on;
    return { enabled, reason };
  }

  /**
   * A tool group is enabled unless it was removed or its program is missing; a functional group or a category when it
   * has operations and all are enabled.
   */
  groupEnabled(group: string): boolean {
    if (this.#groups.has(group)) return false;
    if (group === 'enterprise') return this.#deps.settings.enterprise;
    if (Object.hasOwn(toolGroups, group))
      return (
        innerToolGroups.has(group) || this.#deps.programsOf(group).some((program) => this.#deps.hasProgram(program))
      );
    const keys = Object.hasOwn(functionalGroups, group) ? functionalGroups[group] : undefined;
    const members = this.all().filter(({ path, key }) =>
      keys === undefined ? categoryOf(path) === group : keys.includes(key),
    );
    return members.length > 0 && members.every(({ availability }) => availability.enabled);
  }

  /** Returns the environment variable that disables a target, if there is one. */
  pinOf(kind: SwitchKind, name: string): string | undefined {
    if (kind === 'operation') return this.ofPath(name).pinnedBy;
    const origin = this.#deps.settings.origin('endpoints.groupsToRemove');
    return kind === 'category' && this.#groups.has(name) ? environmentOf(origin) : undefined;
  }

  #add(subject: Subject): void {
    this.#subjects.set(subject.path, subject);
    const key = endpointKey(subject.path);
    this.#paths.set(key, [...(this.#paths.get(key) ?? []), subject.path]);
  }

  #decide(subject: Subject): Availability {
    const { settings, switches, hasProgram, toolGroupOf } = this.#deps;
    const { path, plugin, programs } = subject;
    const key = endpointKey(path);
    const offBy = (setting: SwitchSetting): Availability => {
      const decidedBy = settings.origin(setting);
      const pinnedBy = environmentOf(decidedBy);
      return { ...off, decidedBy, setting, ...(pinnedBy === undefined ? {} : { pinnedBy }) };
    };
    const bySetting = this.#nameSetting(path, key);
    const group = [...functionalGroupsOf(key), categoryOf(path)].find((name) => this.#groups.has(name));
    const byGroup = group === undefined ? undefined : ('endpoints.groupsToRemove' as const);
    for (const setting of [bySetting, byGroup])
      if (setting !== undefined && environmentOf(settings.origin(setting)) !== undefined) return offBy(setting);

    const levels: readonly (readonly [SwitchKind, string | undefined, SwitchSetting | undefined])[] = [
      ['operation', path, bySetting],
      ['plugin', plugin, undefined],
      ['category', categoryOf(path), byGroup],
    ];
    let decidedBy = 'default';
    for (const [kind, name, setting] of levels) {
      const set = name === undefined ? undefined : switches.get(kind, name);
      if (set === false) return { ...off, decidedBy: `switch ${kind}:${name}` };
      if (set === undefined && setting !== undefined) return offBy(setting);
      if (set === undefined) continue;
      decidedBy = `switch ${kind}:${name}`;
      break;
    }
    const removedTool = programs.some((program) => this.#groups.has(toolGroupOf(program) ?? ''));
    if (removedTool || withoutTool(key, this.#groups)) return offBy('endpoints.groupsToRemove');
    const missing = programs.filter((program) => !hasProgram(program));
    if (missing.length > 0) return { enabled: false, reason: 'DEPENDENCY', missing, decidedBy };
    return decidedBy === 'default' ? on : { ...on, decidedBy };
  }

  /** Returns the setting that disables this operation by name. */
  #nameSetting(path: string, key: string): SwitchSetting | undefined {
    if (this.#removed.has(path) || this.#removed.has(key)) return 'endpoints.toRemove';
    if (this.#disabled.has(path)) return 'operations';
    // Fetching addresses on behalf of callers is off until an operator enables it (`docs/interface/platform.yml`,
    // disabling endpoints).
    return key === 'url-to-pdf' && !this.#deps.settings.urlToPdf ? 'system.enableUrlToPDF' : undefined;
  }

  #offByName(key: string): boolean {
    return (
      this.#removed.has(key) ||
      functionalGroupsOf(key).some((group) => this.#groups.has(group)) ||
      withoutTool(key, this.#groups) ||
      (key === 'url-to-pdf' && !this.#deps.settings.urlToPdf)
    );
  }
}

/** The first path segment. */
export function categoryOf(path: string): string {
  return path.split('/')[0] ?? path;
}

function environmentOf(origin: string): string | undefined {
  return origin.startsWith('environment ') ? origin.slice('environment '.length) : undefined;
}
