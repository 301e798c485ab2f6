import { WebhookError } from './errors.js';
import type { JobStatus } from './jobs.js';

/** The body of a call-back of a job. */
export interface JobEvent {
  readonly type: 'job.succeeded' | 'job.failed' | 'job.cancelled';
  readonly timestamp: string;
  readonly data: JobStatus & { readonly resultUrl: string | null };
}

type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Standard Webhooks: a signature is valid for five minutes. */
const TOLERANCE_SECONDS = 300;

/**
 * Checks the signature and the time of a call-back (Standard Webhooks 1.0) and returns its body. `body` must be the
 * bytes or the text that arrived, not an object parsed from it. `secret` is `whsec_…`, as `callbackSecret` or
 * `jobs.callbacks.secret`.
 *
 * @throws WebhookError if anything is missing, wrong or too old
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: HeaderSource,
  secret: string,
  { toleranceSeconds = TOLERANCE_SECONDS, now = new Date() }: { toleranceSeconds?: number; now?: Date } = {},
): Promise<JobEvent> {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const [id, time, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (id === undefined || time === undefined || signatures === undefined)
    throw invalid('The call has no webhook-id, webhook-timestamp or webhook-signature header.');
  if (!(Math.abs(now.getTime() / 1000 - Number(time)) <= toleranceSeconds))
    throw invalid(`The webhook is from ${time} (seconds since 1970), which is too far from now.`);
  const key = await keyOf(secret);
  const signed = new TextEncoder().encode(`${id}.${time}.${text}`);
  for (const signature of signatures.split(' ')) {
    const [version, value = ''] = signature.split(',');
    // The comparison of `verify` takes the same time for every signature.
    if (version === 'v1' && (await crypto.subtle.verify('HMAC', key, bytesOf(value) ?? new Uint8Array(), signed)))
      return JSON.parse(text) as JobEvent;
  }
  throw invalid('The signature does not match: the secret is another one, or the body was changed.');
}

function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = secret.startsWith('whsec_') ? bytesOf(secret.slice('whsec_'.length)) : undefined;
  if (bytes === undefined || bytes.length === 0)
    throw invalid('The secret must be whsec_ followed by 24 to 64 bytes in base64.');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function headerOf(headers: HeaderSource, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.[0];
}

function invalid(message: string): WebhookError {
  return new WebhookError('WEBHOOK_INVALID', message);
}
