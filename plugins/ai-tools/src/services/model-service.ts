import { OperationalError, token, type SettingsReader } from '@quire/registry';

/** The language model that the tools of this plugin talk to. */
export interface ModelService {
  /** Asks how the service is; rejects with SERVICE_NOT_SET_UP (off, unreachable, not JSON) or TIMEOUT. */
  health(signal: AbortSignal): Promise<unknown>;
}

/** Token of the language model. */
export const modelService = token<ModelService>('ai-tools.modelService');

const LARGEST_ANSWER = 1024 * 1024;
const LONGEST_HEALTH_SECONDS = 10;

/**
 * Talks HTTP: to an OpenAI-compatible address when `aiEngine.models.baseUrl` is set, else to a separate engine at `aiEngine.url`
 * (`contract/ai.yml`). Both are the operator's own settings, so private addresses are allowed.
 */
export class HttpModelService implements ModelService {
  constructor(private readonly settings: SettingsReader) {}

  async health(signal: AbortSignal): Promise<unknown> {
    if (!this.settings.get<boolean>('aiEngine.enabled')) throw notSetUp('aiEngine.enabled is false');
    const base = this.settings.get<string>('aiEngine.models.baseUrl').replace(/\/+$/, '');
    if (base === '') return this.#getJson(`${this.settings.get<string>('aiEngine.url').replace(/\/+$/, '')}/health`, {}, signal);
    const key = this.settings.get<string>('aiEngine.models.apiKey');
    const answer = await this.#getJson(`${base}/models`, key === '' ? {} : { authorization: `Bearer ${key}` }, signal);
    const models = (answer as { data?: unknown } | null)?.data;
    return { status: 'UP', models: Array.isArray(models) ? models.map((model) => String((model as { id?: unknown } | null)?.id)) : [] };
  }

  async #getJson(address: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<unknown> {
    const seconds = Math.min(this.settings.get<number>('aiEngine.timeoutSeconds'), LONGEST_HEALTH_SECONDS);
    const limit = AbortSignal.timeout(seconds * 1000);
    try {
      const answer = await fetch(address, { headers: { accept: 'application/json', ...headers }, redirect: 'error', signal: AbortSignal.any([signal, limit]) });
      if (!answer.ok) {
        await answer.body?.cancel();
        throw notSetUp(`the model service answered ${answer.status}`);
      }
      return JSON.parse(await readBounded(answer)) as unknown;
    } catch (error) {
      if (error instanceof OperationalError) throw error;
      if (limit.aborted) throw new OperationalError('TIMEOUT', { seconds }, { cause: error });
      if (signal.aborted) throw signal.reason;
      throw notSetUp(error instanceof SyntaxError ? 'the model service answered no JSON' : 'the model service does not answer', error);
    }
  }
}

function notSetUp(detail: string, cause?: unknown): OperationalError {
  return new OperationalError('SERVICE_NOT_SET_UP', { service: 'The language model', detail }, { cause });
}

async function readBounded(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += (chunk as Uint8Array).length;
    // Leaving the loop cancels the body.
    if (size > LARGEST_ANSWER) throw notSetUp('the model service answered too much');
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks).toString('utf8');
}
