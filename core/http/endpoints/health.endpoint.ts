import { defineEndpoint, type Endpoint } from '@quire/registry';
import type { EndpointParts } from './parts.js';

/** Probes for orchestrators, outside the versioned API. */
export function healthEndpoints(parts: EndpointParts): Endpoint[] {
  const base = { since: '1.0.0', tag: 'health', access: { role: 'public' as const }, method: 'GET' as const, errors: ['SHUTTING_DOWN' as const] };
  return [
    defineEndpoint({
      ...base, id: 'livez', path: '/livez', summary: 'Tell that the process lives',
      returns: { description: 'It lives', json: (joi) => joi.object({ status: joi.string().valid('UP').required() }).label('Live') }, errors: [],
      handle: async () => ({ json: { status: 'UP' } }),
    }),
    defineEndpoint({
      ...base, id: 'readyz', path: '/readyz', summary: 'Tell that new work is taken',
      notes: 'Ready when the store answers and the server is not draining.',
      returns: { description: 'Ready', json: (joi) => joi.object({ status: joi.string().required() }).label('Ready') }, errors: ['SHUTTING_DOWN', 'STORE_DOWN'],
      handle: async () => {
        await parts.storeReady();
        return { json: { status: 'UP' } };
      },
    }),
    defineEndpoint({
      ...base, id: 'actuatorHealth', path: '/actuator/health', summary: 'Tell health in the actuator form',
      returns: { description: 'Up', json: (joi) => joi.object({ status: joi.string().required() }).unknown().label('ActuatorHealth') },
      handle: async () => {
        const details = parts.settings.get('management.endpoint.health.show-details') === 'always';
        const { workers, busy, queued, restarts } = parts.pool().stats();
        return { json: { status: 'UP', ...(details ? { components: { workers: { status: 'UP', details: { workers, busy, queued, restarts } } } } : {}) } };
      },
    }),
    ...(parts.settings.get('management.prometheus.metrics.export.enabled') ? [prometheus(parts)] : []),
  ];
}

function prometheus(parts: EndpointParts): Endpoint {
  return defineEndpoint({
    id: 'prometheus', method: 'GET', path: '/actuator/prometheus', since: '1.0.0', tag: 'health', summary: 'Give metrics to Prometheus', access: { licence: 'team' },
    returns: { description: 'Metrics in the text format', mediaType: 'text/plain' }, errors: ['KEY_INVALID'],
    handle: async () => {
      const { text, mediaType } = await parts.metrics.render(parts.pool().stats());
      return { text, headers: { 'content-type': mediaType } };
    },
  });
}
