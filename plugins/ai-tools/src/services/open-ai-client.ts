import type { Outbound } from '@quire/registry';
import type { OpenAI } from 'openai';
import type { ModelTarget } from './model-target.js';
import { outboundFetch } from './outbound-fetch.js';

/** Retries of a failed or throttled call by the library, which respects Retry-After. */
const RETRIES = 1;

/**
 * The library's client for an address; it goes out through the server's one way. `remote`: what the service is called
 * in errors.
 */
export async function openAiClient(
  target: Pick<ModelTarget, 'base' | 'field' | 'key' | 'headers'>,
  outbound: Outbound,
  remote: string,
): Promise<OpenAI> {
  const { OpenAI: Client } = await import('openai');
  return new Client({
    // The library would look into the environment for whatever is left out here.
    baseURL: target.base,
    apiKey: target.key === '' ? 'none' : target.key,
    organization: null,
    project: null,
    webhookSecret: null,
    adminAPIKey: null,
    logLevel: 'off',
    maxRetries: RETRIES,
    timeout: 2 ** 31 - 1,
    defaultHeaders: { ...target.headers, ...(target.key === '' ? { Authorization: null } : {}) },
    fetch: outboundFetch(outbound, { field: target.field, remote }),
  });
}

/**
 * The work's outcome, or at once the signal's reason: between two tries the library waits without looking at its
 * signal.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let leave = (): void => undefined;
  const gone = new Promise<never>((_resolve, reject) => {
    leave = () => reject(signal.reason as Error);
    signal.addEventListener('abort', leave, { once: true });
  });
  return Promise.race([work, gone]).finally(() => signal.removeEventListener('abort', leave));
}
