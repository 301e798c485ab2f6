import type { Request, ResponseObject, RouteOptionsCors, RouteOptionsSecureObject } from '@hapi/hapi';
import type { Settings } from '../settings/index.js';

/** Default content policy of pages: nothing is loaded from other origins. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

/** Headers that agents in a browser send (Model Context Protocol, streamable HTTP). */
const mcpHeaders = ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'];

/** Headers that Hapi sets on every answer. */
export function securityOptions(settings: Settings): RouteOptionsSecureObject {
  const frames = settings.get('security.xFrameOptions');
  const xframe = frames === 'DENY' ? 'deny' : frames === 'SAMEORIGIN' ? 'sameorigin' : false;
  // Hapi accepts `false` for no header; its types do not say so.
  return { hsts: false, xframe: xframe as 'deny', noSniff: true, xss: false, noOpen: false, referrer: 'no-referrer' };
}

/**
 * Pages of other origins may call only if `system.corsAllowedOrigins` names them (`docs/interface/auth.yml`, CORS;
 * reliability.md, S14). With `*` every page may, but without credentials that the browser adds by itself.
 */
export function corsOptions(settings: Settings): RouteOptionsCors | false {
  const origins = settings
    .get('system.corsAllowedOrigins')
    .map((origin) => origin.trim().replace(/\/$/, ''))
    .filter((origin) => origin !== '');
  if (origins.length === 0) return false;
  const every = origins.includes('*');
  return {
    origin: every ? ['*'] : [...new Set(origins)],
    credentials: !every,
    maxAge: 3600,
    preflightStatusCode: 200,
    headers: [
      'Authorization',
      'Content-Type',
      'X-Requested-With',
      'Accept',
      'Origin',
      'X-API-KEY',
      'X-CSRF-TOKEN',
      'X-XSRF-TOKEN',
      'X-Browser-Id',
    ],
    additionalHeaders: [
      'Range',
      'If-Range',
      'Prefer',
      'Idempotency-Key',
      'X-Request-Id',
      'X-Automation',
      ...mcpHeaders,
    ],
    exposedHeaders: [
      'WWW-Authenticate',
      'X-Total-Count',
      'X-Page-Number',
      'X-Page-Size',
      'Content-Disposition',
      'Content-Type',
    ],
    // Headers of our answers that scripts may read.
    additionalExposedHeaders: [
      'Accept-Ranges',
      'Content-Range',
      'ETag',
      'Location',
      'Retry-After',
      'Preference-Applied',
      'Idempotent-Replayed',
      'X-Request-Id',
      'X-Ignored-Fields',
      'X-Replaced-Values',
      'X-Effects',
      'X-Tool-Report',
      'X-Pipeline-Report',
      'Deprecation',
      'Link',
    ],
  };
}

/** Lists the methods of the contract in the answer to a preflight; Hapi names only the requested one. */
export function completePreflight(request: Request, response: ResponseObject): void {
  if (request.method === 'options' && response.headers['access-control-allow-methods'] !== undefined)
    response.header('access-control-allow-methods', 'GET,POST,PUT,PATCH,DELETE,OPTIONS');
}

/** Adds a content policy to every page and applies the setting for frames. */
export function protectPage(response: ResponseObject, settings: Settings): void {
  // The media type that Hapi will send; its types leave this member out.
  const type = (response as ResponseObject & { readonly contentType: string | null }).contentType ?? '';
  if (!type.startsWith('text/html')) return;
  const given = response.headers['content-security-policy'] as string | undefined;
  const frames = settings.get('security.xFrameOptions');
  const policy = (given ?? PAGE_POLICY).replace(/;?\s*frame-ancestors [^;]*/, '');
  response.header(
    'content-security-policy',
    frames === 'DISABLED' ? policy : `${policy}; frame-ancestors ${frames === 'DENY' ? "'none'" : "'self'"}`,
  );
}
