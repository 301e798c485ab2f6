import { AccessError, defineEndpoint, InputError, type Endpoint, type JoiRoot } from '@quire/registry';
import {
  categoryOf,
  switchKinds,
  type SwitchKind,
  type AvailabilityTable,
  type SwitchBoard,
} from '../../access/index.js';
import { nearestName } from '../../settings/index.js';
import type { Catalog } from '@quire/catalog';

export interface AdminPluginsDeps {
  availability(): AvailabilityTable;
  catalog(): Catalog;
  switches(): SwitchBoard;
}

const admin = { role: 'admin', area: 'plugins', needsLogin: true } as const;
const API = '/api/v1/';

const operationShape = (joi: JoiRoot) =>
  joi
    .object({
      path: joi.string().required().example('/api/v1/general/rotate-pdf'),
      key: joi.string().required().description('Name in endpoints.toRemove'),
      plugin: joi.string().allow(null).required(),
      enabled: joi.boolean().required(),
      reason: joi.string().valid('CONFIG', 'DEPENDENCY').allow(null).required(),
      missing: joi.array().items(joi.string()).required().description('Programs that are not installed'),
      decidedBy: joi.string().required().description('default, switch kind:name, or the place of the setting'),
      switch: joi.boolean().allow(null).required().description('Its own switch; null when none is set'),
      pinnedBy: joi.string().description('Environment variable that keeps it off'),
    })
    .label('SwitchedOperation');

const summaryShape = (joi: JoiRoot) => ({
  enabled: joi.boolean().required().description('At least one of its operations can be called'),
  switch: joi.boolean().allow(null).required(),
});

/**
 * Switches of operations at run time (Quire's own; no contract entry). A switch is kept in the store, so it survives a
 * restart and applies to every server on that store within 5 s. It overrides the settings file; operations that an
 * environment variable disables stay off.
 */
export function adminPluginsEndpoints(deps: AdminPluginsDeps): Endpoint[] {
  const base = { since: '1.0.0', tag: 'admin', access: admin } as const;
  return [
    defineEndpoint({
      ...base,
      id: 'listPlugins',
      method: 'GET',
      path: 'admin/plugins',
      summary: 'List plugins, operations and their switches',
      notes:
        'The most specific switch wins: operation, then plugin, then category; at each level a switch ' +
        'overrides the settings file. Operations that an environment variable disables (`pinnedBy`) stay off.',
      returns: {
        description: 'Plugins, categories and switches',
        json: (joi) =>
          joi
            .object({
              plugins: joi
                .array()
                .required()
                .items(
                  joi
                    .object({
                      name: joi.string().required(),
                      version: joi.string().required(),
                      ...summaryShape(joi),
                      operations: joi.array().items(operationShape(joi)).required(),
                    })
                    .label('SwitchedPlugin'),
                ),
              categories: joi
                .array()
                .required()
                .items(joi.object({ name: joi.string().required(), ...summaryShape(joi) }).label('SwitchedCategory')),
              core: joi
                .array()
                .required()
                .items(operationShape(joi))
                .description("The server's own endpoints that can be switched"),
              switches: joi
                .array()
                .required()
                .items(
                  joi
                    .object({
                      kind: joi
                        .string()
                        .valid(...switchKinds)
                        .required(),
                      name: joi.string().required(),
                      enabled: joi.boolean().required(),
                      changedAt: joi.string().isoDate().required(),
                      changedBy: joi.string().required(),
                    })
                    .label('Switch'),
                ),
            })
            .label('PluginSwitches'),
      },
      errors: ['KEY_INVALID', 'ADMIN_ONLY'],
      handle: async () => ({ json: listing(deps) }),
    }),
    defineEndpoint({
      ...base,
      id: 'switchPlugin',
      method: 'PATCH',
      path: 'admin/plugins',
      summary: 'Switch a category, plugin or operation on or off',
      notes:
        'Takes effect at once: the route answers 403, pipelines reject the step, queued jobs end with ' +
        'OPERATION_DISABLED, documentation and capabilities are updated. `enabled: null` removes the switch, ' +
        'so that the settings apply again.',
      request: {
        payload: (joi) =>
          joi
            .object({
              operation: joi.string().max(300).description('Path of an operation').example('general/rotate-pdf'),
              plugin: joi.string().max(300).description('Package name of a plugin'),
              category: joi.string().max(300).description('First path segment, for example convert'),
              enabled: joi
                .boolean()
                .strict()
                .allow(null)
                .required()
                .description('true (on), false (off), or null to use the settings'),
            })
            .xor(...switchKinds)
            .example({ operation: 'general/rotate-pdf', enabled: null }),
      },
      returns: {
        description: 'The switch and the operations that can be called now',
        json: (joi) =>
          joi
            .object({
              kind: joi
                .string()
                .valid(...switchKinds)
                .required(),
              name: joi.string().required(),
              switch: joi.boolean().allow(null).required(),
              operations: joi.array().items(operationShape(joi)).required(),
            })
            .label('SwitchResult'),
      },
      errors: ['INPUT_INVALID', 'KEY_INVALID', 'ADMIN_ONLY', 'SWITCH_PINNED', 'STORE_DOWN'],
      handle: async ({ payload, principal }) => {
        const kind = switchKinds.find((candidate) => payload[candidate] !== undefined) ?? 'operation';
        const name = knownTarget(deps, kind, String(payload[kind]));
        const enabled = payload['enabled'] as boolean | null;
        const variable = deps.availability().pinOf(kind, name);
        if (variable !== undefined && enabled === true)
          throw new AccessError('SWITCH_PINNED', { target: `${kind} ${name}`, variable });
        await deps.switches().set(kind, name, enabled, principal.name);
        const operations = operationsOf(deps).filter(
          ({ path, plugin }) => targetsOf(path.slice(API.length), plugin)[kind] === name,
        );
        return { json: { kind, name, switch: enabled, operations } };
      },
    }),
  ];
}

