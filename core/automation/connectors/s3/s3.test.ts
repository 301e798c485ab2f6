import { expect } from 'chai';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InputError, type SavedConnections } from '@quire/registry';
import { codeOf } from '../../../../test/suites/code-of.js';
import {
  contextForTest,
  DeliveryForTest,
  describeDestination,
  describeSource,
  listed,
  validated,
} from '../../../../test/suites/connectors.js';
import { gate } from '../../../../test/suites/job-harness.js';
import { S3Server } from '../../../../test/suites/s3-server.js';
import { createOutbound } from '../../../network/outbound/index.js';
import { loadSettings } from '../../../settings/index.js';
import type { Delivery } from '../model.js';
import { s3Destination } from './s3-destination.js';
import { s3Source } from './s3-source.js';

const PREFIX = '/bucket/in%20box/';

/** As the stand-in gets it from clients: percent-encoded but for letters, digits and `-._~`. */
const encoded = (name: string): string =>
  encodeURIComponent(name).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

/** Saved connections, by number; all of them are of type S3. */
function savedConnections(saved: ReadonlyMap<number, object>): SavedConnections {
  return {
    open: async (_, id) => {
      const config = saved.get(id);
      if (config === undefined) throw new InputError('CONNECTION_UNUSABLE', { detail: `there is no connection ${id}` });
      return { name: `connection ${id}`, config: { ...config } };
    },
  };
}

/** A bucket on loopback. */
async function bucket() {
  const base = await mkdtemp(join(tmpdir(), 'quire-bucket-'));
  await mkdir(join(base, 'data', 'tmp'), { recursive: true });
  const server = await S3Server.start();
  const settings = loadSettings({ env: { POLICIES_ALLOWPRIVATES3ENDPOINTS: 'true' }, cwd: base });
  const outbound = createOutbound(settings);
  const options = {
    bucket: 'bucket',
    region: server.region,
    endpoint: server.url,
    accessKeyId: server.accessKey,
    secretAccessKey: server.secretKey,
    prefix: '/in box/',
  };
  const put = async (name: string, body: Buffer): Promise<void> => {
    const etag = `"${createHash('md5').update(body).digest('hex')}"`;
    server.objects.set(PREFIX + encoded(name), { body, checksum: undefined, etag });
  };
  const names = (): string[] =>
    [...server.objects.keys()].map((path) => decodeURIComponent(path.slice(PREFIX.length))).sort();
  const { prefix, ...config } = options;
  const saved = new Map<number, object>([[7, config]]);
  return {
    base,
    server,
    settings,
    outbound,
    saved,
    connections: () => savedConnections(saved),
    byConnection: { connectionId: 7, prefix },
    options,
    put,
    names,
    close: async () => {
      await outbound.close();
      await server.stop();
      await rm(base, { recursive: true, force: true });
    },
  };
}

for (const byConnection of [false, true])
  describeSource(byConnection ? 's3 by a saved connection' : 's3', async () => {
    const made = await bucket();
    return {
      kind: s3Source(made),
      options: byConnection ? made.byConnection : made.options,
      put: made.put,
      change: made.put,
      names: async () => made.names(),
      breakDown: () => made.server.stop(),
      blamed: byConnection ? 'connectionId' : 'endpoint',
      close: made.close,
    };
  });

for (const conditions of ['known', 'unknown', 'refused', 'ignored'] as const)
  describeDestination(`s3 (conditions are ${conditions})`, async () => {
    const made = await bucket();
    made.server.conditions = conditions;
    return {
      kind: s3Destination(made),
      options: made.options,
      received: async () =>
        [...made.server.objects].map(([path, { body }]) => ({
          name: decodeURIComponent(path.slice(PREFIX.length)),
          content: body,
        })),
      breakDown: async () => {
        made.server.failWith = 503;
      },
      repair: async () => {
        made.server.failWith = undefined;
      },
      blamed: 'endpoint',
      close: made.close,
    };
  });

