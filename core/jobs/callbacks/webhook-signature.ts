import { createHmac, type Hmac } from 'node:crypto';

const PREFIX = 'whsec_';
/** Standard Webhooks: symmetric keys have 24 to 64 bytes. */
const BYTES = { least: 24, most: 64 } as const;

/** Returns the bytes of a symmetric key in the form `whsec_…`; undefined for anything else. */
export function webhookKey(text: string): Buffer | undefined {
  const encoded = text.trim();
  if (!encoded.startsWith(PREFIX) || !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded.slice(PREFIX.length))) return undefined;
  const key = Buffer.from(encoded.slice(PREFIX.length), 'base64');
  return key.length >= BYTES.least && key.length <= BYTES.most ? key : undefined;
}

/**
 * Returns the headers of one delivery (Standard Webhooks 1.0): id, time in seconds and, if there is a key, the
 * HMAC-SHA256 of `id.time.body`.
 */
export function webhookHeaders(
  id: string,
  seconds: number,
  body: string,
  key: Buffer | undefined,
): Record<string, string> {
  return {
    ...unsignedHeaders(id, seconds),
    ...signed(key && signatureOf(webhookHmac(id, String(seconds), key).update(body, 'utf8'))),
  };
}

/** As `webhookHeaders`, for a body that is read piece by piece; without a key it is not opened. */
export async function streamedWebhookHeaders(
  id: string,
  seconds: number,
  body: () => AsyncIterable<Uint8Array>,
  key: Buffer | undefined,
): Promise<Record<string, string>> {
  if (key === undefined) return unsignedHeaders(id, seconds);
  const hmac = webhookHmac(id, String(seconds), key);
  for await (const chunk of body()) hmac.update(chunk);
  return { ...unsignedHeaders(id, seconds), ...signed(signatureOf(hmac)) };
}

/** Begins the HMAC-SHA256 of `id.time.body`; the body is still to be added. */
export function webhookHmac(id: string, time: string, key: Buffer): Hmac {
  return createHmac('sha256', key).update(`${id}.${time}.`, 'utf8');
}

function signatureOf(hmac: Hmac): string {
  return `v1,${hmac.digest('base64')}`;
}

function signed(signature: string | undefined): Record<string, string> {
  return signature === undefined ? {} : { 'webhook-signature': signature };
}

function unsignedHeaders(id: string, seconds: number): Record<string, string> {
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds) };
}
