import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ServerRegisterPluginObject, ServerRoute } from '@hapi/hapi';
import type {} from '@hapi/inert';
import { InputError } from '@quire/registry/errors';
import { documentParts } from './document-parts.js';

/** Serves Swagger UI from the installed package, with our own page and document; no asset is loaded from elsewhere. */
export function swaggerUiPlugin(prefix: string, loginEnabled: boolean): ServerRegisterPluginObject<unknown> {
  const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const allowed = new Set([
    'swagger-ui.css',
    'swagger-ui-bundle.js',
    'swagger-ui-standalone-preset.js',
    'favicon-16x16.png',
    'favicon-32x32.png',
  ]);
  // In the package, beside `dist`.
  const own = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'openapi', 'assets');
  const page = [
    '<!doctype html>\n',
    '<html lang="en"><head><meta charset="utf-8"><title>Quire API</title>\n',
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
    '<link rel="stylesheet" href="../swagger-assets/swagger-ui.css">',
    '<link rel="icon" type="image/png" href="../swagger-assets/favicon-32x32.png">',
    '<style>body{margin:0}.swagger-ui .topbar .link svg{display:none}',
    '.swagger-ui .topbar .link::after{content:"Quire API"}</style></head>\n',
    '<body><div id="swagger-ui"></div>\n',
    '<script src="../swagger-assets/swagger-ui-bundle.js"></script>',
    '<script src="../swagger-assets/swagger-ui-standalone-preset.js"></script>',
    '<script src="../swagger-assets/examples.js"></script>',
    '<script src="../swagger-assets/file-id.js"></script>',
    '<script src="../swagger-assets/search.js"></script>',
    '<script src="../swagger-assets/start.js"></script>',
    '</body></html>\n',
  ].join('');
  // With login on, the page cannot ask for a document of the caller's: it has no key before it shows one.
  const shown = { ...documentParts, ...(loginEnabled ? {} : { saved: 'Saved pipelines' }) };
  const urls = Object.entries(shown).map(([part, name]) => ({ url: `../v1/api-docs/${part}`, name }));
  const start =
    `window.ui = SwaggerUIBundle({ urls: ${JSON.stringify(urls)}, dom_id: '#swagger-ui', deepLinking: true, ` +
    `filter: true, tryItOutEnabled: true, docExpansion: 'list', validatorUrl: null, layout: 'StandaloneLayout', ` +
    `presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset], ` +
    `plugins: [window.QuireFormExamples, window.QuireFileId, window.QuireSearch] });\n`;
  const csp =
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";
  return {
    plugin: {
      name: 'quire-swagger-ui',
      dependencies: '@hapi/inert',
      register: (server) => {
        const open = { quire: { access: { role: 'public' as const } } };
        server.route([
          {
            method: 'GET',
            path: `${prefix}/swagger-ui`,
            options: { plugins: open },
            handler: (_, h) => h.redirect(`${prefix}/swagger-ui/index.html`),
          },
          {
            method: 'GET',
            path: `${prefix}/swagger-ui/index.html`,
            options: { plugins: open },
            handler: (_, h) => h.response(page).type('text/html').header('content-security-policy', csp),
          },
          {
            method: 'GET',
            path: `${prefix}/swagger-assets/start.js`,
            options: { plugins: open },
            handler: (_, h) => h.response(start).type('text/javascript'),
          },
          ...['examples.js', 'file-id.js', 'search.js'].map((file): ServerRoute => {
            return {
              method: 'GET',
              path: `${prefix}/swagger-assets/${file}`,
              options: { plugins: open },
              handler: (_, h) => h.file(join(own, file), { confine: own }),
            };
          }),
          {
            method: 'GET',
            path: `${prefix}/swagger-assets/{file}`,
            options: { plugins: open, cache: { expiresIn: 3_600_000 } },
            handler: (request, h) => {
              if (!allowed.has(String(request.params['file']))) throw new InputError('NOT_FOUND');
              return h.file(join(assets, String(request.params['file'])), { confine: assets });
            },
          },
        ]);
      },
    },
  };
}
