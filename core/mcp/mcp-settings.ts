import type { Settings } from '../settings/index.js';

/** The settings `mcp.*`, as they are used. */
export interface McpSettings {
  readonly enabled: boolean;
  readonly scopesEnabled: boolean;
  readonly maxRequestBytes: number;
  /** Of a JSON result, a text or a picture inside an answer. */
  readonly maxInlineBytes: number;
  readonly allowed: readonly string[];
  readonly blocked: readonly string[];
  readonly mode: 'oauth' | 'apikey';
  /** Empty for none. */
  readonly issuer: string;
  readonly jwksUri: string;
  /** Public address of `/mcp`; empty where the operator has not set it. */
  readonly resourceId: string;
  /** Audiences of accepted tokens; with none of them every token is rejected. */
  readonly audiences: readonly string[];
  readonly usernameClaim: string;
  readonly requireAccount: boolean;
  /** Text by which OpenAI verifies the domain; empty for none. */
  readonly openaiAppsChallenge: string;
}

/** Limit of a request where the setting is 0 or less (`docs/interface/mcp.yml`). */
const LEAST_REQUEST_BYTES = 262_144;
/** What one answer may contain, whatever the settings say: everything in it passes through a language model. */
const MOST_INLINE_BYTES = 1024 * 1024;

export function mcpSettings(settings: Pick<Settings, 'get'>): McpSettings {
  const requestBytes = settings.get('mcp.maxRequestBytes');
  const resourceId = settings.get('mcp.auth.resourceId').trim();
  return {
    enabled: settings.get('mcp.enabled'),
    scopesEnabled: settings.get('mcp.scopesEnabled'),
    maxRequestBytes: requestBytes > 0 ? requestBytes : LEAST_REQUEST_BYTES,
    maxInlineBytes: Math.min(MOST_INLINE_BYTES, Math.max(0, settings.get('mcp.maxInlineResponseBytes'))),
    allowed: settings.get('mcp.allowedOperations'),
    blocked: settings.get('mcp.blockedOperations'),
    // Any other text counts as oauth (`docs/interface/mcp.yml`), the stricter one.
    mode: settings.get('mcp.auth.mode') === 'apikey' ? 'apikey' : 'oauth',
    issuer: settings.get('mcp.auth.issuerUri').trim(),
    jwksUri: settings.get('mcp.auth.jwksUri').trim(),
    resourceId,
    audiences: [resourceId, ...settings.get('mcp.auth.acceptedAudiences')].filter((audience) => audience !== ''),
    usernameClaim: settings.get('mcp.auth.usernameClaim'),
    requireAccount: settings.get('mcp.auth.requireExistingAccount'),
    openaiAppsChallenge: settings.get('mcp.openaiAppsChallenge').trim(),
  };
}
