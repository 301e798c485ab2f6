import type { ServerSecret } from '../secrets/index.js';

const TICKET_MS = 120_000;

/** Seals a value into a text for an address; it can be opened for two minutes. `context`: what else it is bound to. */
export function sealedTicket(
  secret: Pick<ServerSecret, 'seal'>,
  purpose: string,
  context: string,
  value: unknown,
  now: number,
): string {
  const sealed = secret.seal(purpose, context, { value, until: now + TICKET_MS });
  return Buffer.from(sealed, 'base64').toString('base64url');
}

/** Returns the value of a ticket; undefined for one that was not made here, or is too old. */
export function openTicket(
  secret: Pick<ServerSecret, 'open'>,
  purpose: string,
  context: string,
  ticket: string,
  now: number,
): unknown {
  try {
    const sealed = Buffer.from(ticket, 'base64url').toString('base64');
    const found = secret.open(purpose, context, sealed) as { readonly value: unknown; readonly until: number };
    return found.until > now ? found.value : undefined;
  } catch {
    return undefined;
  }
}

export const TICKET_SECONDS = TICKET_MS / 1000;
