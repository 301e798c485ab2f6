import { InputError, type Outbound, type OutboundCall } from '@quire/registry';

/** `fetch` as the client library calls it. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Largest answer of a model: some million tokens. */
const LARGEST_ANSWER = 8 * 1024 * 1024;
/** The longest time of timers; the caller's signal ends calls before. */
const NO_LIMIT = 2 ** 31 - 1;

/**
 * Returns a `fetch` that uses the server's outbound client. The address is a setting of the operator, so it may be in a
 * private network. Headers of the library about this machine (`x-stainless-…`) are removed. Rejects like `Outbound`.
 */
export function outboundFetch(outbound: Outbound, call: Pick<OutboundCall, 'field' | 'remote'>): Fetch {
  return async (input, init = {}) => {
    const headers = Object.fromEntries(
      [...new Headers(init.headers)].filter(([name]) => !name.startsWith('x-stainless-') && name !== 'user-agent'),
    );
    if (init.body !== undefined && init.body !== null && typeof init.body !== 'string')
      throw new InputError('INPUT_INVALID', { detail: 'only text is sent to a language model' });
    const answer = await outbound.call(
      {
        ...call,
        url: String(input),
        method: (init.method ?? 'GET').toUpperCase() as NonNullable<OutboundCall['method']>,
        headers,
        ofOperator: true,
        limits: { timeoutMs: NO_LIMIT, maxBytes: LARGEST_ANSWER },
        ...(typeof init.body === 'string' ? { body: init.body } : {}),
      },
      init.signal ?? undefined,
    );
    const empty = answer.status === 204 || answer.status === 205 || answer.status === 304;
    return new Response(empty ? null : Uint8Array.from(answer.body), {
      status: answer.status,
      headers: answer.headers,
    });
  };
}
