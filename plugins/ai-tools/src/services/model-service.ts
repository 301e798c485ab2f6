import {
  isQuireError,
  OperationalError,
  type Outbound,
  type OutboundCall,
  type SettingsReader,
  token,
} from '@quire/registry';
import { engineOf, modelTarget, notSetUp, positive, REMOTE, userHeader, usesEngine } from './model-target.js';

/** Functions of the service behind the model beside answering questions. */
export interface ModelService {
  /**
   * Asks how the service is; rejects with SERVICE_NOT_SET_UP (off, unreachable, not JSON), REMOTE_TIMEOUT or CANCELLED.
   */
  health(user: string, signal: AbortSignal): Promise<unknown>;
  /** True when a separate engine is set up, which has addresses of its own. */
  readonly engine: boolean;
  /**
   * Posts JSON to an address of the separate engine. An answer of 4xx is passed on with its status, unless it is about
   * this server's own access. Rejects with SERVICE_NOT_SET_UP (unreachable), REMOTE_ANSWER (5xx, no JSON object),
   * REMOTE_TIMEOUT or CANCELLED.
   */
  post(
    path: string,
    body: object,
    user: string,
    signal: AbortSignal,
  ): Promise<{ readonly status: number; readonly json: object }>;
  /**
   * Sends the separate engine its settings: the current ones, or those that were saved since. Does nothing without an
   * engine, while the tools are off, or if `aiEngine.pushConfigToEngine` is false. Rejects like `post`.
   */
  pushSettings(signal: AbortSignal, saved?: SettingsReader): Promise<void>;
}

/** Token of the service behind the language model. */
export const modelService = token<ModelService>('ai-tools.modelService');

const LONGEST_HEALTH_SECONDS = 10;
const LARGEST_HEALTH = 1024 * 1024;
const LARGEST_PLAN = 8 * 1024 * 1024;
const NO_LIMIT = 2 ** 31 - 1;

/**
 * Calls the address of the model or the separate engine of the settings (`docs/interface/ai.yml`). Both are the
 * operator's own, so private addresses are allowed for them.
 */
export class HttpModelService implements ModelService {
  constructor(
    private readonly settings: SettingsReader,
    private readonly outbound: Outbound,
  ) {}

  get engine(): boolean {
    return usesEngine(this.settings);
  }

  async health(user: string, signal: AbortSignal): Promise<unknown> {
    if (!this.settings.get<boolean>('aiEngine.enabled')) throw notSetUp('aiEngine.enabled is false');
    const seconds = Math.min(
      positive(this.settings, 'aiEngine.timeoutSeconds') ?? LONGEST_HEALTH_SECONDS,
      LONGEST_HEALTH_SECONDS,
    );
    const limits = { timeoutMs: seconds * 1000, maxBytes: LARGEST_HEALTH };
    if (this.engine) {
      const { base, headers } = engineOf(this.settings);
      return this.#health(
        {
          url: `${base}/health`,
          field: 'aiEngine.url',
          headers: { accept: 'application/json', ...headers, ...userHeader(user) },
          limits,
        },
        signal,
      );
    }
    const { base, field, key } = modelTarget(this.settings);
    const answer = await this.#health(
      {
        url: `${base}/models`,
        field,
        headers: { accept: 'application/json', ...(key === '' ? {} : { authorization: `Bearer ${key}` }) },
        limits,
      },
      signal,
    );
    const models = (answer as { data?: unknown } | null)?.data;
    return {
      status: 'UP',
      models: Array.isArray(models) ? models.map((model) => String((model as { id?: unknown } | null)?.id)) : [],
    };
  }

  async post(
    path: string,
    body: object,
    user: string,
    signal: AbortSignal,
  ): Promise<{ readonly status: number; readonly json: object }> {
    const { base, headers } = engineOf(this.settings);
    const seconds = positive(this.settings, 'aiEngine.longRunningTimeoutSeconds');
    const { status, text } = await this.#call(
      {
        url: `${base}${path}`,
        field: 'aiEngine.url',
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/json', ...headers, ...userHeader(user) },
        body: JSON.stringify(body),
        limits: {
          timeoutMs: seconds === undefined ? NO_LIMIT : Math.min(seconds * 1000, NO_LIMIT),
          maxBytes: LARGEST_PLAN,
        },
      },
      signal,
    );
    // A 401 or 403 is about what this server sent, not about what its caller did.
    if (status === 401 || status === 403)
      throw notSetUp(`the engine does not take AI_ENGINE_SHARED_SECRET (status ${status})`);
    if (status < 200 || status >= 500 || (status >= 300 && status < 400))
      throw new OperationalError('REMOTE_ANSWER', { remote: REMOTE, detail: `with status ${status}` });
    const json = parsed(text);
    if (typeof json !== 'object' || json === null || Array.isArray(json))
      throw new OperationalError('REMOTE_ANSWER', {
        remote: REMOTE,
        detail: 'with something that is not a JSON object',
      });
    return { status, json };
  }

  async pushSettings(signal: AbortSignal, saved: SettingsReader = this.settings): Promise<void> {
    // Where the engine is, and whether it is asked, changes with the next start; what it is to work with, now.
    if (
      !this.settings.get<boolean>('aiEngine.enabled') ||
      !this.engine ||
      !saved.get<boolean>('aiEngine.enabled') ||
      !saved.get<boolean>('aiEngine.pushConfigToEngine')
    )
      return;
    const part = (section: string, names: readonly string[]): object =>
      Object.fromEntries(names.map((name) => [name, saved.get(`aiEngine.${section}.${name}`)]));
    await this.post(
      '/api/v1/config',
      {
        models: part('models', [
          'provider',
          'smartModel',
          'fastModel',
          'smartMaxTokens',
          'fastMaxTokens',
          'apiKey',
          'baseUrl',
        ]),
        rag: part('rag', [
          'embeddingProvider',
          'embeddingModel',
          'embeddingApiKey',
          'embeddingBaseUrl',
          'topK',
          'maxSearches',
        ]),
        limits: part('limits', ['maxPages', 'maxCharacters', 'modelMaxConcurrency']),
      },
      '',
      signal,
    );
  }

  async #health(call: OutboundCall, signal: AbortSignal): Promise<unknown> {
    const { status, text } = await this.#call(call, signal).catch((error: unknown) => {
      throw isQuireError(error) && error.code === 'REMOTE_ANSWER'
        ? notSetUp(`it answered ${String(error.data['detail'])}`, error)
        : error;
    });
    if (status < 200 || status >= 300) throw notSetUp(`it answered ${status}`);
    const json = parsed(text);
    if (json === undefined) throw notSetUp('it answered no JSON');
    return json;
  }

  async #call(call: OutboundCall, signal: AbortSignal): Promise<{ readonly status: number; readonly text: string }> {
    try {
      const { status, body } = await this.outbound.call({ ...call, remote: REMOTE, ofOperator: true }, signal);
      return { status, text: new TextDecoder().decode(body) };
    } catch (error) {
      if (isQuireError(error) && error.code === 'REMOTE_UNREACHABLE') throw notSetUp('it does not answer', error);
      if (isQuireError(error) && error.code === 'ADDRESS_REFUSED')
        throw notSetUp(`its address cannot be called (${String(error.data['detail'])})`, error);
      throw error;
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
