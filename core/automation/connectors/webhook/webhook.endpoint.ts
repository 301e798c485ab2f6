import { createReadStream } from 'node:fs';
import { AccessError, defineEndpoint, InputError, type Clock, type Endpoint } from '@quire/registry';
import type { Settings } from '../../../settings/index.js';
import type { ConnectorOptions } from '../model.js';
import { verifyDelivery } from './delivery-signature.js';
import { readWebhook, webhookIdPattern } from './webhook-source.js';
import type { WebhookSpool } from './webhook-spool.js';

export interface WebhookEndpointDeps {
  readonly spool: WebhookSpool;
  readonly settings: Settings;
  readonly clock: Clock;
  /** Returns the source of kind `webhook` with this id, its options decrypted. */
  source(webhookId: string): Promise<{ readonly options: ConnectorOptions; readonly enabled: boolean } | undefined>;
}

/** The address that accepts files for webhook sources (`docs/interface/automation.yml`). */
export function webhookEndpoint({ spool, settings, clock, source }: WebhookEndpointDeps): Endpoint {
  const find = async (webhookId: string) => {
    const found = webhookIdPattern.test(webhookId) ? await source(webhookId) : undefined;
    if (found === undefined) throw new InputError('NOT_FOUND');
    return found;
  };
  return defineEndpoint({
    id: 'deliverToWebhook',
    method: 'POST',
    path: 'webhooks/{webhookId}',
    since: '1.6.0',
    summary: 'Deliver a file to a webhook',
    notes:
      'The body is the file itself. It is signed with the secret of the webhook: by Standard Webhooks (`webhook-id`, ' +
      '`webhook-timestamp`, `webhook-signature`), or by `X-Signature: sha256=<hexadecimal HMAC-SHA256 of the body>`. ' +
      '`X-Filename` is its name, `document.pdf` by default. A delivery whose `webhook-id` is known is accepted ' +
      'without a second effect.',
    tag: 'automations',
    access: { role: 'public' },
    request: {
      payloadType: 'binary',
      params: (joi) => joi.object({ webhookId: joi.string().required().description('Id of the webhook') }),
    },
    returns: {
      description: 'The file is stored; it is processed by the automations of the source',
      status: 202,
      json: (joi) =>
        joi
          .object({
            accepted: joi.boolean().valid(true).required(),
            filename: joi.string().required().description('The name that the file has'),
            bytes: joi.number().integer().required().description('Size of the file'),
          })
          .label('WebhookDelivery'),
    },
    errors: [
      'NOT_FOUND',
      'WEBHOOK_LENGTH',
      'WEBHOOK_TOO_LARGE',
      'WEBHOOK_SIGNATURE',
      'WEBHOOK_PAUSED',
      'INPUT_FILE_EMPTY',
      'STORE_DOWN',
    ],
    async admit({ params, declaredBytes }) {
      await find(params['webhookId'] ?? '');
      if (declaredBytes === undefined) throw new InputError('WEBHOOK_LENGTH');
      const limit = settings.get('policies.webhookMaxBytes');
      if (declaredBytes > limit) throw new InputError('WEBHOOK_TOO_LARGE', { limit });
      return limit;
    },
    async handle({ params, headers, files }) {
      const webhookId = params['webhookId'] ?? '';
      const { options, enabled } = await find(webhookId);
      const { signingSecret: secret, signature } = readWebhook(options);
      const [body] = files['body'] ?? [];
      const path = body?.path() ?? '';
      const messageId = await verifyDelivery(headers, () => createReadStream(path), {
        secret,
        signature,
        now: clock.now(),
      });
      if (!enabled) throw new AccessError('WEBHOOK_PAUSED');
      const size = body?.size ?? 0;
      if (size === 0) throw new InputError('INPUT_FILE_EMPTY', { field: 'body' });
      const filename = fileName(headers['x-filename']);
      await spool.keep({ webhookId, messageId, name: filename, size, path });
      return { status: 202, json: { accepted: true, filename, bytes: size } };
    },
  });
}

/** The last part of a path, in characters that every file system accepts. */
function fileName(given = ''): string {
  const last = given.split(/[/\\]/).pop() ?? '';
  const name = last.replaceAll(/[^A-Za-z0-9._-]/g, '_').replace(/^\.+/, '');
  return name === '' ? 'document.pdf' : name.slice(-200);
}
