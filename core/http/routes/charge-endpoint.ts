import type { Endpoint, EndpointAnswer, Principal } from '@quire/registry';
import { endCharge } from '../../operations/runner/index.js';
import { rateLimitFields } from '../../billing/index.js';
import type { HttpDeps } from '../deps.js';

/**
 * Does the work of an endpoint and charges what it declares (`access.cost`). As with operations, a failure is refunded
 * unless the caller disconnected. For a streamed answer, the outcome of the stream decides. Rejects with 402 before any
 * work is done if the allowance is used up.
 */
export async function chargeEndpoint(
  { allowance }: Pick<HttpDeps, 'allowance'>,
  endpoint: Endpoint,
  principal: Principal,
  work: () => Promise<EndpointAnswer>,
): Promise<EndpointAnswer> {
  const cost = endpoint.access?.cost ?? 0;
  if (cost === 0) return work();
  const charge = await allowance.charge(
    principal,
    [{ operation: endpoint.path.replace(/^\/(?:api\/v1\/)?/, ''), cost }],
    'route',
  );
  const failed = (error: unknown): Promise<void> => endCharge(charge, error);
  try {
    const answer = await work();
    if (answer.stream?.work === undefined) await charge.settle();
    else void answer.stream.work.then(() => charge.settle(), failed);
    return { ...answer, headers: { ...answer.headers, ...rateLimitFields(charge.left, new Date()) } };
  } catch (error) {
    await failed(error);
    throw error;
  }
}
