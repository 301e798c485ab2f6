import { server as createHapi, type Plugin, type RouteDefMethods, type Server } from '@hapi/hapi';
import type { JoiRoot } from '@quire/registry';
import Joi from 'joi';
import { completeDocument, type OpenApiDocument } from './complete-document.js';
import type { DocumentedRoute } from './document-key.js';
import { notingTypes } from './endpoint-answers.js';
import { hostEndpoints } from './form-examples.js';
import type { SwaggerDeps } from './swagger-deps.js';

const JSON_PATH = '/document';

const description =
  'Every tool is an HTTP endpoint that receives a multipart form and returns a file. Tools can be chained in ' +
  'pipelines and run as jobs.\n\nErrors are problem documents (RFC 9457) with a `code`. `Prefer: respond-async` ' +
  'starts a job, `callbackUrl` is called when it ends; `Idempotency-Key` makes repeating a POST safe; `Prefer: ' +
  'handling=strict` rejects unknown fields and damaged PDFs.';

/**
 * Generates the whole document from the routes of a server. Blocks the thread for seconds, so a server that answers
 * calls does it in a child process (`stored-document.ts`). The generator sees a server of its own, whose routes have no
 * handlers and extensions.
 */
export async function generateDocument(
  routes: readonly DocumentedRoute[],
  deps: SwaggerDeps,
): Promise<OpenApiDocument> {
  const copy = createHapi({ debug: false });
  for (const { method, path, docs } of routes)
    copy.route({ method: method as RouteDefMethods, path, options: { ...docs(), handler: () => null } });
  await registerGenerator(copy, deps.version);
  const { statusCode, result, payload } = await describingOnce(() => copy.inject({ url: JSON_PATH }));
  if (statusCode !== 200) throw new Error(`hapi-swagger answered ${statusCode}: ${payload}`);
  return completeDocument(result as OpenApiDocument, {
    operations: deps.catalog.operations.values(),
    endpoints: [...hostEndpoints(deps.endpoints), ...deps.catalog.endpoints],
    plugins: deps.catalog.plugins,
    prefix: deps.prefix,
  });
}

type Describe = (this: Joi.Schema) => Joi.Description;

/** Joi as operations use it, and as answers do. */
const roots: readonly JoiRoot[] = [Joi, notingTypes];

/**
 * Runs work for which each schema is described once, and Joi's own descriptions are not validated. The generator asks
 * for the description of a schema several times, and Joi validates it at each level, which made two thirds of the time.
 */
async function describingOnce<T>(work: () => Promise<T>): Promise<T> {
  const known = new WeakMap<Joi.Schema, Joi.Description>();
  // Each type has a prototype of its own, from which all its schemas inherit; some types have two names.
  const prototypes = new Set(
    roots
      .flatMap((root) => Object.values(root.types()))
      .map((type) => Object.getPrototypeOf(type) as { describe: Describe }),
  );
  const changed = [...prototypes].map((prototype) => {
    const { describe } = prototype;
    prototype.describe = function (this: Joi.Schema) {
      const description = known.get(this) ?? withoutAssert(() => describe.call(this));
      known.set(this, description);
      return description;
    };
    return { prototype, describe };
  });
  try {
    return await work();
  } finally {
    for (const { prototype, describe } of changed) prototype.describe = describe;
  }
}

/** Runs this at once, so that nothing else misses the assertions. */
function withoutAssert<T>(work: () => T): T {
  const changed = roots.map((root) => ({ root, assert: root.assert }));
  for (const { root } of changed) root.assert = () => undefined;
  try {
    return work();
  } finally {
    for (const { root, assert } of changed) root.assert = assert;
  }
}

async function registerGenerator(server: Server, version: string): Promise<void> {
  // Loaded here, because it has two megabytes of code.
  const { default: hapiSwagger } = await import('hapi-swagger');
  await server.register({
    plugin: hapiSwagger as unknown as Plugin<unknown>,
    options: {
      OAS: 'v3.0',
      jsonPath: JSON_PATH,
      documentationPage: false,
      swaggerUI: false,
      xProperties: true,
      grouping: 'tags',
      reuseDefinitions: false,
      info: {
        title: 'Quire',
        version,
        description,
        contact: { name: 'The operator of this server' },
        license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      },
      securityDefinitions: {
        apiKey: {
          type: 'apiKey',
          name: 'X-API-KEY',
          in: 'header',
          description: 'Required while login is on, unless a session token is sent',
        },
        session: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            'The access_token that /api/v1/auth/login returns; or an access token (RFC 9068) of an issuer that the ' +
            'server trusts (security.accessTokens), with a scope such as quire:general',
        },
      },
      security: [{ apiKey: [] }, { session: [] }],
    },
  });
}
