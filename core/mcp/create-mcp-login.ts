import type { Clock } from '@quire/registry';
import type { RouteLogin } from '../access/index.js';
import type { LoginServices } from '../accounts/index.js';
import type { KeySets } from '../identity/tokens/index.js';
import type { Settings } from '../settings/index.js';
import { keyLogin, TokenLogin } from './login/mcp-login.js';
import { TokenVerifier } from './login/token-verifier.js';
import { mcpSettings } from './mcp-settings.js';

export interface McpLogin {
  /** The logins for the guard; none while `mcp.enabled` is off. */
  readonly routeLogins: readonly RouteLogin[];
  /** Undefined where no access tokens are used. */
  readonly tokens: TokenVerifier | undefined;
}

/** Creates the authentication of agents, before the guard that uses it. */
export function createMcpLogin(deps: {
  readonly settings: Settings;
  readonly keySets: KeySets;
  readonly clock: Clock;
  readonly login: LoginServices | undefined;
}): McpLogin {
  const settings = mcpSettings(deps.settings);
  if (!settings.enabled) return { routeLogins: [], tokens: undefined };
  if (settings.mode === 'apikey') return { routeLogins: [keyLogin], tokens: undefined };
  const tokens = new TokenVerifier(settings, deps.keySets, deps.clock);
  return { routeLogins: [new TokenLogin(settings, tokens, deps.login)], tokens };
}
