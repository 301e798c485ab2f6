import { defineEndpoint, type Endpoint } from '@quire/registry';
import { MCP_PATH, METADATA_PATH } from '../login/mcp-login.js';
import type { McpSettings } from '../mcp-settings.js';

const scopes = ['mcp.tools.read', 'mcp.tools.write'];

/** The metadata by which clients find the authorization server (RFC 9728, 2). */
export function metadataEndpoints({ resourceId, issuer, scopesEnabled }: McpSettings): Endpoint[] {
  return [METADATA_PATH, `${METADATA_PATH}${MCP_PATH}`].map((path, at) =>
    defineEndpoint({
      id: at === 0 ? 'getResourceMetadata' : 'getMcpResourceMetadata',
      method: 'GET',
      path,
      since: '1.5.0',
      tag: 'mcp',
      summary: 'Get the authorization server for agents',
      access: { role: 'public', openBefore: ['password', 'secondFactor'] },
      returns: {
        description: 'Metadata of this protected resource (RFC 9728)',
        json: (joi) =>
          joi
            .object({
              resource: joi.string().required(),
              resource_name: joi.string().required(),
              authorization_servers: joi.array().items(joi.string()).required(),
              scopes_supported: joi.array().items(joi.string()),
              bearer_methods_supported: joi.array().items(joi.string()).required(),
            })
            .label('ResourceMetadata'),
      },
      errors: [],
      handle: async ({ site }) => ({
        json: {
          resource: resourceId === '' ? `${site?.url ?? ''}${MCP_PATH}` : resourceId,
          resource_name: 'Quire',
          authorization_servers: issuer === '' ? [] : [issuer],
          ...(scopesEnabled ? { scopes_supported: scopes } : {}),
          bearer_methods_supported: ['header'],
        },
      }),
    }),
  );
}
