import { fileURLToPath } from 'node:url';
import { tokens, type Principal } from '@quire/registry';
import { createGuard } from '../access/create-guard.js';
import { keyCategories } from '../access/index.js';
import { createAccounts } from '../accounts/create-accounts.js';
import { SecondFactorPolicy, type LoginServices, type PasswordCost } from '../accounts/index.js';
import { installationId } from '../administration/index.js';
import type { Connectors } from '../automation/index.js';
import { createBilling } from '../billing/create-billing.js';
import { createMachineLogin, LoginProviders, proxyLogoutUrl } from '../identity/index.js';
import { KeySets } from '../identity/tokens/index.js';
import { TesseractRecognizeText } from '../engines/ocr/index.js';
import { ProgramSupervisor } from '../engines/programs/index.js';
import { createBackplane } from '../jobs/backplane/index.js';
import { createCluster } from '../jobs/cluster/create-cluster.js';
import { createIsolation, isolationIsRequired, reportIsolation } from '../isolation/index.js';
import type { RoleLimits } from '../roles/index.js';
import { createMcpLogin } from '../mcp/index.js';
import { createScimLogin } from '../scim/index.js';
import { createMailer } from '../network/mail/index.js';
import { createOutbound, createWebClient } from '../network/outbound/index.js';
import { ServerTrust } from '../network/trust/index.js';
import { createWorkerPool } from '../operations/create-worker-pool.js';
import { SettingsFile, type Settings } from '../settings/index.js';
import { lateServices } from './late-services.js';
import { openSecret, type Base } from './open-base.js';
import { whenStoreAnswers } from './store-start.js';

export interface ServerOptions {
  readonly settings: Settings;
  /** Folders that are searched for plugins, in this order. */
  readonly resolveFrom: readonly string[];
  readonly version: string;
  /** Kinds of sources and destinations of automations beside the server's own. */
  readonly connectors?: Connectors;
  /** Stops this server so that the supervisor starts it again; absent without a supervisor. */
  readonly restart?: () => void;
  /**
   * Shows the operator a text that must not be logged, such as the first administrator's password. Default: standard
   * output.
   */
  readonly announce?: (text: string) => void;
  /** Cost of hashing a password; lower in tests. */
  readonly passwordCost?: PasswordCost;
}

/** What every feature may use. */
export type Services = Awaited<ReturnType<typeof createServices>>;

/** Creates secrets, network, engines, access and workers. */
export async function createServices(
  base: Base,
  { passwordCost, announce = (text) => void process.stdout.write(`${text}\n`) }: ServerOptions,
) {
  const { settings, store, log, role } = base;
  const later = lateServices();
  // Programs that are tried meanwhile run on another core.
  const triedIsolation = createIsolation(settings);
  triedIsolation.catch(() => undefined);
  const secret = await openSecret(base);
  const backplane = await createBackplane({ settings, secret, store, log, serves: role.serves });
  const settingsFile = new SettingsFile(settings);
  settingsFile.onCheck((next) => void SecondFactorPolicy.of(next, () => Promise.resolve(false)));

  const mailer = createMailer(settings, log);
  const outbound = createOutbound(settings);
  const webClient = createWebClient(settings, log);
  const trust = new ServerTrust({
    settings,
    paths: settings.paths,
    outbound,
    log,
    serverKeystore: () => later.containers().use(undefined, tokens.serverKeystore),
  });

  const keySets = new KeySets({ outbound, log, now: () => base.clock.now().getTime() });
  const providers = new LoginProviders({ settings, outbound, clock: base.clock, secret });
  const accounts = await whenStoreAnswers(store, log, () =>
    createAccounts({
      ...base,
      secret,
      backplane,
      mailer,
      outbound,
      announce,
      passwordCost,
      logoutUrl: async (session, site) => proxyLogoutUrl(settings, session) ?? providers.logoutUrl(session, site),
      categories: () => keyCategories(later.catalog()),
    }),
  );
  const { login } = accounts;
  const billing = createBilling({ ...base, settingsFile, login, installationId: () => installationId(base) });
  const mcpLogin = createMcpLogin({ settings, keySets, clock: base.clock, login });
  const guard = createGuard({
    settings,
    login,
    machines: createMachineLogin({ ...base, keySets, providers: providers.clients, login }),
    standingOf: (caller) => billing.allowance.standing(caller),
    routeLogins: [...mcpLogin.routeLogins, ...createScimLogin({ settings, login, secret, log })],
    catalog: () => later.catalog(),
  });

  const isolation = await triedIsolation;
  const programs = new ProgramSupervisor(settings, log, process.env['PATH'], isolation.programs);
  const recognizeText = new TesseractRecognizeText({ programs, settings, log, isolation });
  const pool = createWorkerPool({
    ...base,
    isolation,
    modules: () => later.catalog().plugins.map(({ entryUrl }) => fileURLToPath(entryUrl)),
  });
  const confinement = {
    required: isolationIsRequired(settings),
    /** Tries what confines programs, which takes a dozen processes; that of workers is known. */
    report: async (): Promise<void> =>
      reportIsolation(settings, log, pool.stats().isolation, await programs.isolation()),
  };
  if (confinement.required) await confinement.report();
  const cluster = createCluster({ ...base, ...later, backplane, programs, pool });

  return {
    ...base,
    ...later,
    secret,
    backplane,
    settingsFile,
    mailer,
    outbound,
    webClient,
    trust,
    programs,
    recognizeText,
    accounts,
    login,
    providers,
    keySets,
    billing,
    guard,
    mcpLogin,
    pool,
    confinement,
    cluster,
    needsOf: cluster.needsOf,
    takenElsewhere: cluster.takenElsewhere,
    accepting: () => later.life().accepting,
    ...limitsOfRoles(login),
    ownerOf: (principal: Principal): string => (guard.loginEnabled ? principal.id : ''),
  };
}

const MB = 1024 * 1024;

interface NamedLimit {
  readonly limit: number;
  readonly role: string;
  readonly title: string;
}

/** What the roles of callers limit outside the guard. */
function limitsOfRoles(login: LoginServices | undefined) {
  const roleLimitsOf = (principal: Principal): RoleLimits | undefined =>
    principal.via === 'none' ? undefined : login?.roles.rightsOf(principal).limits;
  const limitOf = (principal: Principal, name: keyof RoleLimits): number | undefined =>
    roleLimitsOf(principal)?.[name] ?? undefined;
  /** The limit with the role that sets it, for messages. */
  const namedLimitOf = (principal: Principal, name: keyof RoleLimits): NamedLimit | undefined => {
    const limit = limitOf(principal, name);
    const [role = ''] = principal.roles ?? [];
    return limit === undefined ? undefined : { limit, role, title: login?.roles.titleOf(role) ?? role };
  };
  return {
    roleLimitsOf,
    pageLimitOf: (principal: Principal): NamedLimit | undefined => namedLimitOf(principal, 'pagesPerDocument'),
    atOnce: {
      inUse: (): boolean => login?.roles.list().some(({ rights }) => rights.limits.jobsAtOnce !== null) === true,
      of: (principal: Principal): NamedLimit | undefined => namedLimitOf(principal, 'jobsAtOnce'),
    },
    mayReadStored: (principal: Principal): boolean => login?.roles.rightsOf(principal).storage !== 'none',
    mostBytesOf: (principal: Principal): number | undefined => {
      const most = limitOf(principal, 'uploadMb');
      return most === undefined ? undefined : most * MB;
    },
    /** Most jobs of a caller that may wait. */
    mostWaitingOf: (principal: Principal): number | undefined => limitOf(principal, 'jobsWaiting'),
  };
}
