import { readFile } from 'node:fs/promises';
import { defineEndpoint, type Endpoint, type EndpointRequest } from '@quire/registry';
import { bearerOf } from '../../http/request/index.js';
import { MCP_PATH } from '../login/mcp-login.js';
import type { TokenVerifier } from '../login/token-verifier.js';
import type { McpSettings } from '../mcp-settings.js';
import type { McpProtocol } from '../protocol/protocol.js';
import { profiles, type Profile } from '../tools/tool-sets.js';

export interface McpEndpointDeps {
  readonly mcp: McpSettings;
  readonly protocol: McpProtocol;
  /** Undefined where no access tokens are used. */
  readonly tokens: Pick<TokenVerifier, 'verify'> | undefined;
}

/** Returns the address under which agents reach the server, without `/mcp` and trailing slash. */
function baseOf({ resourceId }: Pick<McpSettings, 'resourceId'>, { site }: Pick<EndpointRequest, 'site'>): string {
  return /^https?:\/\/.+\/mcp\/?$/.test(resourceId) ? resourceId.replace(/\/mcp\/?$/, '') : (site?.url ?? '');
}

/** The endpoint for agents (`docs/interface/mcp.yml`). */
export function mcpEndpoint({ mcp, protocol, tokens }: McpEndpointDeps): Endpoint {
  return defineEndpoint({
    id: 'callMcp',
    method: 'POST',
    path: MCP_PATH,
    since: '1.5.0',
    tag: 'mcp',
    summary: 'Call tools as an agent (Model Context Protocol)',
    notes:
      'One JSON-RPC 2.0 message for each request, without sessions. The answer is JSON, or an event stream for ' +
      'clients that accept one. With `profile=small` three tools find, describe and run all others.',
    request: {
      asFile: true,
      maxBytes: mcp.maxRequestBytes,
      query: (joi) =>
        joi.object({
          profile: joi
            .string()
            .valid(...profiles)
            .default('full')
            .description('List of tools'),
        }),
      payload: (joi) =>
        joi.object({
          jsonrpc: joi.string().valid('2.0').required(),
          id: joi.alternatives(joi.string(), joi.number().integer()).description('Missing in notifications'),
          method: joi.string().required().example('tools/list'),
          params: joi.object().unknown(),
        }),
    },
    returns: {
      description: 'The JSON-RPC answer',
      json: (joi) => joi.object().unknown().label('McpAnswer'),
      mediaType: 'text/event-stream',
      also: { 202: { description: 'The message was a notification' } },
    },
    errors: [
      'KEY_INVALID',
      'ACCESS_TOKEN_INVALID',
      'ACCESS_TOKEN_ACCOUNT',
      'INPUT_INVALID',
      'INPUT_MEDIA_TYPE',
      'INPUT_MALFORMED',
      'INPUT_TOO_LARGE',
      'INPUT_TOO_SLOW',
      'SERVICE_NOT_SET_UP',
      'ISSUER_UNREACHABLE',
      'STORE_DOWN',
    ],
    handle: async (request) =>
      protocol.answer({
        text: await readFile(request.files['body']?.[0]?.path() ?? '', 'utf8'),
        headers: request.headers,
        profile: request.query['profile'] as Profile,
        principal: request.principal,
        scopes: mcp.scopesEnabled ? await scopesOf(tokens, request.headers) : undefined,
        base: baseOf(mcp, request),
        signal: request.signal,
      }),
  });
}

/** The scopes of the access token that the guard has accepted (RFC 9068, 2.2.3); undefined for a caller without one. */
async function scopesOf(
  tokens: McpEndpointDeps['tokens'],
  { authorization }: EndpointRequest['headers'],
): Promise<ReadonlySet<string> | undefined> {
  if (tokens === undefined) return undefined;
  const { scope, scp } = await tokens.verify(bearerOf(authorization) ?? '');
  const listed = typeof scope === 'string' ? scope.split(' ') : scp;
  return new Set(Array.isArray(listed) ? listed.filter((each) => typeof each === 'string') : [String(listed ?? '')]);
}
