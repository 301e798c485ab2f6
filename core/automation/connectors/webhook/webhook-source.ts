import { randomBytes } from 'node:crypto';
import Joi from 'joi';
import { writeStream } from '../copied-file.js';
import type { ConnectorDeps } from '../deps.js';
import { proving, reaching } from '../faults.js';
import type { ConnectorOptions, FoundFile, OpenSource, SourceKind } from '../model.js';
import { readOptions } from '../read-options.js';
import type { WebhookSpool } from './webhook-spool.js';

/** Options of a webhook source. */
export interface WebhookOptions {
  readonly webhookId: string;
  readonly signingSecret: string;
  readonly signature: 'any' | 'standard';
}

/** The form of ids of webhooks. */
export const webhookIdPattern = /^[A-Za-z0-9_-]{16,128}$/;

const options = Joi.object<WebhookOptions>({
  webhookId: Joi.string()
    .pattern(webhookIdPattern, 'an id of a webhook')
    .description('Last part of the address; made by the server'),
  signingSecret: Joi.string()
    .min(32)
    .max(256)
    .description(
      'Key of the signatures; made by the server. Standard Webhooks libraries need whsec_ before and = after it',
    ),
  signature: Joi.string()
    .valid('any', 'standard')
    .default('any')
    .description('standard accepts Standard Webhooks signatures only, which cannot be replayed; any also X-Signature')
    .meta({
      shown: {
        label: 'Signatures',
        help: 'Only Standard Webhooks protect against replays.',
        options: { any: 'Standard Webhooks or X-Signature', standard: 'Standard Webhooks only' },
      },
    }),
});

/**
 * 43 letters and digits, which mean the same 32 bytes in base64 and base64url: libraries for webhooks read either one.
 */
function newSecret(): string {
  for (;;) {
    const secret = randomBytes(32).toString('base64url');
    if (/^[A-Za-z0-9]+$/.test(secret)) return secret;
  }
}

/** Reads the options of a webhook source as they are stored. */
export function readWebhook(given: ConnectorOptions): WebhookOptions {
  const stored = options.fork(['webhookId', 'signingSecret'], (schema) => schema.required());
  return readOptions('SOURCE', stored, given);
}

/** A kind of source with options that the server makes, whatever is sent. */
export interface WebhookKind extends SourceKind {
  make(): ConnectorOptions;
}

/** Files that others send to an address of this server. */
export function webhookSource({ spool }: Pick<ConnectorDeps, 'spool'>): WebhookKind {
  return {
    type: 'webhook',
    title: 'Webhook',
    help: 'Takes files that other programs send to an address of this server.',
    icon: 'webhook',
    options,
    secrets: ['signingSecret'],
    announces: true,
    make: () => ({ webhookId: randomBytes(18).toString('base64url'), signingSecret: newSecret() }),
    async check(given) {
      const { webhookId = '' } = given as Partial<WebhookOptions>;
      await proving('SOURCE', '', () => reaching('SOURCE', () => spool.waiting(webhookId)));
    },
    onArrival: (arrived) => spool.onArrival((webhookId) => arrived((given) => given['webhookId'] === webhookId)),
    open: async (given) => new WebhookSource(spool, readWebhook(given).webhookId),
  };
}

class WebhookSource implements OpenSource {
  constructor(
    private readonly spool: WebhookSpool,
    private readonly webhookId: string,
  ) {}

  async *list(): AsyncGenerator<FoundFile> {
    for (const { id, name, size, at } of await reaching('SOURCE', () => this.spool.waiting(this.webhookId)))
      yield { key: id, name, size, version: String(at), changedAt: at };
  }

  async fetch(found: FoundFile, path: string) {
    const { key } = found;
    const open = await reaching('SOURCE', () => this.spool.open(key));
    return open === undefined ? undefined : writeStream(open.stream, path);
  }

  async finish({ key }: FoundFile): Promise<void> {
    await reaching('SOURCE', () => this.spool.take(key));
  }

  async watch(arrived: () => void): Promise<{ stop(): Promise<void> }> {
    const end = this.spool.onArrival((webhookId) => {
      if (webhookId === this.webhookId) arrived();
    });
    return { stop: async () => end() };
  }

  async close(): Promise<void> {}
}
