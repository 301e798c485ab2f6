import { defineEndpoint, effectsOf, type Endpoint, type Principal } from '@quire/registry';
import { endpointKey, type AvailabilityTable, type Guard } from '../../access/index.js';
import { installHint } from '../index.js';
import type { RoleLimits } from '../../roles/index.js';
import { sizeToBytes, type Settings } from '../../settings/index.js';
import { capabilitiesSchema } from './capabilities-schema.js';
import type { AdministrationServices } from '../administration-services.js';
import type { Catalog } from '@quire/catalog';
import type { WorkerPool } from '../../operations/workers/index.js';

export interface CapabilitiesDeps {
  readonly admin: AdministrationServices;
  availability(): AvailabilityTable;
  catalog(): Catalog;
  readonly guard: Pick<Guard, 'lack'>;
  /** The limits of a caller's role; undefined while login is off. */
  roleLimitsOf(caller: Principal): RoleLimits | undefined;
  readonly pool: WorkerPool;
  readonly settings: Settings;
  readonly version: string;
}

/**
 * Operations, engines, programs and limits of this server, including what is missing (rulings, programs and engines).
 */
export function capabilityEndpoints(deps: CapabilitiesDeps): Endpoint[] {
  let made: { readonly of: string; readonly body: Body } | undefined;
  return [
    defineEndpoint({
      id: 'getCapabilities',
      method: 'GET',
      path: 'capabilities',
      since: '1.0.0',
      summary: "List the server's capabilities",
      notes:
        'Operations, engines, programs and limits, including programs that are missing. The first call starts ' +
        "reading the programs' versions in the background; they are null until `programsComplete`. Operations that " +
        "the caller's role does not include are not enabled, with the reason `ROLE`, and `limits` are those of the " +
        'caller.',
      returns: { description: 'Operations, engines, programs, limits', json: capabilitiesSchema },
      errors: ['KEY_INVALID'],
      handle: async ({ principal }) => {
        const programs = deps.admin.programFacts.list();
        const of = `${deps.availability().revision} ${deps.admin.programFacts.complete}`;
        if (made?.of !== of) made = { of, body: describe(deps, programs) };
        return { json: forCaller(deps, made.body, principal) };
      },
    }),
  ];
}

type Body = ReturnType<typeof describe>;

/** The same for everybody, but for operations that the role of the caller does not include, and its limits. */
function forCaller(deps: CapabilitiesDeps, { limits: general, ...body }: Body, caller: Principal): object {
  const { guard, catalog } = deps;
  const limits = { ...general, ...limitsOfRole(deps.roleLimitsOf(caller), general) };
  const lacked = new Set(
    [...catalog().operations.values()]
      .map(({ operation: { access, path } }) => ({ access, path: `/api/v1/${path}` }))
      .filter(({ access, path }) => guard.lack(access, caller, { method: 'POST', path }) !== undefined)
      .map(({ path }) => path),
  );
  if (lacked.size === 0) return { ...body, limits };
  const operations = body.operations.map((one) =>
    lacked.has(one.path) ? { ...one, enabled: false, reason: 'ROLE' } : one,
  );
  return { ...body, limits, operations };
}

function describe(deps: CapabilitiesDeps, programs: ReturnType<CapabilitiesDeps['admin']['programFacts']['list']>) {
  const { settings } = deps;
  const availability = deps.availability();
  const operations = [...deps.catalog().operations.values()].map((entry) => {
    const { operation, plugin } = entry;
    const { enabled, reason, missing } = availability.of(entry);
    return {
      path: `/api/v1/${operation.path}`,
      key: endpointKey(operation.path),
      summary: operation.summary,
      plugin: plugin.name,
      since: operation.since,
      accepts: operation.accepts,
      files: operation.files,
      parts: (operation.parts ?? []).map(({ field, kinds, many, requiredWhen }) => ({
        field,
        kinds,
        many: many === true,
        requiredWhen: requiredWhen ?? null,
      })),
      effects: effectsOf(operation),
      ...(operation.writes === undefined ? {} : { writes: operation.writes }),
      needs: operation.needs?.programs ?? [],
      pipeline: operation.pipeline !== false,
      async: operation.job?.async !== false,
      enabled,
      reason,
      missing,
    };
  });
  const lacking = [...new Set(operations.flatMap(({ missing }) => missing))];
  return {
    version: deps.version,
    hosting: settings.get('hosting'),
    licence: { tier: settings.get('licence.tier') },
    login: settings.get('security.enableLogin'),
    operations,
    plugins: deps.catalog().plugins.map(({ name, version }) => ({ name, version })),
    engines: deps.admin.engines(),
    programs,
    programsComplete: deps.admin.programFacts.complete,
    ocrLanguages: programs.find(({ name }) => name === 'tesseract')?.languages ?? [],
    missing: lacking.map((program) => ({
      program,
      neededBy: operations.filter(({ missing }) => missing.includes(program)).map(({ path }) => path),
      install: installHint(program),
    })),
    warnings: deps.catalog().warnings,
    limits: limits(deps),
    isolation: deps.pool.stats().isolation,
  };
}

/** The limits of the caller's role, where they are lower than the server's or the server has none. */
function limitsOfRole(
  role: RoleLimits | undefined,
  { maxPages, maxUploadBytes }: Body['limits'],
): Partial<Record<string, number | null>> {
  if (role === undefined) return {};
  const { pagesPerDocument, uploadMb, jobsAtOnce, jobsWaiting } = role;
  return {
    maxPages: Math.min(maxPages, pagesPerDocument ?? Infinity),
    maxUploadBytes: uploadMb === null ? maxUploadBytes : Math.min(maxUploadBytes ?? Infinity, uploadMb * 1024 * 1024),
    jobsAtOnce,
    jobsWaiting,
  };
}

/** Returns sizes in bytes and times in seconds. */
function limits({ settings, pool }: CapabilitiesDeps) {
  const { size, queueLength } = { size: pool.stats().size, queueLength: pool.queueLength };
  return {
    maxUploadBytes: sizeToBytes(settings.get('system.fileUploadLimit') || '2000MB') ?? null,
    maxFieldBytes: sizeToBytes(settings.get('limits.maxFieldSize')) ?? null,
    maxParts: settings.get('limits.maxParts'),
    maxPages: settings.get('limits.maxPages'),
    maxDpi: settings.get('system.maxDPI'),
    maxPixelsPerPicture: settings.get('limits.maxPixelsPerPicture'),
    maxPixelsPerRun: settings.get('limits.maxPixelsPerRun'),
    maxPipelineSteps: settings.get('limits.maxPipelineSteps'),
    syncTimeoutSeconds: settings.get('limits.syncTimeoutSeconds'),
    jobTimeoutSeconds: settings.get('limits.jobTimeoutSeconds'),
    jobResultExpiryMinutes: settings.get('jobs.resultExpiryMinutes'),
    workers: size,
    queueLength,
  };
}
