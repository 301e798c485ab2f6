import type { Catalog, LoadedPlugin } from '@quire/catalog';
import {
  InputError,
  OperationalError,
  tokens,
  type Clock,
  type ConnectionTrials,
  type AccessGrants,
  type ConnectionUses,
  type LanguageModel,
  type Logger,
  type Mailer,
  type Outbound,
  type PipelineRuns,
  type PluginContext,
  type RecognizeText,
  type SavedConnections,
  type SavedPipelines,
  type SavedSettings,
  type CertificateTrust,
  type ServerKeystore,
  type SharedFiles,
  type Teams,
  type TextEmbeddings,
  type Token,
  type UserNames,
  type WorkerTasks,
} from '@quire/registry';
import { ChromiumHtmlToPdf, WarmBrowser } from '../engines/browser/index.js';
import { OutboundWebFetch } from '../network/outbound/index.js';
import {
  CalibreConvertEbook,
  GhostscriptConvertColours,
  GhostscriptPageLanguages,
  GhostscriptPdfToPdfA,
  GhostscriptPdfToPdfX,
  LibreOfficeExport,
  LibreOfficeToPdf,
  OfficePool,
  ProgramsRebuildPdf,
  VeraPdfValidator,
  WaitingVeraPdf,
  type ProgramSupervisor,
} from '../engines/programs/index.js';
import type { Settings } from '../settings/index.js';
import type { Store } from '../store/index.js';
import { HttpTimeStampAuthority } from '../network/trust/index.js';
import { pluginStoreOf, pluginVault, type PluginSecrets } from './plugin-store.js';
import { bind, newContainer, resolve, type DependencyContainer } from './container.js';

export interface BindingDeps {
  readonly settings: Settings;
  readonly savedSettings: SavedSettings;
  readonly log: Logger;
  readonly programs: ProgramSupervisor;
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly outbound: Outbound;
  /** For pages of the web, under rules of their own. */
  readonly webClient: Outbound;
  readonly trust: CertificateTrust;
  readonly userNames: UserNames;
  readonly teams: Teams;
  readonly savedPipelines: SavedPipelines;
  readonly connectionUses: ConnectionUses;
  readonly accessGrants: AccessGrants;
  readonly connectionTrials: ConnectionTrials;
  readonly sharedFiles: SharedFiles;
  readonly store: Pick<Store, 'records'>;
  readonly secret: PluginSecrets;
  /** Runs a plugin's own tasks in workers. */
  workerTasks(plugin: LoadedPlugin): WorkerTasks;
  readonly recognizeText: RecognizeText;
  readonly pipelineRuns: PipelineRuns;
}

/** Used when no plugin provides a server certificate. */
const noServerKeystore: ServerKeystore = {
  certificates: () => Promise.reject(new InputError('SERVER_CERTIFICATE_ABSENT')),
  sign: () => Promise.reject(new InputError('SERVER_CERTIFICATE_ABSENT')),
};

/** Used when no plugin provides a language model. */
const noLanguageModel: LanguageModel = {
  usable: () => false,
  limits: { pages: 0, characters: 0 },
  ask: () =>
    Promise.reject(
      new OperationalError('SERVICE_NOT_SET_UP', {
        service: 'The language model',
        detail: 'no plugin of this server offers it',
      }),
    ),
};

/** Used when no plugin provides embeddings. */
const noEmbeddings: TextEmbeddings = {
  model: undefined,
  embed: () =>
    Promise.reject(
      new OperationalError('SERVICE_NOT_SET_UP', {
        service: 'The embedding model',
        detail: 'no plugin of this server offers it',
      }),
    ),
};

/** Used when no plugin provides connections. */
const noConnections: SavedConnections = {
  open: async (_, id) => {
    const detail = `there is no connection ${id}: the plugin that keeps connections is not loaded`;
    throw new InputError('CONNECTION_UNUSABLE', { detail }, [{ pointer: '/connectionId', detail }]);
  },
};

/** Used when no plugin provides a document index. */
const noIndex = (): Promise<never> =>
  Promise.reject(
    new OperationalError('SERVICE_NOT_SET_UP', {
      service: 'The index of documents',
      detail: 'no plugin of this server offers it',
    }),
  );

/** One container for core, and a child container for each plugin with the plugin's own services. */
export class Containers {
  readonly #core: DependencyContainer;
  readonly #plugins = new Map<LoadedPlugin, DependencyContainer>();

