import type { ServerInjectOptions, ServerInjectResponse } from '@hapi/hapi';
import { loadCatalog, type Catalog, type CatalogOperation } from '@quire/catalog';
import { tokens, type Endpoint } from '@quire/registry';
import Joi from 'joi';
import { createAvailability } from '../access/create-availability.js';
import { createAdministration } from '../administration/create-administration.js';
import { installationId } from '../administration/index.js';
import { createArtifacts } from '../artifacts/create-artifacts.js';
import { createAudit } from '../audit/create-audit.js';
import { createConsole } from '../console/create-console.js';
import { createHttp } from '../http/create-http.js';
import type { DocumentSource } from '../openapi/index.js';
import { createJobs } from '../jobs/create-jobs.js';
import { createKeptAnswers } from '../jobs/idempotency/create-kept-answers.js';
import { createIdentity, createProxyLogin } from '../identity/index.js';
import { createMcp } from '../mcp/index.js';
import { createMetrics } from '../metrics/create-metrics.js';
import { createMobileScanner } from '../mobile-scanner/create-mobile-scanner.js';
import { createOperations } from '../operations/create-operations.js';
import { jobLimits } from '../operations/index.js';
import { authorReader, removeScratch } from '../operations/runner/index.js';
import { createAutomation } from '../automation/create-automation.js';
import { createRoles, noGrants } from '../roles/create-roles.js';
import { createPipelines } from '../operations/pipelines/create-pipelines.js';
import { workerTasksOf } from '../operations/workers/index.js';
import type { Settings } from '../settings/index.js';
import { createScim } from '../scim/index.js';
import { createStorage } from '../storage/create-storage.js';
import { StoredFiles } from '../store/index.js';
import { createWatchedFolders } from '../watched-folders/create-watched-folders.js';
import { Containers } from './bindings.js';
import { LifeCycle } from './life-cycle.js';
import { createServices, type ServerOptions, type Services } from './create-services.js';
import { openBase, sweepLeftovers, type Base } from './open-base.js';
import { whenStoreAnswers } from './store-start.js';

export interface QuireServer {
  readonly catalog: Catalog;
  readonly settings: Settings;
  /** Base address; correct after `start`. */
  readonly url: string;
  /** Ids of the worker processes. */
  workerPids(): readonly number[];
  inject(options: string | ServerInjectOptions): Promise<ServerInjectResponse>;
  /** The API document, for the process that makes it. */
  documentSource(): DocumentSource;
  /** Listens, then recovers the jobs of the last run in the background. Returns the base address. */
  start(): Promise<string>;
  /** Rejects new work, lets running work finish, leaves queued work for the next start, and shuts down. */
  stop(): Promise<void>;
}

/** Creates a server that does not listen yet. Throws CatalogError or StartupError listing every fault. */
export async function createServer(options: ServerOptions): Promise<QuireServer> {
  const base = await openBase(options);
  try {
    await sweepLeftovers(base);
    return await assemble(base, options);
  } catch (error) {
    await base.store.close();
    throw error;
  }
}

async function assemble(base: Base, options: ServerOptions): Promise<QuireServer> {
  const services = await createServices(base, options);
  const features = await createFeatures(services, options);
  const endpoints = endpointsOf(features, services);
  services.ownEndpoints.provide(endpoints);
  const plugins = await loadPlugins(services, features, endpoints, options);
  const work = await createWork(services, features, plugins, endpoints);
  const http = await createHttp({
    ...services,
    resolveFrom: options.resolveFrom,
    runner: work.runner,
    prepareWorker: ({ entryUrl }) => services.pool.prepare(entryUrl),
    pipelines: work.pipelines,
    counters: features.metrics.counters,
    browsers: features.metrics.browsers,
    metrics: features.metrics.metrics,
    availability: work.availability.availability,
    catalog: plugins.catalog,
    endpoints,
    allowance: services.billing.allowance,
    dailyLimits: services.billing.dailyLimits,
    audit: features.audit.calls,
    errorForms: features.scim.errorForms,
    authorsOf: authorReader(services.pool, services.log),
    storage: features.storage.storage,
    keptAnswers: features.keptAnswers,
    callbacks: features.jobs.callbacks,
    jobs: features.jobs.jobs,
    savedTools: (principal) => features.automation.saved.tools(principal),
    serviceOf: (plugin, token) => plugins.containers.use(plugin, token),
  });
  const life = createLifeCycle({ services, features, plugins, work, http });
  services.life.provide(life);
  return {
    catalog: plugins.catalog,
    settings: base.settings,
    get url() {
      return http.url();
    },
    workerPids: () => services.pool.stats().pids,
    inject: (injected) => http.inject(injected),
    documentSource: () => http.documentSource(),
    start: async () => {
      await life.start();
      return http.url();
    },
    stop: () => life.stop(),
  };
}

