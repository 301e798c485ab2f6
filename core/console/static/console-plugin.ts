import { join } from 'node:path';
import type { Request, ResponseObject, ResponseToolkit, ServerRegisterPluginObject } from '@hapi/hapi';
import type {} from '@hapi/inert';
import { InputError } from '@quire/registry/errors';
import { acceptedEncoding } from './accepted-encoding.js';
import { elementsRoute } from './console-elements.js';
import { ASSETS, findConsole, type ConsoleFiles } from './console-files.js';

/** Nothing is loaded from other origins; `blob:` is for files that were uploaded or returned. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; " +
  "font-src 'self' data:; connect-src 'self' blob:; worker-src 'self'; manifest-src 'self'; " +
  "frame-ancestors 'none'; base-uri 'self'; form-action 'self'";

/** A worker has a policy of its own: compiling WebAssembly is allowed there and not in the page. */
const WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self' blob:";

const YEAR_SECONDS = 31_536_000;
/** Deepest address of the console, in segments. */
const DEEPEST = 12;
/** Pages whose addresses hold a secret: search engines must not list them. */
const UNLISTED = /^\/(?:share|invite|scan)\//;
/** Addresses of programs: who opens one that does not exist needs the hint of the problem document. */
const OF_PROGRAMS = /^\/(?:api|v1)(?:\/|$)/;
/** How Hapi calls what answers where nothing is. */
const NOTHING = '/{p*}';
const open = { quire: { access: { role: 'public' as const } } };

/**
 * Serves the built console: its page at its own addresses, its files, and elements of these packages of plugins. Reads
 * nothing before the first request.
 */
export function consolePlugin(
  prefix: string,
  packages: readonly string[],
  loginEnabled: boolean,
): ServerRegisterPluginObject<unknown> | undefined {
  const files = findConsole(!loginEnabled);
  if (files === undefined) return undefined;
  return {
    plugin: {
      name: 'quire-console',
      dependencies: '@hapi/inert',
      register: (server) => {
        const page = (request: Request, h: ResponseToolkit) => respondPage(files, request, h, prefix);
        server.route([
          { method: 'GET', path: `${prefix}/`, options: { plugins: open }, handler: page },
          ...(prefix === ''
            ? []
            : [
                {
                  method: 'GET' as const,
                  path: prefix,
                  options: { plugins: open },
                  handler: (_: Request, h: ResponseToolkit) => h.redirect(`${prefix}/`),
                },
              ]),
          ...files.paths.flatMap((path) =>
            ['', '/{rest*}'].map((rest) => ({
              method: 'GET' as const,
              path: `${prefix}/${path}${rest}`,
              options: { plugins: open },
              handler: page,
            })),
          ),
          {
            method: 'GET',
            path: `${prefix}/${ASSETS}/{file}`,
            options: { plugins: open },
            handler: (request, h) => respondFile(files, request, h),
          },
          elementsRoute(prefix, packages),
        ]);
        server.expose('pageNotFound', (request: Request, h: ResponseToolkit) =>
          wantsPage(request, prefix) ? respondPage(files, request, h, prefix).code(404) : undefined,
        );
      },
    },
  };
}

/** True for an address without anything at it that somebody opens in a browser. */
function wantsPage(request: Request, prefix: string): boolean {
  const path = request.path.slice(prefix.length);
  return (
    request.method === 'get' &&
    request.path.startsWith(`${prefix}/`) &&
    request.route.path === NOTHING &&
    String(request.headers['accept'] ?? '').includes('text/html') &&
    !OF_PROGRAMS.test(path) &&
    path.split('/').length - 2 <= DEEPEST
  );
}

function respondPage(files: ConsoleFiles, request: Request, h: ResponseToolkit, prefix: string): ResponseObject {
  // The address as the browser sees it ends with the same segments, whatever a proxy puts before them.
  const path = request.path.slice(prefix.length);
  const depth = path.split('/').length - 2;
  if (depth > DEEPEST) throw new InputError('NOT_FOUND');
  const { text, etag } = files.page(depth);
  const response = h
    .response(text)
    .type('text/html')
    .etag(etag)
    .header('cache-control', 'no-cache')
    .header('content-security-policy', PAGE_POLICY);
  return UNLISTED.test(path) ? response.header('x-robots-tag', 'noindex, nofollow') : response;
}

/** Media types of the files that the build compressed (`console/build/compress.ts`), by extension. */
const COMPRESSED: Readonly<Record<string, string>> = {
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
  json: 'application/json',
  wasm: 'application/wasm',
  txt: 'text/plain',
};

const ENDINGS = { br: 'br', gzip: 'gz' } as const;

function respondFile(files: ConsoleFiles, request: Request, h: ResponseToolkit): ResponseObject {
  const name = String(request.params['file']);
  const type = COMPRESSED[name.slice(name.lastIndexOf('.') + 1)];
  const encoding = type === undefined ? undefined : acceptedEncoding(request.raw.req);
  const path = join(files.assets, encoding === undefined ? name : `${name}.${ENDINGS[encoding]}`);
  // Names contain a digest of the content, so a file never changes.
  const response = h
    .file(path, { confine: files.assets, etagMethod: false })
    .header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`)
    .vary('accept-encoding');
  // Otherwise Hapi finds it by the extension, which is that of the compressed file.
  if (type !== undefined) response.type(type);
  if (encoding !== undefined) response.header('content-encoding', encoding);
  if (/worker[^/]*\.js$/.test(name)) response.header('content-security-policy', WORKER_POLICY);
  return response;
}
