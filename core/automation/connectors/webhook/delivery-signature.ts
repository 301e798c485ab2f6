import { createHmac, timingSafeEqual, type Hmac } from 'node:crypto';
import { AccessError } from '@quire/registry';
import { webhookHmac, webhookKey } from '../../../jobs/callbacks/index.js';

/** Headers of a delivery, names in lower case. */
export type Headers = Readonly<Record<string, string | undefined>>;

/** What a delivery must be signed with. */
export interface SignatureRules {
  readonly secret: string;
  /** `standard`: only Standard Webhooks, which cannot be replayed; `any`: also `X-Signature`, which has no time. */
  readonly signature: 'any' | 'standard';
  readonly now: Date;
}

/** How far the clocks of sender and server may differ, s (Standard Webhooks). */
const TOLERANCE_SECONDS = 300;
const MESSAGE_ID = /^[\x21-\x7e]{1,255}$/;

/**
 * Verifies the signature of a delivery: `webhook-signature` (Standard Webhooks 1.0) or `X-Signature` (HMAC-SHA256 of
 * the body). The body is read piece by piece. Returns the id of the message, undefined with `X-Signature`. Rejects with
 * WEBHOOK_SIGNATURE.
 */
export async function verifyDelivery(
  headers: Headers,
  body: () => AsyncIterable<Uint8Array>,
  rules: SignatureRules,
): Promise<string | undefined> {
  const { 'webhook-id': id, 'webhook-signature': standard, 'x-signature': plain } = headers;
  if (standard !== undefined) {
    const hmac = begin(headers, rules);
    await addAll(hmac, body());
    const digest = hmac.digest();
    // Several while the sender changes its key: `v1,<base64> v1,<base64>`.
    const given = standard.split(' ').filter((each) => each.startsWith('v1,'));
    if (!given.some((each) => same(Buffer.from(each.slice(3), 'base64'), digest)))
      throw refused('webhook-signature does not fit body, webhook-id, webhook-timestamp and secret');
    return id;
  }
  if (rules.signature === 'standard')
    throw refused('this webhook needs the headers webhook-id, webhook-timestamp and webhook-signature');
  if (plain === undefined) throw refused('the header webhook-signature or X-Signature is missing');
  const hex = plain.trim().replace(/^sha256=/i, '');
  const hmac = createHmac('sha256', rules.secret);
  await addAll(hmac, body());
  if (!/^[0-9a-f]{64}$/i.test(hex) || !same(Buffer.from(hex, 'hex'), hmac.digest()))
    throw refused('X-Signature is not the HMAC-SHA256 of the body with the secret of this webhook');
  return undefined;
}

function begin({ 'webhook-id': id, 'webhook-timestamp': time }: Headers, { secret, now }: SignatureRules): Hmac {
  if (id === undefined || !MESSAGE_ID.test(id))
    throw refused('webhook-id is missing or is not 1 to 255 visible characters');
  if (time === undefined || !/^\d{1,12}$/.test(time)) throw refused('webhook-timestamp is not a time in seconds');
  const apart = Math.abs(now.getTime() / 1000 - Number(time));
  if (apart > TOLERANCE_SECONDS)
    throw refused(
      `webhook-timestamp is ${Math.round(apart)} seconds from the server's time; ${TOLERANCE_SECONDS} are allowed`,
    );
  return webhookHmac(id, time, webhookKey(secret) ?? Buffer.from(secret, 'base64url'));
}

async function addAll(hmac: Hmac, body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of body) hmac.update(chunk);
}

function same(given: Buffer, wanted: Buffer): boolean {
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function refused(detail: string): AccessError {
  return new AccessError('WEBHOOK_SIGNATURE', { detail });
}