type Features = Awaited<ReturnType<typeof createFeatures>>;
type Plugins = Awaited<ReturnType<typeof loadPlugins>>;
type Work = Awaited<ReturnType<typeof createWork>>;

/** Creates all features that have endpoints, except accounts and billing. */
async function createFeatures(services: Services, { restart, connectors }: ServerOptions) {
  const { settings, cluster, billing, pool } = services;
  const steady = cluster.jobs.clock;
  const storage = createStorage({ ...services, leases: cluster.leases });
  const audit = await createAudit(services);
  const identity = createIdentity({ ...services, audit: audit.audit });
  const proxyLogin = createProxyLogin({ ...services, audit: audit.audit });
  const scim = createScim({ ...services, audit: audit.audit });
  const roles = createRoles(services);
  const artifacts = await createArtifacts({
    ...services,
    installationId: () => whenStoreAnswers(services.store, services.log, () => installationId(services)),
  });
  const jobs = createJobs({
    ...services,
    artifacts: artifacts.blobs,
    limits: jobLimits(settings, pool.limits),
    jobEnded: audit.jobEnded,
  });
  const keptAnswers = createKeptAnswers({ ...services, steady });
  const metrics = await createMetrics({
    ...services,
    runningJobs: jobs.running,
    allowanceStats: () => billing.allowance.stats(),
    automationStats: () => automation.stats(),
  });
  const pipelines = createPipelines({ ...services, jobs: jobs.jobs, callbacks: jobs.callbacks });
  const automation = createAutomation({
    ...services,
    ...cluster,
    jobs: jobs.jobs,
    callbacks: jobs.callbacks,
    storage: storage.storage,
    handOver: (folderId) => folders.handOver(folderId),
    connections: () => services.containers().use(undefined, tokens.savedConnections),
    connectors,
    folders: () => folders.automations,
  });
  const administration = createAdministration({
    ...services,
    providers: proxyLogin.loginProviders,
    days: metrics.days,
    storage: storage.storage,
    installationId: () => installationId(services),
    providersOfUsers: () => identity.providersOfUsers(),
    restart,
  });
  const mobileScanner = createMobileScanner({ ...services, steady });
  const console = createConsole({ ...services, visited: () => pool.prepare() });
  const mcp = createMcp({
    ...services,
    jobs: jobs.jobs,
    storage: storage.storage,
    saved: automation.saved,
  });
  const folders = createWatchedFolders({
    ...services,
    ...cluster,
    jobs: jobs.jobs,
    folderRunEnded: audit.folderRunEnded,
  });
  return {
    storage,
    artifacts,
    audit,
    identity,
    proxyLogin,
    scim,
    roles,
    jobs,
    keptAnswers,
    metrics,
    pipelines,
    automation,
    administration,
    mobileScanner,
    console,
    mcp,
    folders,
  };
}

function endpointsOf(features: Features, { billing, accounts }: Services): readonly Endpoint[] {
  const { metrics, jobs, pipelines, automation, administration, audit, identity, storage, mobileScanner, console } =
    features;
  const { mcp, folders, proxyLogin, scim, roles } = features;
  const own = [
    metrics,
    jobs,
    pipelines,
    automation,
    billing,
    accounts,
    identity,
    administration,
    audit,
    storage,
    mobileScanner,
    console,
  ];
  return [...own, mcp, folders, proxyLogin, scim, roles].flatMap((feature) => feature.endpoints);
}

async function loadPlugins(
  services: Services,
  { pipelines, automation }: Features,
  endpoints: readonly Endpoint[],
  { resolveFrom }: ServerOptions,
) {
  const { settings, store, secret, clock, log, login, pool } = services;
  const sharedFiles = new StoredFiles(store, secret, clock, store.kind === 'mongodb');
  const containers = new Containers({
    ...services,
    savedSettings: services.settingsFile,
    sharedFiles,
    pipelineRuns: pipelines.runs,
    savedPipelines: pipelines.saved,
    connectionUses: automation.connectionUses,
    accessGrants: login?.roles ?? noGrants,
    connectionTrials: automation.connectionTrials,
    userNames: { onFreed: (listener) => login?.accounts.users.onNameFreed(listener) },
    teams: {
      exists: async (id) =>
        login !== undefined &&
        id !== login.accounts.teams.internalId &&
        (await login.accounts.teams.byId(id)) !== undefined,
    },
    workerTasks: (plugin) => workerTasksOf(plugin, pool),
  });
  services.containers.provide(containers);
  const catalog = await loadCatalog({
    plugins: settings.get('plugins'),
    resolveFrom,
    joi: Joi,
    reserved: endpoints,
    operations: settings.get('operations'),
    operationOrigin: (path) => settings.operationOrigin(path),
    templateLeftOut: ({ plugin, problems }) => log.warn({ plugin, problems }, 'template left out'),
  });
  for (const { plugin, problems } of catalog.warnings) log.warn({ plugin, problems }, 'optional plugin left out');
  containers.adopt(catalog);
  services.catalog.provide(catalog);
  return { catalog, containers, sharedFiles };
}