describe('A bucket of automations', () => {
  let made: Awaited<ReturnType<typeof bucket>>;
  beforeEach(async () => {
    made = await bucket();
  });
  afterEach(() => made.close());

  it('is listed page by page, with any characters in keys, without hidden objects and folders', async () => {
    const strange = ["a b+c&d='ü'(1)*.pdf", '100%.pdf', 'x.pdf'];
    for (const name of [...strange, '.hidden', 'folder/']) await made.put(name, Buffer.from(name));
    made.server.objects.set(`${PREFIX}.git/a.pdf`, { body: Buffer.from('x'), checksum: undefined });
    made.server.objects.set('/bucket/other.pdf', { body: Buffer.from('x'), checksum: undefined });
    const kind = s3Source(made);
    const source = await kind.open(validated(kind, made.options), contextForTest());
    const files = await listed(source);
    expect(files.map(({ name }) => name)).to.have.members(strange);
    for (const file of files) {
      const fetched = await source.fetch(file, join(made.base, encodeURIComponent(file.name)));
      expect(fetched?.size, file.name).to.equal(Buffer.byteLength(file.name));
      await source.finish(file);
    }
    expect(await listed(source)).to.deep.equal([]);
  });

  for (const conditions of ['unknown', 'refused', 'ignored'] as const)
    it(`is emptied by a source although conditions are ${conditions}`, async () => {
      made.server.conditions = conditions;
      await made.put('a.pdf', Buffer.from('x'));
      const kind = s3Source(made);
      const source = await kind.open(validated(kind, made.options), contextForTest());
      for (const file of await listed(source)) await source.finish(file);
      expect(made.names()).to.deep.equal([]);
    });

  it('is read, emptied and filled by the same connections', async () => {
    for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) await made.put(name, Buffer.from(name));
    const kind = s3Source(made);
    const source = await kind.open(validated(kind, made.options), contextForTest());
    const deliver = await delivering();
    for (const file of await listed(source)) {
      const path = join(made.base, file.name);
      await source.fetch(file, path);
      await deliver('result', new DeliveryForTest(file.name).attempt());
      await source.finish(file);
    }
    expect(made.server.requests.filter((request) => request.startsWith('HEAD'))).to.have.length.above(5);
    expect(made.names()).to.deep.equal(['a(1).pdf', 'a(2).pdf', 'a.pdf']);
    // A second one is opened when the end of an answer has not arrived yet.
    expect(made.server.connections).to.be.at.most(2);
  });

  it('has one object after a delivery whose answer was lost', async () => {
    const kind = s3Destination(made);
    const open = await kind.open(validated(kind, made.options), contextForTest());
    const path = join(made.base, 'result');
    await writeFile(path, 'content');
    const file = { path, name: 'a.pdf', size: 7, mediaType: 'application/pdf' };
    const delivery = new DeliveryForTest('lost');
    made.server.cutOffNext = true;
    expect(await codeOf(open.deliver(file, delivery.attempt()))).to.equal('DESTINATION_UNREACHABLE');
    expect(await open.deliver(file, delivery.attempt())).to.deep.equal({ place: 's3://bucket/in box/a.pdf' });
    expect(made.names()).to.deep.equal(['a.pdf']);
  });

  /** A server of its own that delivers into the bucket. */
  const delivering = async () => {
    const kind = s3Destination(made);
    const open = await kind.open(validated(kind, made.options), contextForTest());
    return async (content: string, delivery: Delivery): Promise<string> => {
      const path = join(made.base, randomUUID());
      await writeFile(path, content);
      const file = { path, name: 'a.pdf', size: content.length, mediaType: 'application/pdf' };
      return (await open.deliver(file, delivery)).place.slice('s3://bucket/in box/'.length);
    };
  };
  const contents = (): Record<string, string> =>
    Object.fromEntries(
      [...made.server.objects].map(([path, { body }]) => [decodeURIComponent(path.slice(PREFIX.length)), String(body)]),
    );

  it('keeps the objects of servers that know nothing of each other and store at the same moment', async () => {
    const [one, other] = [await delivering(), await delivering()];
    let waiting = 0;
    const both = gate();
    made.server.hold = async (method) => {
      if (method !== 'PUT') return;
      waiting += 1;
      if (waiting === 2) both.open();
      await both.opened;
    };
    const places = await Promise.all([
      one('of one', new DeliveryForTest('one').attempt()),
      other('of the other', new DeliveryForTest('other').attempt()),
    ]);
    expect(places).to.have.members(['a.pdf', 'a(1).pdf']);
    expect(contents()).to.deep.equal({ [places[0]]: 'of one', [places[1]]: 'of the other' });
    expect(made.server.replaced).to.deep.equal([]);
  });

  for (const conditions of ['known', 'unknown', 'refused', 'ignored'] as const)
    it(`keeps an object that has taken the chosen key since a crash (conditions are ${conditions})`, async () => {
      made.server.conditions = conditions;
      const [one, other] = [await delivering(), await delivering()];
      const delivery = new DeliveryForTest('one');
      await one('of one', delivery.attempt({ call: 1, stored: true })).catch(() => undefined);
      expect(delivery.note).to.contain('a.pdf');
      await other('of the other', new DeliveryForTest('other').attempt());
      expect(await one('of one', delivery.attempt())).to.equal('a(1).pdf');
      expect(contents()).to.deep.equal({ 'a.pdf': 'of the other', 'a(1).pdf': 'of one' });
      expect(made.server.replaced).to.deep.equal([]);
    });

  it('has one object of a delivery that a server repeats whose store was set back', async () => {
    const [one, restored] = [await delivering(), await delivering()];
    expect(await one('of one', new DeliveryForTest('the same').attempt())).to.equal('a.pdf');
    expect(await restored('of one', new DeliveryForTest('the same').attempt())).to.equal('a.pdf');
    expect(made.names()).to.deep.equal(['a.pdf']);
  });

  it('is asked again when a request met another one for its key, and is unreachable if that goes on', async () => {
    const one = await delivering();
    made.server.conflicts = 2;
    expect(await one('of one', new DeliveryForTest('one').attempt())).to.equal('a.pdf');
    made.server.conflicts = 1000;
    expect(await codeOf(one('of one', new DeliveryForTest('two').attempt()))).to.equal('DESTINATION_UNREACHABLE');
  });

  it('reports which option is wrong', async () => {
    const wrong = async (more: object, kind = s3Source(made)): Promise<readonly string[]> => {
      try {
        await kind.check(validated(kind, { ...made.options, ...more }), contextForTest());
        return [];
      } catch (error) {
        return ((error as { errors?: readonly { pointer: string }[] }).errors ?? []).map(({ pointer }) => pointer);
      }
    };
    expect(await wrong({ secretAccessKey: 'another' })).to.deep.equal(['/accessKeyId']);
    expect(await wrong({ pathStyle: false })).to.deep.equal(['/pathStyle']);
    expect(await wrong({ endpoint: 'file:///etc' })).to.deep.equal(['/endpoint']);
    expect(await wrong({ endpoint: 'http://169.254.169.254/' })).to.deep.equal(['/endpoint']);
    const outside = { ...made, settings: loadSettings({ env: {}, cwd: made.base }) };
    expect(await wrong({}, s3Source(outside)), 'a private endpoint that the operator does not allow').to.deep.equal([
      '/endpoint',
    ]);
    made.server.failWith = 404;
    expect(await wrong({})).to.deep.equal(['/bucket']);
  });

  it('is opened by a saved connection, beside which only prefix and mode count', async () => {
    const kind = s3Source(made);
    const destination = s3Destination(made);
    const other = { ...made.byConnection, bucket: 'elsewhere', secretAccessKey: 'of nobody', mode: 'snapshot' };
    expect(validated(kind, other)).to.deep.equal({ connectionId: 7, prefix: 'in box/', mode: 'snapshot' });
    expect(validated(kind, { ...made.options, connectionId: 0 })).to.deep.equal(validated(kind, made.options));
    await made.put('a.pdf', Buffer.from('x'));
    const source = await kind.open(validated(kind, other), contextForTest());
    expect((await listed(source)).map(({ name }) => name)).to.deep.equal(['a.pdf']);
    await destination.check(validated(destination, made.byConnection), contextForTest());
    expect(made.names()).to.deep.equal(['a.pdf']);
  });

  it('is not opened by a connection that is unknown, incomplete or does not work', async () => {
    const kind = s3Source(made);
    const wrong = async (connectionId: number): Promise<string> => {
      try {
        await kind.check(validated(kind, { connectionId }), contextForTest());
        return '';
      } catch (error) {
        const [fault] = (error as InputError).errors;
        return `${fault?.pointer} ${fault?.detail}`;
      }
    };
    expect(await wrong(8)).to.equal('/connectionId cannot be used: there is no connection 8');
    made.saved.set(8, { bucket: 'bucket' });
    expect(await wrong(8)).to.match(/^\/connectionId "connection 8" is not complete: "accessKeyId" is required/);
    made.saved.set(8, { ...made.saved.get(7), secretAccessKey: 'another' });
    expect(await wrong(8)).to.match(/^\/connectionId does not work: .*accessKeyId.* was rejected/);
  });
});
