import { defineEndpoint, type Endpoint } from '@quire/registry';

export interface HealthDeps {
  /** Rejects with STORE_DOWN if the store does not answer. */
  storeReady(): Promise<void>;
}

/** Probes for orchestrators, outside the versioned API. */
export function healthEndpoints(deps: HealthDeps): Endpoint[] {
  const base = { since: '1.0.0', tag: 'health', access: { role: 'public' as const }, method: 'GET' as const };
  return [
    defineEndpoint({
      ...base,
      id: 'checkLiveness',
      path: '/livez',
      summary: 'Check that the process is alive',
      returns: {
        description: 'The process is alive',
        json: (joi) => joi.object({ status: joi.string().valid('UP').required() }).label('Live'),
      },
      errors: [],
      handle: async () => ({ json: { status: 'UP' } }),
    }),
    defineEndpoint({
      ...base,
      id: 'checkReadiness',
      path: '/readyz',
      summary: 'Check that the server accepts work',
      notes: 'Ready when the store answers and the server is not shutting down.',
      returns: { description: 'Ready', json: (joi) => joi.object({ status: joi.string().required() }).label('Ready') },
      errors: ['SHUTTING_DOWN', 'STORE_DOWN'],
      handle: async () => {
        await deps.storeReady();
        return { json: { status: 'UP' } };
      },
    }),
  ];
}