  constructor(private readonly deps: BindingDeps) {
    this.#core = newContainer();
    bind(this.#core, tokens.logger, () => deps.log);
    bind(this.#core, tokens.clock, () => deps.clock);
    bind(this.#core, tokens.settings, () => deps.settings);
    bind(this.#core, tokens.savedSettings, () => deps.savedSettings);
    bind(this.#core, tokens.paths, () => deps.settings.paths);
    const office = new OfficePool(deps.programs, deps.settings, deps.log);
    bind(this.#core, tokens.officeToPdf, () => new LibreOfficeToPdf(deps.programs, office));
    bind(this.#core, tokens.officeExport, () => new LibreOfficeExport(deps.programs, office));
    bind(this.#core, tokens.pdfToPdfA, () => new GhostscriptPdfToPdfA(deps.programs));
    bind(this.#core, tokens.pdfToPdfX, () => new GhostscriptPdfToPdfX(deps.programs));
    bind(this.#core, tokens.pageLanguages, () => new GhostscriptPageLanguages(deps.programs));
    bind(this.#core, tokens.convertEbook, () => new CalibreConvertEbook(deps.programs));
    bind(this.#core, tokens.convertColours, () => new GhostscriptConvertColours(deps.programs));
    bind(
      this.#core,
      tokens.standardsValidator,
      () => new VeraPdfValidator(deps.programs, new WaitingVeraPdf(deps.programs, deps.settings)),
    );
    const browser = new WarmBrowser({
      programs: deps.programs,
      settings: deps.settings,
      paths: deps.settings.paths,
      log: deps.log,
    });
    bind(this.#core, tokens.htmlToPdf, () => new ChromiumHtmlToPdf(browser));
    bind(this.#core, tokens.mailer, () => deps.mailer);
    bind(this.#core, tokens.outbound, () => deps.outbound);
    bind(this.#core, tokens.webFetch, () => new OutboundWebFetch(deps.webClient));
    bind(this.#core, tokens.userNames, () => deps.userNames);
    bind(this.#core, tokens.teams, () => deps.teams);
    bind(this.#core, tokens.savedPipelines, () => deps.savedPipelines);
    bind(this.#core, tokens.connectionUses, () => deps.connectionUses);
    bind(this.#core, tokens.accessGrants, () => deps.accessGrants);
    bind(this.#core, tokens.connectionTrials, () => deps.connectionTrials);
    bind(this.#core, tokens.sharedFiles, () => deps.sharedFiles);
    bind(this.#core, tokens.timeStampAuthority, () => new HttpTimeStampAuthority(deps.settings, deps.outbound));
    bind(this.#core, tokens.certificateTrust, () => deps.trust);
    bind(this.#core, tokens.recognizeText, () => deps.recognizeText);
    bind(this.#core, tokens.pipelineRuns, () => deps.pipelineRuns);
    bind(this.#core, tokens.rebuildPdf, () => new ProgramsRebuildPdf(deps.programs));
  }

  /**
   * Creates a container for every plugin and registers in all of them the services that a plugin provides. Services are
   * created on first use, with that plugin's context.
   */
  adopt(catalog: Catalog): void {
    const offers = catalog.plugins.flatMap((plugin) =>
      (plugin.plugin.offers ?? []).map((binding) => ({ plugin, ...binding })),
    );
    for (const { plugin, token, create } of offers) bind(this.#core, token, () => create(this.context(plugin)));
    const offered = (token: Token<unknown>): boolean => offers.some(({ token: { name } }) => name === token.name);
    if (!offered(tokens.serverKeystore)) bind(this.#core, tokens.serverKeystore, () => noServerKeystore);
    if (!offered(tokens.languageModel)) bind(this.#core, tokens.languageModel, () => noLanguageModel);
    if (!offered(tokens.textEmbeddings)) bind(this.#core, tokens.textEmbeddings, () => noEmbeddings);
    if (!offered(tokens.savedConnections)) bind(this.#core, tokens.savedConnections, () => noConnections);
    if (!offered(tokens.documentIndex))
      bind(this.#core, tokens.documentIndex, () => ({ replace: noIndex, search: noIndex, remove: noIndex }));
    for (const plugin of catalog.plugins) {
      const child = this.#core.createChildContainer();
      bind(child, tokens.workerTasks, () => this.deps.workerTasks(plugin));
      bind(child, tokens.pluginStore, () => pluginStoreOf(this.deps.store, plugin.name));
      bind(child, tokens.vault, () => pluginVault(this.deps.secret, plugin.name));
      for (const { token, create } of plugin.plugin.services ?? [])
        bind(child, token, () => create(this.context(plugin)));
      this.#plugins.set(plugin, child);
    }
  }

  use<T>(plugin: LoadedPlugin | undefined, token: Token<T>): T {
    return resolve((plugin === undefined ? undefined : this.#plugins.get(plugin)) ?? this.#core, token);
  }

  context(plugin: LoadedPlugin): PluginContext {
    return { options: plugin.options, log: this.deps.log, use: (token) => this.use(plugin, token) };
  }
}
