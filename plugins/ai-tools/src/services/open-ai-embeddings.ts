import {
  type ModelCaller,
  OperationalError,
  type Outbound,
  type SettingsReader,
  type TextEmbeddings,
} from '@quire/registry';
import { failureOf } from './model-failures.js';
import { embeddingTarget, notSetUp, positive, userHeader } from './model-target.js';
import { openAiClient, untilAborted } from './open-ai-client.js';
import { Places } from './places.js';

const SERVICE = {
  remote: 'The embedding model',
  key: 'aiEngine.rag.embeddingApiKey',
  section: 'aiEngine.rag',
} as const;
/** Limits of one call: texts, and their characters in total. */
const MOST_TEXTS = 64;
const MOST_CHARACTERS = 100_000;
/** Characters of a text that count: models take no more, or cut it themselves. */
const LONGEST = 8000;
/** Numbers of a vector. */
const MOST_NUMBERS = 8192;

/** Embeddings of any address that speaks OpenAI's protocol (`/embeddings`). Settings are read at each call. */
export class OpenAiEmbeddings implements TextEmbeddings {
  readonly #places: Places;

  constructor(private readonly parts: { readonly settings: SettingsReader; readonly outbound: Outbound }) {
    this.#places = new Places(() => positive(parts.settings, 'aiEngine.limits.modelMaxConcurrency'));
  }

  get model(): string | undefined {
    const { settings } = this.parts;
    return settings.get<boolean>('aiEngine.enabled') ? embeddingTarget(settings)?.model : undefined;
  }

  async embed(texts: readonly string[], signal?: AbortSignal, caller?: ModelCaller): Promise<readonly Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (const portion of portionsOf(texts)) vectors.push(...(await this.#call(portion, signal, caller)));
    if (new Set(vectors.map(({ length }) => length)).size > 1)
      throw new OperationalError('REMOTE_ANSWER', {
        remote: SERVICE.remote,
        detail: 'with vectors of different lengths',
      });
    return vectors;
  }

  async #call(
    texts: readonly string[],
    signal: AbortSignal | undefined,
    caller: ModelCaller | undefined,
  ): Promise<Float32Array[]> {
    const { settings, outbound } = this.parts;
    const target = embeddingTarget(settings);
    if (!settings.get<boolean>('aiEngine.enabled') || target === undefined)
      throw notSetUp('aiEngine.enabled is false, or aiEngine.rag.embeddingModel is not set', undefined, SERVICE.remote);
    const seconds = positive(settings, 'aiEngine.timeoutSeconds');
    const clock = seconds === undefined ? undefined : AbortSignal.timeout(Math.min(seconds * 1000, 2 ** 31 - 1));
    const ends = AbortSignal.any([signal, clock].filter((one) => one !== undefined));
    try {
      return await this.#places.with(ends, async () => {
        const client = await openAiClient(target, outbound, SERVICE.remote);
        const call = client.embeddings.create(
          { model: target.model, input: [...texts], encoding_format: 'float' },
          { signal: ends, headers: target.engine ? userHeader(caller?.id ?? '') : {} },
        );
        return vectorsOf(await untilAborted(call, ends), texts.length);
      });
    } catch (error) {
      if (signal?.aborted === true) throw new OperationalError('CANCELLED', {}, { cause: error });
      if (clock?.aborted === true)
        throw new OperationalError(
          'REMOTE_TIMEOUT',
          { remote: SERVICE.remote, seconds: seconds ?? 0 },
          { cause: error },
        );
      throw failureOf(error, SERVICE);
    }
  }
}

/** Texts in portions that a call each may hold, in order. An empty text would be refused. */
function portionsOf(texts: readonly string[]): string[][] {
  const portions: string[][] = [];
  let [portion, length]: [string[], number] = [[], 0];
  for (const whole of texts) {
    const text = whole.slice(0, LONGEST).trim() || '-';
    if (portion.length > 0 && (portion.length >= MOST_TEXTS || length + text.length > MOST_CHARACTERS)) {
      portions.push(portion);
      [portion, length] = [[], 0];
    }
    portion.push(text);
    length += text.length;
  }
  return portion.length === 0 ? portions : [...portions, portion];
}

/** Returns the vectors of an answer in the order of the texts. Throws REMOTE_ANSWER for an invalid answer. */
function vectorsOf(answer: unknown, count: number): Float32Array[] {
  const data = (answer as { readonly data?: unknown } | null)?.data;
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count });
  for (const [place, one] of (Array.isArray(data) ? data : []).entries()) {
    const { index = place, embedding } = (one ?? {}) as { readonly index?: unknown; readonly embedding?: unknown };
    if (
      typeof index === 'number' &&
      Array.isArray(embedding) &&
      embedding.length > 0 &&
      embedding.length <= MOST_NUMBERS &&
      embedding.every((number) => typeof number === 'number' && Number.isFinite(number)) &&
      index in vectors
    )
      vectors[index] = Float32Array.from(embedding as number[]);
  }
  return vectors.map((vector) => {
    if (vector === undefined)
      throw new OperationalError('REMOTE_ANSWER', {
        remote: SERVICE.remote,
        detail: 'without a vector for every text',
      });
    return vector;
  });
}
