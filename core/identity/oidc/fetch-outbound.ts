import type { Outbound } from '@quire/registry';
import type { CustomFetch } from 'openid-client';

const TIMEOUT_MS = 8000;
const LARGEST_ANSWER = 1024 * 1024;

/**
 * Calls a provider with the server's outbound client. Its addresses are the operator's, or come from the issuer, whom
 * the operator trusts to name users. Redirects are not followed.
 */
export function fetchOutbound(outbound: Pick<Outbound, 'call'>, setting: string): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const answer = await outbound.call(
      {
        url,
        field: setting,
        ofOperator: true,
        method: method === 'POST' ? 'POST' : 'GET',
        headers,
        ...(body === undefined || body === null ? {} : { body: await bodyOf(body) }),
        limits: { timeoutMs: TIMEOUT_MS, maxBytes: LARGEST_ANSWER },
      },
      signal,
    );
    const empty = answer.status === 204 || answer.status === 304;
    return new Response(empty ? null : Buffer.from(answer.body), { status: answer.status, headers: answer.headers });
  };
}

async function bodyOf(body: ConstructorParameters<typeof Response>[0]): Promise<Uint8Array> {
  return new Uint8Array(await new Response(body).arrayBuffer());
}
