import type { Catalog } from '@quire/catalog';
import type { Clock, Endpoint, Logger, SettingsReader } from '@quire/registry';
import type { ServerSecret } from '../secrets/index.js';
import type { Settings } from '../settings/index.js';
import type { Store } from '../store/index.js';
import { challengeEndpoints } from './endpoints/challenge.endpoint.js';
import { mcpEndpoint } from './endpoints/mcp.endpoint.js';
import { metadataEndpoints } from './endpoints/metadata.endpoint.js';
import { transferEndpoints } from './endpoints/transfer.endpoint.js';
import { Links } from './files/links.js';
import { Uploads } from './files/uploads.js';
import type { McpLogin } from './create-mcp-login.js';
import { mcpSettings, type McpSettings } from './mcp-settings.js';
import { McpProtocol } from './protocol/protocol.js';
import { fileTools, type FileToolsDeps } from './tools/file-tools.js';
import { jobTools } from './tools/job-tools.js';
import { namesOf, ToolSets, type ToolSetsDeps } from './tools/tool-sets.js';

type Made = 'uploads' | 'links' | 'maxInlineBytes' | 'maxFiles' | 'waitMs' | 'mcp' | 'settings' | 'ownTools';

export interface CreateMcpDeps extends Omit<ToolSetsDeps, Made>, Omit<FileToolsDeps, Made> {
  readonly settings: Settings;
  readonly store: Store;
  readonly secret: ServerSecret;
  readonly clock: Clock;
  readonly log: Logger;
  readonly version: string;
  readonly mcpLogin: McpLogin;
}

export interface McpFeature {
  readonly endpoints: readonly Endpoint[];
  /** Warns of settings that cannot work, and removes expired uploads and results: now, then every few minutes. */
  start(): void;
  stop(): Promise<void>;
}

/** Longest wait of a call for its job. Clients give up after 60 seconds unless progress arrives. */
const MOST_WAIT_MS = 45_000;
const SWEEP_MS = 300_000;

/** Creates the server for agents; while `mcp.enabled` is off it has no endpoints, so that its addresses answer 404. */
export function createMcp(deps: CreateMcpDeps): McpFeature {
  const { settings, log } = deps;
  const mcp = mcpSettings(settings);
  if (!mcp.enabled) return { endpoints: [], start: () => undefined, stop: async () => undefined };
  const now = (): number => deps.clock.now().getTime();
  const uploads = new Uploads({ store: deps.store, now, keptMs: settings.get('jobs.resultExpiryMinutes') * 60_000 });
  const links = new Links(deps.secret, now);
  const made = {
    ...deps,
    uploads,
    links,
    mcp,
    maxInlineBytes: mcp.maxInlineBytes,
    maxFiles: settings.get('limits.maxParts'),
    waitMs: Math.min(settings.get('jobs.maxWaitSeconds') * 1000, MOST_WAIT_MS),
  };
  const tools = new ToolSets({
    ...made,
    settings: settings as SettingsReader,
    ownTools: [...fileTools(made), ...jobTools(made)],
  });
  const protocol = new McpProtocol({ tools, version: deps.version, log, accepting: deps.accepting });
  let timer: NodeJS.Timeout | undefined;
  const sweep = (): void =>
    void uploads
      .sweep()
      .catch((error: unknown) => log.warn({ err: error }, 'expired uploads of agents could not be removed'));
  return {
    endpoints: [
      mcpEndpoint({ mcp, protocol, tokens: deps.mcpLogin.tokens }),
      ...(mcp.mode === 'oauth' ? metadataEndpoints(mcp) : []),
      ...challengeEndpoints(mcp),
      ...transferEndpoints(made),
    ],
    start() {
      warnOfSettings(mcp, settings, deps.catalog(), log);
      sweep();
      timer = setInterval(sweep, SWEEP_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      await protocol.close();
    },
  };
}

/** Settings that cannot work do not stop the start; calls are rejected with the reason. */
function warnOfSettings(mcp: McpSettings, settings: Settings, catalog: Catalog, log: Logger): void {
  const warn = (setting: string, reason: string): void => log.warn({ setting }, `agents: ${reason}`);
  if (mcp.mode === 'oauth' && mcp.issuer === '')
    warn('mcp.auth.issuerUri', 'no issuer is set, so every call is rejected');
  if (mcp.mode === 'oauth' && mcp.audiences.length === 0)
    warn('mcp.auth.resourceId', 'no audience is set, so every call is rejected');
  if (mcp.mode === 'oauth' && mcp.requireAccount && !settings.get('security.enableLogin'))
    warn('mcp.auth.requireExistingAccount', 'login is off, so no token has an account and every call is rejected');
  const names = new Set([...catalog.operations.values()].flatMap(namesOf));
  for (const setting of ['mcp.allowedOperations', 'mcp.blockedOperations'] as const)
    for (const name of settings.get(setting)) if (!names.has(name)) warn(setting, `${name} is not an operation`);
}
