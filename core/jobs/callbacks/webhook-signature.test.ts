import { expect } from 'chai';
import { webhookHeaders, webhookKey } from './webhook-signature.js';

describe('Callback signatures', () => {
  // The example in the Standard Webhooks specification and its libraries.
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

  it('match the published example', () => {
    const headers = webhookHeaders(
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      1614265330,
      '{"test": 2432232314}',
      webhookKey(secret),
    );
    expect(headers).to.deep.equal({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
    expect(webhookHeaders('msg_1', 1, '{}', undefined)).to.have.all.keys('webhook-id', 'webhook-timestamp');
  });

  it('accept keys of 24 to 64 bytes and no other text', () => {
    for (const bytes of [24, 32, 64])
      expect(webhookKey(`whsec_${Buffer.alloc(bytes, 9).toString('base64')}`)).to.have.length(bytes);
    for (const text of [
      '',
      'whsec_',
      'whsec_####',
      `whsec_${Buffer.alloc(23).toString('base64')}`,
      `whsec_${Buffer.alloc(65).toString('base64')}`,
      Buffer.alloc(32).toString('base64'),
    ])
      expect(webhookKey(text), text).to.equal(undefined);
  });
});
