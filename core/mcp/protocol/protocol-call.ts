import type { Principal } from '@quire/registry';
import type { Profile } from '../tools/tool-sets.js';

/** One authenticated request to `/mcp`. */
export interface ProtocolCall {
  /** The body as text. */
  readonly text: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly profile: Profile;
  readonly principal: Principal;
  /** Scopes of the access token; undefined where none are needed. */
  readonly scopes: ReadonlySet<string> | undefined;
  /** Address under which the server is reached, without `/mcp` and trailing slash. */
  readonly base: string;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
}
