import { verifyWebhook, WebhookError } from '@quire/client';
import { expect } from 'chai';
import { webhookHeaders, webhookKey } from '../../../core/jobs/callbacks/webhook-signature.js';
import { failure } from './failure.js';

describe('verifyWebhook', () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const body = JSON.stringify({ type: 'job.succeeded', data: { jobId: 'ä1' } });
  const seconds = 1_800_000_000;
  const now = new Date(seconds * 1000 + 60_000);
  const headers = webhookHeaders('msg_1', seconds, body, webhookKey(secret));

  it('returns the body of a call-back that the server signed', async () => {
    for (const source of [headers, new Headers(headers)])
      expect((await verifyWebhook(body, source, secret, { now })).data.jobId).to.equal('ä1');
    expect((await verifyWebhook(new TextEncoder().encode(body), headers, secret, { now })).type).to.equal(
      'job.succeeded',
    );
  });

  it('accepts one of several signatures, as while a key is replaced', async () => {
    const several = { ...headers, 'webhook-signature': `v1,AAAA v2,x ${headers['webhook-signature']}` };
    expect((await verifyWebhook(body, several, secret, { now })).type).to.equal('job.succeeded');
  });

  it('refuses another body, another key, an old or missing time, and a secret in another form', async () => {
    const refused: [string, Record<string, string>, string, Date][] = [
      [`${body} `, headers, secret, now],
      [body, headers, `whsec_${Buffer.alloc(32, 8).toString('base64')}`, now],
      [body, headers, secret, new Date(seconds * 1000 + 301_000)],
      [body, { ...headers, 'webhook-timestamp': 'soon' }, secret, now],
      [body, { ...headers, 'webhook-signature': 'v1,%%%' }, secret, now],
      [body, {}, secret, now],
      [body, headers, 'secret', now],
    ];
    for (const [text, sent, key, at] of refused)
      expect((await failure(() => verifyWebhook(text, sent, key, { now: at }), WebhookError)).code).to.equal(
        'WEBHOOK_INVALID',
      );
  });
});
