import { OperationalError, type SettingsReader } from '@quire/registry';

/** Where the model is and how it is called, as the settings say. */
export interface ModelTarget {
  /** Base address of the protocol, without a slash at its end (`https://host/v1`). */
  readonly base: string;
  /** The setting that the address comes from. */
  readonly field: string;
  /** Sent as a bearer token; empty where none is set. */
  readonly key: string;
  /** True for the separate engine, which is sent the user's id. */
  readonly engine: boolean;
  /** Headers of a separate engine (`docs/interface/ai.yml`). */
  readonly headers: Readonly<Record<string, string>>;
  /** Name of the field that bounds the answer's length. */
  readonly lengthField: 'max_tokens' | 'max_completion_tokens';
}

/** A tier's model and bounds. Seconds and tokens are undefined where the settings set none. */
export interface ModelTier {
  readonly model: string;
  readonly tokens: number | undefined;
  readonly seconds: number | undefined;
}

/** Name of the model service in errors. */
export const REMOTE = 'The language model';

/** Base addresses of the suppliers that have one of their own; all of them speak the same protocol. */
const SUPPLIERS: Readonly<Record<string, string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  ollama: 'http://localhost:11434/v1',
};

/** The error of a service that cannot be used as it is set up. */
export function notSetUp(detail: string, cause?: unknown, service = REMOTE): OperationalError {
  return new OperationalError('SERVICE_NOT_SET_UP', { service, detail }, { cause });
}

/**
 * True when a separate engine at `aiEngine.url` is used: no model address is set, and the supplier has none of its own.
 */
export function usesEngine(settings: SettingsReader): boolean {
  return (
    settings.get<string>('aiEngine.models.baseUrl').trim() === '' &&
    SUPPLIERS[settings.get<string>('aiEngine.models.provider')] === undefined
  );
}

/** Address and headers of the separate engine. */
export function engineOf(settings: SettingsReader): {
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
} {
  const secret = settings.get<string>('aiEngine.sharedSecret');
  return {
    base: withoutSlash(settings.get<string>('aiEngine.url')),
    headers: secret === '' ? {} : { 'x-engine-auth': secret },
  };
}

/** Who calls, in what a header of a separate engine may hold; nothing while login is off. */
export function userHeader(user: string): Readonly<Record<string, string>> {
  return user === '' ? {} : { 'x-user-id': encodeURIComponent(user) };
}

/** Where questions go: the address of the model, that of its supplier, or `/v1` of the separate engine. */
export function modelTarget(settings: SettingsReader): ModelTarget {
  const provider = settings.get<string>('aiEngine.models.provider');
  const key = settings.get<string>('aiEngine.models.apiKey');
  const lengthField = provider === 'openai' ? 'max_completion_tokens' : 'max_tokens';
  if (usesEngine(settings)) {
    const { base, headers } = engineOf(settings);
    return { base: `${base}/v1`, field: 'aiEngine.url', key, engine: true, headers, lengthField };
  }
  const own = settings.get<string>('aiEngine.models.baseUrl').trim();
  return {
    base: withoutSlash(own === '' ? (SUPPLIERS[provider] ?? '') : own),
    field: 'aiEngine.models.baseUrl',
    key,
    engine: false,
    headers: {},
    lengthField,
  };
}

/** Base addresses of the suppliers of embeddings. */
const EMBEDDERS: Readonly<Record<string, string>> = {
  openai: SUPPLIERS['openai']!,
  ollama: SUPPLIERS['ollama']!,
  voyageai: 'https://api.voyageai.com/v1',
};

/**
 * Where texts become vectors (`aiEngine.rag.embedding…`): the address set for it, that of its supplier, or where
 * questions go. Undefined where no model is set.
 */
export function embeddingTarget(
  settings: SettingsReader,
): (Pick<ModelTarget, 'base' | 'field' | 'key' | 'engine' | 'headers'> & { readonly model: string }) | undefined {
  const model = settings.get<string>('aiEngine.rag.embeddingModel').trim();
  if (model === '') return undefined;
  const key = settings.get<string>('aiEngine.rag.embeddingApiKey');
  const own =
    settings.get<string>('aiEngine.rag.embeddingBaseUrl').trim() ||
    (EMBEDDERS[settings.get<string>('aiEngine.rag.embeddingProvider')] ?? '');
  if (own !== '')
    return { model, base: withoutSlash(own), field: 'aiEngine.rag.embeddingBaseUrl', key, engine: false, headers: {} };
  const target = modelTarget(settings);
  return { ...target, model, key: key === '' ? target.key : key };
}

/** The model of a tier; that of the other tier where it has none. Throws SERVICE_NOT_SET_UP when neither has. */
export function modelTier(settings: SettingsReader, tier: 'smart' | 'fast'): ModelTier {
  const other = tier === 'smart' ? 'fast' : 'smart';
  const model =
    settings.get<string>(`aiEngine.models.${tier}Model`).trim() ||
    settings.get<string>(`aiEngine.models.${other}Model`).trim();
  if (model === '') throw notSetUp(`aiEngine.models.${tier}Model is not set`);
  return {
    model,
    tokens: positive(settings, `aiEngine.models.${tier}MaxTokens`),
    seconds: positive(settings, tier === 'smart' ? 'aiEngine.longRunningTimeoutSeconds' : 'aiEngine.timeoutSeconds'),
  };
}

/** A number of the settings; undefined for 0 and less, which set no limit. */
export function positive(settings: SettingsReader, path: string): number | undefined {
  const value = settings.get<number>(path);
  return value > 0 ? value : undefined;
}

function withoutSlash(address: string): string {
  return address.trim().replace(/\/+$/, '');
}
