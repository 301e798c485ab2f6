import {
  AccessError,
  InputError,
  defineEndpoint,
  type Endpoint,
  type EndpointAnswer,
  type JoiRoot,
  type Principal,
} from '@quire/registry';
import type { HealthReport, Counters, Health, Metrics } from '../index.js';
import type { Settings } from '../../settings/index.js';

export interface ActuatorDeps {
  readonly counters: Counters;
  readonly health: Health;
  readonly metrics: Metrics;
  readonly settings: Settings;
  readonly version: string;
}

const healthState = (joi: JoiRoot) => joi.string().valid('UP', 'DOWN', 'OUT_OF_SERVICE').required();
const healthBody = (joi: JoiRoot) =>
  joi
    .object({
      status: healthState(joi),
      components: joi
        .object()
        .pattern(
          joi.string(),
          joi.object({ status: healthState(joi), details: joi.object().unknown() }).label('HealthComponent'),
        )
        .description('Status and details of each component, if details are shown'),
    })
    .label('ActuatorHealth');

/**
 * Health, information and metrics in the actuator format (spec 4.7; `docs/interface/platform.yml`, actuator). Endpoints
 * that `management.endpoints.web.exposure.include` does not list answer 404; all except health need a Team licence.
 */
export function actuatorEndpoints(deps: ActuatorDeps): Endpoint[] {
  const { settings } = deps;
  const included = settings.get('management.endpoints.web.exposure.include').map((name) => name.trim().toLowerCase());
  const exposed = (name: string): boolean => included.includes(name) || included.includes('*');
  const exporting = exposed('prometheus') && settings.get('management.prometheus.metrics.export.enabled');
  const need = (there: boolean): void => {
    if (!there) throw new InputError('NOT_FOUND');
  };
  const showDetails = (principal: Principal): boolean => {
    const when = settings.get('management.endpoint.health.show-details');
    return when === 'always' || (when === 'when-authorized' && principal.via !== 'none');
  };
  const answer = ({ status, components }: HealthReport, principal: Principal): EndpointAnswer => ({
    status: status === 'UP' ? 200 : 503,
    json: { status, ...(showDetails(principal) ? { components } : {}) },
    headers: { 'cache-control': 'no-store' },
  });
  const healthBase = {
    method: 'GET' as const,
    since: '1.0.0',
    tag: 'health',
    access: { role: 'public' as const },
    returns: {
      description: 'Up',
      json: healthBody,
      also: {
        503: { description: 'The same body when a component is down or the server is shutting down', json: healthBody },
      },
    },
    errors: ['NOT_FOUND' as const],
  };
  const base = {
    method: 'GET' as const,
    since: '1.0.0',
    tag: 'health',
    access: { licence: 'team' as const, licenceRefusal: 404 as const },
    errors: ['KEY_INVALID' as const, 'LICENCE_REQUIRED' as const, 'NOT_FOUND' as const],
  };
  return [
    defineEndpoint({
      ...healthBase,
      id: 'getActuatorHealth',
      path: '/actuator/health',
      summary: 'Get health in the actuator format',
      notes:
        'Store, disk space, queue, workers and programs are shown depending on ' +
        '`management.endpoint.health.show-details`: never, when-authorized (with a key while login is on), ' +
        'always.',
      handle: async ({ principal }) => {
        need(exposed('health'));
        return answer(await deps.health.report(), principal);
      },
    }),
    defineEndpoint({
      ...healthBase,
      id: 'getActuatorLiveness',
      path: '/actuator/health/liveness',
      summary: 'Check liveness in the actuator format',
      handle: async ({ principal }) => {
        need(exposed('health'));
        return answer({ status: 'UP', components: { livenessState: { status: 'UP' } } }, principal);
      },
    }),
    defineEndpoint({
      ...healthBase,
      id: 'getActuatorReadiness',
      path: '/actuator/health/readiness',
      summary: 'Check readiness in the actuator format',
      handle: async ({ principal }) => {
        need(exposed('health'));
        return answer(await deps.health.readiness(), principal);
      },
    }),
    defineEndpoint({
      ...base,
      id: 'getActuatorInfo',
      path: '/actuator/info',
      summary: 'Get version and uptime',
      notes: 'Available if `management.endpoints.web.exposure.include` lists info.',
      returns: {
        description: 'Version, runtime and start time',
        json: (joi) =>
          joi
            .object({
              build: joi.object({ name: joi.string().required(), version: joi.string().required() }).required(),
              process: joi
                .object({
                  startedAt: joi.string().isoDate().required(),
                  uptimeSeconds: joi.number().required(),
                  runtime: joi.string().required(),
                })
                .required(),
            })
            .label('ActuatorInfo'),
      },
      handle: async () => {
        need(exposed('info'));
        const { started } = deps.counters;
        return {
          json: {
            build: { name: 'quire', version: deps.version },
            process: {
              startedAt: new Date(started).toISOString(),
              uptimeSeconds: Math.floor((Date.now() - started) / 1000),
              runtime: `node ${process.versions.node}`,
            },
          },
        };
      },
    }),
    defineEndpoint({
      ...base,
      id: 'getPrometheusMetrics',
      path: '/actuator/prometheus',
      summary: 'Get Prometheus metrics',
      notes:
        'Available if `management.endpoints.web.exposure.include` lists prometheus and ' +
        '`management.prometheus.metrics.export.enabled` is on. Metrics, scrape file and dashboard: ' +
        '`docs/guides/monitoring`. They count the calls of all users: while login is on, they are for administrators ' +
        'and the global key.',
      errors: [...base.errors, 'ADMIN_ONLY'],
      returns: { description: 'Metrics in the text format', mediaType: 'text/plain' },
      handle: async ({ principal: { role, via } }) => {
        need(exporting);
        // A scraper should not need an administrator's key; the operator of the server sets the global key.
        if (role !== 'admin' && via !== 'none' && via !== 'globalKey') throw new AccessError('ADMIN_ONLY');
        const { text, mediaType } = await deps.metrics.render();
        return { text, headers: { 'content-type': mediaType, 'cache-control': 'no-store' } };
      },
    }),
    defineEndpoint({
      ...base,
      id: 'getActuatorIndex',
      path: '/actuator',
      summary: 'List the actuator addresses',
      notes: 'Available if more than health is exposed.',
      returns: {
        description: 'Links by name',
        json: (joi) =>
          joi
            .object({
              _links: joi
                .object()
                .pattern(
                  joi.string(),
                  joi.object({ href: joi.string().required(), templated: joi.boolean().required() }),
                )
                .required(),
            })
            .label('ActuatorIndex'),
      },
      handle: async () => {
        need(exporting || exposed('info'));
        // Relative references (RFC 3986, 4.2) work behind every proxy and do not depend on the Host header.
        const link = (path: string) => ({
          href: `${settings.get('system.rootUriPath')}/actuator${path}`,
          templated: false,
        });
        return {
          json: {
            _links: {
              self: link(''),
              ...(exposed('health')
                ? {
                    health: link('/health'),
                    'health-liveness': link('/health/liveness'),
                    'health-readiness': link('/health/readiness'),
                  }
                : {}),
              ...(exposed('info') ? { info: link('/info') } : {}),
              ...(exporting ? { prometheus: link('/prometheus') } : {}),
            },
          },
        };
      },
    }),
  ];
}