function targetsOf(path: string, plugin: string | null): Readonly<Record<SwitchKind, string | null>> {
  return { operation: path, plugin, category: categoryOf(path) };
}

function operationsOf(deps: AdminPluginsDeps) {
  return deps
    .availability()
    .all()
    .map(({ path, key, plugin, availability: { enabled, reason, missing, decidedBy, pinnedBy } }) => ({
      path: `${API}${path}`,
      key,
      plugin: plugin ?? null,
      enabled,
      reason,
      missing,
      decidedBy,
      switch: deps.switches().get('operation', path) ?? null,
      ...(pinnedBy === undefined ? {} : { pinnedBy }),
    }));
}

function listing(deps: AdminPluginsDeps): object {
  const all = operationsOf(deps);
  const summary = (kind: SwitchKind, name: string, members: typeof all) => ({
    enabled: members.length === 0 || members.some(({ enabled }) => enabled),
    switch: deps.switches().get(kind, name) ?? null,
  });
  const plugins = deps.catalog().plugins.map(({ name, version }) => {
    const operations = all.filter(({ plugin }) => plugin === name);
    return { name, version, ...summary('plugin', name, operations), operations };
  });
  const categories = categoriesOf(deps).map((name) => ({
    name,
    ...summary(
      'category',
      name,
      all.filter(({ path }) => categoryOf(path.slice(API.length)) === name),
    ),
  }));
  const switches = deps
    .switches()
    .list()
    .map(({ kind, name, enabled, changedAt, changedBy }) => ({ kind, name, enabled, changedAt, changedBy }));
  return { plugins, categories, core: all.filter(({ plugin }) => plugin === null), switches };
}

function categoriesOf(deps: AdminPluginsDeps): string[] {
  return [
    ...new Set(
      deps
        .availability()
        .all()
        .map(({ path }) => categoryOf(path)),
    ),
  ].sort();
}

/** Returns the known name of the target; an earlier switch can still be changed after its plugin was removed. */
function knownTarget(deps: AdminPluginsDeps, kind: SwitchKind, given: string): string {
  const name = kind === 'operation' ? given.replace(/^\/?(api\/v1\/)?/, '') : given;
  const names: Readonly<Record<SwitchKind, () => readonly string[]>> = {
    operation: () =>
      deps
        .availability()
        .all()
        .map(({ path }) => path),
    plugin: () => deps.catalog().plugins.map((plugin) => plugin.name),
    category: () => categoriesOf(deps),
  };
  const known = names[kind]();
  if (known.includes(name) || deps.switches().get(kind, name) !== undefined) return name;
  const near = nearestName(name, known);
  const detail =
    `there is no ${kind} "${name.slice(0, 120)}" on this ` +
    `server${near === undefined ? '' : `; did you mean ${near}?`}`;
  throw new InputError('INPUT_INVALID', { detail }, [{ pointer: `/${kind}`, detail }]);
}
