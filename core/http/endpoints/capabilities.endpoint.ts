import { defineEndpoint, effectsOf, type Endpoint } from '@quire/registry';
import { endpointKey } from '../../access/index.js';
import type { EndpointParts } from './parts.js';

/** What this server can do and what it lacks (rulings, programs and engines; `contract/general.yml`, get-endpoints-status). */
export function capabilityEndpoints(parts: EndpointParts): Endpoint[] {
  const entries = () => [...parts.catalog().operations.values()].map((entry) => ({ entry, availability: parts.availability().of(entry) }));
  return [
    defineEndpoint({
      id: 'getEndpointsStatus', method: 'GET', path: 'settings/get-endpoints-status', since: '1.0.0', summary: 'List operations that are switched off',
      notes: 'By endpoint key; only operations that cannot be called appear, with false.',
      returns: { description: 'Endpoint key to false', json: (joi) => joi.object().pattern(joi.string(), joi.boolean()).label('EndpointsStatus') }, errors: ['KEY_INVALID'],
      handle: async () => ({ json: Object.fromEntries(entries().filter(({ availability }) => !availability.enabled).map(({ entry }) => [endpointKey(entry.operation.path), false])) }),
    }),
    defineEndpoint({
      id: 'getCapabilities', method: 'GET', path: 'capabilities', since: '1.0.0', summary: 'List operations, plugins and programs',
      returns: {
        description: 'What the server can do',
        json: (joi) => joi.object({ version: joi.string().required(), operations: joi.array().items(joi.object().unknown().label('Capability')).required(), plugins: joi.array().required(), programs: joi.array().required(), warnings: joi.array().required(), limits: joi.object().required() }).unknown().label('Capabilities'),
      },
      errors: ['KEY_INVALID'],
      handle: async () => ({
        json: {
          version: parts.version,
          operations: entries().map(({ entry: { operation, plugin }, availability }) => ({
            path: `/api/v1/${operation.path}`, summary: operation.summary, plugin: plugin.name, since: operation.since, accepts: operation.accepts, effects: effectsOf(operation),
            ...(operation.writes === undefined ? {} : { writes: operation.writes }),
            pipeline: operation.pipeline !== false, enabled: availability.enabled, reason: availability.reason, missing: availability.missing,
          })),
          plugins: parts.catalog().plugins.map(({ name, version }) => ({ name, version })),
          programs: parts.programs(),
          warnings: parts.catalog().warnings,
          limits: { maxPages: parts.settings.get('limits.maxPages'), syncTimeoutSeconds: parts.settings.get('limits.syncTimeoutSeconds'), jobTimeoutSeconds: parts.settings.get('limits.jobTimeoutSeconds') },
        },
      }),
    }),
  ];
}
