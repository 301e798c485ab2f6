import { createReadStream } from 'node:fs';
import Joi from 'joi';
import { isQuireError } from '@quire/registry';
import { streamedWebhookHeaders, webhookKey } from '../../../jobs/callbacks/index.js';
import type { ConnectorDeps } from '../deps.js';
import { invalid, proving, reaching, unreachable } from '../faults.js';
import type {
  ConnectorContext,
  ConnectorOptions,
  DeliveredFile,
  Delivery,
  DestinationKind,
  OpenDestination,
} from '../model.js';
import { idOf, readNote } from '../note.js';
import { readOptions } from '../read-options.js';

interface CallbackOptions {
  readonly url: string;
  readonly secret?: string;
  readonly timeoutSeconds: number;
}

/** Remembered when the receiver has accepted the file. */
interface Note {
  readonly accepted: true;
}

const note = Joi.object<Note>({ accepted: Joi.boolean().valid(true).required() });

const options = Joi.object<CallbackOptions>({
  url: Joi.string()
    .max(2000)
    .required()
    .description('http or https address that each file is posted to')
    .meta({ shown: { label: 'Address', help: '' } }),
  secret: Joi.string()
    .max(200)
    .description('Key of the signature: whsec_ and 24 to 64 bytes in base64. By default jobs.callbacks.secret'),
  timeoutSeconds: Joi.number()
    .integer()
    .min(1)
    .max(1800)
    .default(300)
    .description('Longest time of one attempt, in seconds')
    .meta({ shown: { label: 'Longest time of an attempt', help: '', unit: 's', advanced: true } }),
});

/** Statuses that say that another attempt may succeed; besides these, all from 500 on. */
const AGAIN: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** Posts each result to an address, signed as the callbacks of jobs are (Standard Webhooks). */
export function callbackDestination(deps: Pick<ConnectorDeps, 'settings' | 'outbound' | 'clock'>): DestinationKind {
  const read = (given: ConnectorOptions): CallbackOptions => readOptions('DESTINATION', options, given);
  return {
    type: 'callback',
    title: 'Web address',
    help: 'Posts each result to an address.',
    icon: 'send',
    options,
    secrets: ['secret'],
    async check(given, { signal }) {
      const { url, secret } = read(given);
      if (secret !== undefined && webhookKey(secret) === undefined)
        throw invalid('DESTINATION', 'secret', 'must be whsec_ followed by 24 to 64 bytes in base64');
      await proving('DESTINATION', 'url', async () => {
        deps.outbound.check(url, 'url', 'public');
        // Any answer proves that somebody is there; what it says to HEAD means nothing for POST.
        await deps.outbound.call({ url, field: 'url', method: 'HEAD', wants: 'head', reach: 'public' }, signal);
      });
    },
    open: async (given, context) => new CallbackDestination(deps, read(given), context),
  };
}

/** The receiver recognises a repeated delivery by `Idempotency-Key` and `webhook-id`, which never change. */
class CallbackDestination implements OpenDestination {
  constructor(
    private readonly deps: Pick<ConnectorDeps, 'settings' | 'outbound' | 'clock'>,
    private readonly options: CallbackOptions,
    private readonly context: ConnectorContext,
  ) {}

  async deliver(file: DeliveredFile, delivery: Delivery): Promise<{ readonly place: string }> {
    const { url, timeoutSeconds } = this.options;
    const { outbound } = this.deps;
    // The address may have a secret in its path or query.
    const place = new URL(url).origin;
    if (readNote(delivery, note) !== undefined) return { place };
    const headers = await this.#headers(file, delivery);
    const { status } = await this.#call(() =>
      outbound.call(
        {
          url,
          field: 'url',
          method: 'POST',
          bodyFile: file.path,
          wants: 'head',
          headers,
          reach: 'public',
          limits: { timeoutMs: timeoutSeconds * 1000, redirects: 0 },
        },
        this.context.signal,
      ),
    );
    if (status < 200 || status >= 300) throw refused(status, place);
    await delivery.remember(JSON.stringify({ accepted: true }));
    return { place };
  }

  async close(): Promise<void> {}

  async #headers(file: DeliveredFile, delivery: Delivery): Promise<Record<string, string>> {
    const { settings, clock } = this.deps;
    const id = /^[\x21-\x7e]{1,255}$/.test(delivery.id) ? delivery.id : idOf(delivery);
    const signed = await streamedWebhookHeaders(
      id,
      Math.floor(clock.now().getTime() / 1000),
      () => createReadStream(file.path, { highWaterMark: 256 * 1024 }),
      webhookKey(this.options.secret ?? settings.get('jobs.callbacks.secret')),
    );
    return {
      ...signed,
      'content-type': file.mediaType,
      'idempotency-key': id,
      'x-filename': encodeURIComponent(file.name),
    };
  }

  async #call<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await reaching('DESTINATION', work);
    } catch (error) {
      if (isQuireError(error) && error.code === 'ADDRESS_REFUSED')
        throw invalid('DESTINATION', 'url', `cannot be called: ${error.message.replace(/\.$/, '')}`, error);
      throw error;
    }
  }
}

function refused(status: number, place: string): Error {
  if (status >= 500 || AGAIN.has(status)) return unreachable('DESTINATION', `${place} answered ${status}`);
  const redirect = status >= 300 && status < 400 ? '; redirects are not followed' : '';
  return invalid('DESTINATION', 'url', `was called, and ${place} answered ${status}${redirect}`);
}
