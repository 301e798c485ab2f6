import { setTimeout as delay } from 'node:timers/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import type { Logger } from '@quire/registry';
import { findProgram } from '../../isolation/index.js';
import { Authority } from '../../../test/pki/index.js';
import { until } from '../../../test/suites/job-harness.js';
import { valkeyProgram, ValkeyServer } from '../../../test/suites/valkey-server.js';
import type { Backplane, Topic } from './backplane.js';
import { LONGEST_MESSAGE, Messages } from './messages.js';
import { openValkeyBackplane } from './valkey-backplane.js';

const key = Buffer.alloc(32, 5);
const PASSWORD = 'secret+of/valkey';

describe('The backplane through Valkey', function suite() {
  this.timeout(40_000);
  let valkey: ValkeyServer;
  const open: Backplane[] = [];
  const lines: { level: string; text: string; data: object }[] = [];
  const line =
    (level: string) =>
    (data: object, text: string): void =>
      void lines.push({ level, text, data });
  const log: Logger = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
  const warnings = (): typeof lines => lines.filter(({ level }) => level === 'warn');
  const node = async (url = valkey.url, skipCertVerification = false): Promise<Backplane> => {
    const made = await openValkeyBackplane({ url, skipCertVerification, key, log });
    open.push(made);
    return made;
  };
  const connected = (backplane: Backplane, is = true): Promise<true> =>
    until(() => (backplane.connected === is ? true : undefined));
  const heard = (backplane: Backplane, topic: Topic): (string | undefined)[] => {
    const ids: (string | undefined)[] = [];
    backplane.on(topic, ({ id }) => ids.push(id));
    return ids;
  };
  /** Two nodes that have greeted each other. */
  const pair = async (): Promise<[Backplane, Backplane]> => {
    const [one, two] = [await node(), await node()];
    await Promise.all([connected(one), connected(two)]);
    await delay(100);
    return [one, two];
  };

  before(function () {
    if (valkeyProgram() === undefined) this.skip();
  });
  beforeEach(async () => {
    lines.length = 0;
    valkey = await ValkeyServer.start(valkeyProgram() ?? '', PASSWORD);
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((one) => one.close()));
    await valkey.kill();
  });
  after(() => expect(JSON.stringify(lines)).not.to.contain('secret+of'));

  it('tells the other nodes, not the one that announces, and says how many hear it', async () => {
    const [one, two] = await pair();
    const [mine, theirs] = [heard(one, 'job-added'), heard(two, 'job-added')];
    const nodes: number[] = [];
    two.on('job-added', (announcement) => nodes.push(announcement.nodes));
    one.announce('job-added', 'job-1');
    one.announce('roles');
    one.announce('job-added', 'job-2');
    await until(() => (theirs.length === 2 ? true : undefined));
    expect(theirs).to.deep.equal(['job-1', 'job-2']);
    expect(mine, 'its own announcements').to.deep.equal([]);
    one.announce('job-added', 'job-3');
    await until(() => (nodes.length === 3 ? true : undefined));
    expect(nodes.at(-1), 'both nodes are subscribed').to.equal(2);
  });

  it('lets everybody look once when the server was away, warns once and connects again', async () => {
    const [one, two] = await pair();
    const looks = heard(two, 'roles');
    await valkey.kill();
    await Promise.all([connected(one, false), connected(two, false)]);
    one.announce('roles');
    await delay(3000);
    expect(warnings(), JSON.stringify(lines)).to.have.length(2);
    expect(looks, 'when the connection is lost').to.deep.equal([undefined]);
    await valkey.start();
    await Promise.all([connected(one), connected(two)]);
    await until(() => (looks.length > 1 ? true : undefined));
    const before = looks.length;
    one.announce('roles');
    await until(() => (looks.length > before ? true : undefined));
    expect(warnings()).to.have.length(2);
  });

  it('notices a server that hangs without closing a connection', async () => {
    const [one] = await pair();
    valkey.freeze();
    await connected(one, false);
    expect(warnings()[0]?.data)
      .to.have.property('reason')
      .that.matches(/timed out/i);
  });

  it('starts without the server and with a wrong password, says why, and never shows the password', async () => {
    const wrong = await node(valkey.url.replace(/:[^:@/]+@/, ':wrong-password@'));
    const nobody = await node('redis://:wrong-password@127.0.0.1:1');
    await until(() => (warnings().length >= 2 ? true : undefined));
    await delay(2500);
    expect([wrong.connected, nobody.connected]).to.deep.equal([false, false]);
    wrong.announce('roles');
    const text = JSON.stringify(lines);
    expect(warnings(), text).to.have.length(2);
    expect(text)
      .to.match(/WRONGPASS/)
      .and.match(/ECONNREFUSED/)
      .and.not.contain('wrong-password');
  });

  it('ignores what a stranger publishes, forged, huge or malformed, and survives a replay', async () => {
    const [one] = await pair();
    const ids = heard(one, 'job-cancelled');
    const stranger = new Redis(valkey.url);
    const messages = new Messages(key);
    const message = { from: 'other', topic: 'job-cancelled', id: 'genuine', nodes: 3 } as const;
    const genuine = messages.write(message);
    const forged = new Messages(Buffer.alloc(32, 6)).write({ ...message, id: 'forged' });
    const signed = (value: unknown): string => messages.write(value as typeof message);
    for (const bad of [
      forged,
      genuine.replace('genuine', 'another'),
      genuine.slice(0, 20),
      '',
      Buffer.alloc(1000, 0xff),
      'x'.repeat(20_000_000),
      signed(null),
      signed({ ...message, topic: 'shutdown' }),
      signed({ ...message, id: '../../x' }),
      signed({ ...message, id: { $ne: 1 } }),
      signed({ ...message, nodes: 'many' }),
      signed({ ...message, id: 'a'.repeat(LONGEST_MESSAGE) }),
    ])
      await stranger.publish(messages.channel, bad);
    for (let i = 0; i < 3; i += 1) await stranger.publish(messages.channel, genuine);
    await until(() => (ids.length >= 3 ? true : undefined));
    stranger.disconnect();
    expect(ids).to.deep.equal(['genuine', 'genuine', 'genuine']);
    expect(one.connected).to.equal(true);
    expect(warnings()).to.deep.equal([]);
  });

  it('verifies the certificate of the server, unless the settings say not to', async function () {
    if (findProgram('openssl', process.env['PATH'] ?? '') === undefined) this.skip();
    await valkey.kill();
    const folder = await mkdtemp(join(tmpdir(), 'quire-valkey-'));
    const certificate = await (
      await Authority.root(join(folder, 'root'), { name: 'Unknown Root' })
    ).issue({ name: 'localhost', purpose: 'server', extensions: ['subjectAltName=IP:127.0.0.1'] });
    valkey = await ValkeyServer.start(valkeyProgram() ?? '', PASSWORD, certificate);
    const strict = await node();
    await until(() => (warnings().length > 0 ? true : undefined));
    expect(warnings()[0]?.data)
      .to.have.property('reason')
      .that.matches(/certificate/i);
    await connected(await node(valkey.url, true));
    expect(strict.connected).to.equal(false);
    await rm(folder, { recursive: true });
  });

  it('keeps nodes of different stores apart', () => {
    expect(new Messages(key).channel).not.to.equal(new Messages(Buffer.alloc(32, 6)).channel);
  });
});
