import { createHmac } from 'node:crypto';

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
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    ...(key === undefined
      ? {}
      : {
          'webhook-signature': `v1,${createHmac('sha256', key)
            .update(`${id}.${seconds}.${body}`, 'utf8')
            .digest('base64')}`,
        }),
  };
}
