import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSignedBy, startReceiver, type Received, type Receiver } from '../../../../test/http/support/receiver.js';
import { codeOf } from '../../../../test/suites/code-of.js';
import { contextForTest, DeliveryForTest, describeDestination, validated } from '../../../../test/suites/connectors.js';
import { createOutbound } from '../../../network/outbound/index.js';
import { loadSettings } from '../../../settings/index.js';
import { callbackDestination } from './callback-destination.js';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** A receiver on loopback that the server may call. */
async function receiving(allowed = '127.0.0.1') {
  const base = await mkdtemp(join(tmpdir(), 'quire-callback-'));
  const calls: Received[] = [];
  let status = 200;
  const start = (port?: number): Promise<Receiver> =>
    startReceiver((response, call) => {
      calls.push(call);
      response.writeHead(status).end();
    }, port);
  let receiver = await start();
  const { port } = receiver;
  const settings = loadSettings({ env: { OUTBOUND_ALLOWED: allowed }, cwd: base });
  const outbound = createOutbound(settings);
  const path = join(base, 'result');
  await writeFile(path, 'content');
  return {
    settings,
    outbound,
    clock: { now: () => new Date() },
    options: { url: `${receiver.url}/files?token=hidden`, secret: SECRET },
    posts: () => calls.filter(({ method }) => method === 'POST'),
    file: { path, name: 'ä.pdf', size: 7, mediaType: 'application/pdf' },
    answerWith: (code: number) => void (status = code),
    breakDown: () => receiver.stop(),
    repair: async () => void (receiver = await start(port)),
    close: async () => {
      await outbound.close();
      await receiver.stop();
      await rm(base, { recursive: true });
    },
  };
}

describeDestination('callback', async () => {
  const made = await receiving();
  return {
    ...made,
    kind: callbackDestination(made),
    received: async () => {
      const calls = new Map(made.posts().map((call) => [call.headers['idempotency-key'], call]));
      return [...calls.values()].map(({ headers, bytes }) => ({
        name: decodeURIComponent(String(headers['x-filename'])),
        content: bytes,
      }));
    },
    blamed: 'url',
  };
});

describe('A callback of an automation', () => {
  let made: Awaited<ReturnType<typeof receiving>>;
  beforeEach(async () => {
    made = await receiving();
  });
  afterEach(() => made.close());

  const deliver = async (delivery: DeliveryForTest): Promise<string> => {
    const kind = callbackDestination(made);
    const open = await kind.open(validated(kind, made.options), contextForTest());
    return (await open.deliver(made.file, delivery.attempt())).place;
  };

  it('is signed, has the same ids in every attempt, and its place shows no secret', async () => {
    const delivery = new DeliveryForTest('one');
    made.answerWith(503);
    expect(await codeOf(deliver(delivery))).to.equal('DESTINATION_UNREACHABLE');
    made.answerWith(204);
    expect(await deliver(delivery)).to.equal(made.options.url.split('/files')[0]);
    const posts = made.posts();
    expect(posts.map(({ headers }) => [headers['idempotency-key'], headers['webhook-id']])).to.deep.equal([
      ['one', 'one'],
      ['one', 'one'],
    ]);
    expect(posts.every((call) => isSignedBy(call, SECRET))).to.equal(true);
    expect(posts[0]?.headers['content-type']).to.equal('application/pdf');
  });

  it('that is refused for good is not repeated', async () => {
    for (const status of [400, 404, 410, 302]) {
      made.answerWith(status);
      expect(await codeOf(deliver(new DeliveryForTest(String(status)))), String(status)).to.equal(
        'DESTINATION_INVALID',
      );
    }
  });

  it('goes to no address of this computer or its networks, and no key but a good one is accepted', async () => {
    const kind = callbackDestination(made);
    for (const url of ['http://127.0.0.2:1/', 'http://localhost/', 'http://169.254.169.254/', 'file:///etc/passwd'])
      expect(await codeOf(kind.check(validated(kind, { url }), contextForTest())), url).to.equal('DESTINATION_INVALID');
    expect(await codeOf(kind.check(validated(kind, { ...made.options, secret: 'short' }), contextForTest()))).to.equal(
      'DESTINATION_INVALID',
    );
  });
});