/** Creates everything that runs operations. */
async function createWork(
  services: Services,
  { metrics, administration, automation }: Features,
  { catalog, containers }: Plugins,
  endpoints: readonly Endpoint[],
) {
  const { store, billing, cluster } = services;
  const leases = store.kind === 'mongodb' ? cluster.leases : undefined;
  const availability = createAvailability({ ...services, catalog, endpoints });
  services.availability.provide(availability.availability);
  services.switches.provide(availability.switches);
  // An embedded store answers at once. A shared store may be unreachable; the server waits for it when it starts.
  if (store.kind === 'embedded') await Promise.all([availability.start(), administration.start()]);
  const { runner, pipelines } = createOperations({
    ...services,
    catalog,
    availability: availability.availability,
    allowance: billing.allowance,
    metrics: metrics.metrics,
    leases,
    findSaved: automation.findSaved,
    findFile: automation.findFile,
    serviceOf: (entry: CatalogOperation, token) => containers.use(entry.plugin, token),
  });
  services.runner.provide(runner);
  services.pipelines.provide(pipelines);
  return { availability, runner, pipelines };
}

interface Assembled {
  readonly services: Services;
  readonly features: Features;
  readonly plugins: Plugins;
  readonly work: Work;
  readonly http: Awaited<ReturnType<typeof createHttp>>;
}

/** The order matters: nothing is stopped while something that is still running can call it. */
function createLifeCycle({ services, features, plugins, work, http }: Assembled): LifeCycle {
  const {
    settings,
    store,
    log,
    trust,
    cluster,
    billing,
    accounts,
    pool,
    confinement,
    programs,
    recognizeText,
    mailer,
    outbound,
    webClient,
  } = services;
  const { storage, artifacts, audit, jobs, keptAnswers, metrics, automation, administration, mobileScanner, mcp } =
    features;
  const { folders } = features;
  const { catalog, containers, sharedFiles } = plugins;
  const { availability } = work;
  const eachPlugin = async (step: 'start' | 'stop'): Promise<void> => {
    for (const plugin of catalog.plugins) await plugin.plugin[step]?.(containers.context(plugin));
  };
  return new LifeCycle({
    log,
    patienceMs: settings.get('server.shutdownSeconds') * 1000,
    backgroundFailed: jobs.fail,
    steps: {
      start: [
        () => eachPlugin('start'),
        () => keptAnswers.start(),
        () => (store.kind === 'embedded' ? undefined : Promise.all([availability.start(), administration.start()])),
        artifacts.start,
        storage.start,
        mobileScanner.start,
        audit.start,
        http.start,
        () => trust.start(),
      ],
      background: [
        () => sweepSharedFiles(sharedFiles, services),
        () => (confinement.required ? undefined : confinement.report()),
        () => pool.start(),
        billing.start,
        administration.startBackups,
        jobs.start,
        mcp.start,
        folders.start,
        automation.start,
      ],
      drain: [http.stop, jobs.drain, folders.stop, automation.stop],
      stop: [
        jobs.stop,
        () => keptAnswers.stop(),
        storage.stop,
        mcp.stop,
        mobileScanner.stop,
        administration.stop,
        () => cluster.nodes.close(),
        () => services.backplane.close(),
        billing.stop,
        accounts.stop,
        metrics.stop,
        audit.stop,
        () => eachPlugin('stop'),
        () => pool.close(),
        availability.stop,
        () => programs.stop(),
        () => recognizeText.stop(),
        () => trust.stop(),
        () => outbound.close(),
        () => mailer.close(),
        () => webClient.close(),
        () => store.close(),
        () => removeScratch(services.scratchRoot),
      ],
    },
  });
}

/** Not awaited: files that are missed now are removed at the next start. */
function sweepSharedFiles(sharedFiles: StoredFiles, { log }: Services): void {
  if (!sharedFiles.shared) return;
  void sharedFiles
    .sweep()
    .catch((error: unknown) =>
      log.warn({ err: error }, 'left-over shared files could not be removed; the next start tries again'),
    );
}
