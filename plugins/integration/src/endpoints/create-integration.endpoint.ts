import { defineEndpoint } from '@quire/registry';
import { connections, type NewConnection } from '../services/connections.js';
import { bodyCodes, connectionAnswer, MAX_BODY_BYTES, sentMembers } from './connection-fields.js';

export const createIntegration = defineEndpoint({
  id: 'createIntegration',
  method: 'POST',
  path: 'integrations',
  since: '0.2.0',
  summary: 'Make a connection to another service',
  notes: [
    'API connections, connections of the server and personal S3 connections are made by administrators, API ' +
      'connections only while `policies.allowCustomApiIntegrations` is on and the server is self-hosted. Who ' +
      'leads a team makes its other connections.',
    'The settings are kept encrypted. Of type API: `baseUrl`, `authType` (NONE, BEARER, BASIC, HEADER, ' +
      'TOKEN_LOGIN), `token`, `headerName`, `headerPrefix`, `username`, `password`, `headers`, `resultUrlHosts`, ' +
      '`timeoutSeconds` (1 to 600, default 60), and for TOKEN_LOGIN `loginPath`, `loginBody`, `loginHeaders`, ' +
      'one of `tokenResponseHeader` and `tokenResponseJsonPath`, `tokenHeaderName`, `tokenPrefix`, ' +
      '`tokenTtlSeconds` (at most 86400, default 1500). Of type PURVIEW: `tenantId`, and optionally `clientId` ' +
      'with `clientSecret`, `graphBaseUrl`, `loginBaseUrl`. Members that these types do not know are refused; ' +
      'those of S3, MCP and CONSIGNO are kept as they are sent. A connection of type S3 that is enabled is tried ' +
      'before it is saved: the bucket is listed (`bucket`, `region`, `endpoint`, `accessKeyId`, `secretAccessKey`, ' +
      '`pathStyle`).',
  ].join('\n\n'),
  tag: 'integration',
  request: { maxBytes: MAX_BODY_BYTES, payload: (joi) => sentMembers(joi, true) },
  returns: {
    description: 'The connection',
    json: connectionAnswer,
    links: ['getIntegration', 'changeIntegration', 'deleteIntegration'].map((to) => ({
      to,
      parameters: { id: '$response.body#/id' },
    })),
  },
  errors: bodyCodes,
  // The schema is the shape of `NewConnection`.
  handle: async ({ payload, principal, signal }, ctx) => ({
    json: await ctx.use(connections).create(principal, payload as unknown as NewConnection, signal),
  }),
});
