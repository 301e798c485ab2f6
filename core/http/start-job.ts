import type { Request, ResponseObject, ResponseToolkit } from '@hapi/hapi';
import type { CatalogOperation } from '@quire/catalog';
import type { Principal } from '@quire/registry';
import type { WireFile } from '../execution/index.js';
import type { HttpDeps } from './deps.js';
import { urgencyOf } from './urgency.js';

/** What becomes a job. */
export interface JobStart {
  readonly kind: 'operation' | 'pipeline';
  readonly path: string;
  /** The operations that it runs. */
  readonly entries: readonly CatalogOperation[];
  /** The Priority header. */
  readonly priority: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
  readonly pipeline?: string;
  readonly files: readonly WireFile[];
  readonly parts: Readonly<Record<string, readonly WireFile[]>>;
  readonly principal: Principal;
  /** 202 instead of 200 (`Prefer: respond-async`). */
  readonly accepted: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** Keeps the uploads, starts the job and answers `{async, jobId, result}` (`contract/jobs.yml`, starting a job). */
export async function startJob(deps: HttpDeps, h: ResponseToolkit, start: JobStart): Promise<ResponseObject> {
  const inputs = [
    ...start.files.map((file) => ({ field: 'fileInput', ...file })),
    ...Object.entries(start.parts).flatMap(([field, files]) => files.map((file) => ({ field, ...file }))),
  ];
  const { jobId } = await (await deps.jobs()).start({
    kind: start.kind, path: start.path, params: start.params, inputs, owner: deps.ownerOf(start.principal), caller: start.principal,
    needs: deps.needsOf(start.entries), urgency: urgencyOf(start.priority, start.principal, deps.guard.loginEnabled),
    ...(start.pipeline === undefined ? {} : { pipeline: start.pipeline }),
  });
  const response = h.response({ async: true, jobId, result: null }).code(start.accepted ? 202 : 200)
    .header('location', `${prefixOf(deps)}/api/v1/general/job/${encodeURIComponent(jobId)}`).header('retry-after', '1');
  for (const [name, value] of Object.entries(start.headers)) response.header(name, value);
  if (start.accepted) response.header('preference-applied', 'respond-async');
  return response;
}

/** The sub-path under which everything is served; empty for none. */
export function prefixOf(deps: Pick<HttpDeps, 'settings'>): string {
  return deps.settings.get('system.rootUriPath');
}

/** The caller that the guard found. */
export function principalOf(request: Request): Principal {
  const { principal } = request.app;
  if (principal === undefined) throw new Error('the guard has not spoken');
  return principal;
}
