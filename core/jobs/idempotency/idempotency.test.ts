import { expect } from 'chai';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isQuireError } from '@quire/registry/errors';
import { codeOf } from '../../../test/suites/code-of.js';
import { silentLog, until } from '../../../test/suites/job-harness.js';
import { describeStores, type TemporaryStore } from '../../../test/suites/temporary-store.js';
import { ServerSecret } from '../../secrets/index.js';
import { SteadyClock } from '../cluster/index.js';
import type { Store } from '../../store/index.js';
import type { AnswerRecord } from './answer-record.js';
import { fingerprintText } from './fingerprint.js';
import { idempotencyKey } from './idempotency-key.js';
import { KeptAnswers, isBody, type Claim, type IdempotencySettings, type KeptAnswer } from './kept-answers.js';

describe('Idempotency-Keys', () => {
  it('mean the same with and without the quotes of an RFC 9651 string', () => {
    expect(idempotencyKey(undefined)).to.equal(undefined);
    for (const [header, key] of [
      ['abc', 'abc'],
      ['"abc"', 'abc'],
      [' "a\\"b\\\\c" ', 'a"b\\c'],
      ['a"b', 'a"b'],
      ['"a b"', 'a b'],
      ['x'.repeat(255), 'x'.repeat(255)],
      ['!~', '!~'],
    ] as const)
      expect(idempotencyKey(header), header).to.equal(key);
  });

  it('are rejected in any other form', async () => {
    for (const header of [
      '',
      '""',
      ' ',
      'a b',
      'first, second',
      '"open',
      '"a"b"',
      '"a\\b"',
      '"a"; p=1',
      '"ü"',
      'ü',
      'a\tb',
      'x'.repeat(256),
      `"${'x'.repeat(256)}"`,
    ])
      expect(await codeOf((async () => idempotencyKey(header))()), header).to.equal('IDEMPOTENCY_KEY_INVALID');
  });

  it('compare fields and files in any order, but the values of one field in order', () => {
    const files = [
      { field: 'fileInput', name: 'a.pdf', digest: '1' },
      { field: 'fileInput', name: 'b.pdf', digest: '2' },
      { field: 'stamp', name: 'c.png', digest: '3' },
    ];
    const [first, second, third] = files as [(typeof files)[number], (typeof files)[number], (typeof files)[number]];
    const same = fingerprintText({ a: '1', b: ['x', 'y'], c: { d: 1, e: [2] } }, files);
    expect(fingerprintText({ c: { e: [2], d: 1 }, b: ['x', 'y'], a: '1' }, [third, first, second])).to.equal(same);
    for (const [fields, sent] of [
      [{ a: '1', b: ['y', 'x'], c: { d: 1, e: [2] } }, files],
      [{ a: '2', b: ['x', 'y'], c: { d: 1, e: [2] } }, files],
      [{ a: '1', b: ['x', 'y'], c: { d: 1, e: [2] } }, [second, first, third]],
      [{ a: '1', b: ['x', 'y'], c: { d: 1, e: [2] } }, [first, second]],
      [
        {
          a: '1',
          b: ['x', 'y'],
          c: [
            ['d', 1],
            ['e', [2]],
          ],
        },
        files,
      ],
      [{ a: '1', b: ['x', 'y'], c: { d: 1, e: [2] } }, [{ ...first, name: 'z.pdf' }, second, third]],
    ] as const)
      expect(fingerprintText(fields, sent)).not.to.equal(same);
  });
});

describeStores('Answers kept for repeated calls', (make) => {
  let place: TemporaryStore;
  let store: Store;
  let folder: string;
  const secret = new ServerSecret(Buffer.alloc(32, 5));
  const running: KeptAnswers[] = [];
  const call = (key: string, fingerprint = 'one', caller = 'ann', path = '/p') => ({ caller, path, key, fingerprint });

  before(async () => (folder = await mkdtemp(join(tmpdir(), 'quire-kept-'))));
  after(() => rm(folder, { recursive: true, force: true }));
  beforeEach(async () => {
    place = await make();
    store = await place.open();
  });
  afterEach(async () => {
    for (const one of running.splice(0)) one.stop();
    await store.close();
    await place.remove();
  });

  function answers(settings: Partial<IdempotencySettings> = {}, leaseMs = 30_000): KeptAnswers {
    const made = new KeptAnswers({
      store,
      secret,
      log: silentLog,
      steady: new SteadyClock(),
      leaseMs,
      settings: {
        keepMs: 60_000,
        keepJobMs: 120_000,
        maxAnswerBytes: 1000,
        maxTotalBytes: 1000,
        maxKeysPerCaller: 5,
        ...settings,
      },
    });
    running.push(made);
    return made;
  }
  async function claimed(all: KeptAnswers, ...of: Parameters<typeof call>): Promise<Claim> {
    const entered = await all.enter(call(...of));
    if (!('claim' in entered)) throw new Error('it was answered');
    return entered.claim;
  }
  async function repeated(all: KeptAnswers, ...of: Parameters<typeof call>): Promise<KeptAnswer> {
    const entered = await all.enter(call(...of));
    if (!('kept' in entered)) throw new Error('it was not answered');
    return entered.kept;
  }
  const json = (inline: string) => ({ status: 200, headers: {}, kind: 'json' as const, inline });
  const records = () =>
    store.records<AnswerRecord>('kept_answers', { keys: ['caller', 'state', 'expiresAtMs', 'createdAtMs'] });

  it('return the kept answer on every server of the store, which has no readable key or content', async () => {
    const [one, two] = [answers(), answers()];
    await writeFile(join(folder, 'a'), 'bytes of the file');
    await (
      await claimed(one, 'secret-key')
    ).keep(
      {
        status: 200,
        headers: { 'x-a': 'b' },
        kind: 'file',
        file: { name: 'hidden.pdf', mediaType: 'application/pdf', size: 17 },
      },
      { bytes: join(folder, 'a') },
    );
    const { head, body } = await repeated(two, 'secret-key');
    expect(head).to.deep.equal({
      status: 200,
      headers: { 'x-a': 'b' },
      kind: 'file',
      file: { name: 'hidden.pdf', mediaType: 'application/pdf', size: 17 },
    });
    expect(body && (await text(body))).to.equal('bytes of the file');
    expect(JSON.stringify(await records().find()))
      .not.to.contain('hidden')
      .and.not.to.contain('secret-key');
  });

  it('apply to one caller, one path, one key and one request', async () => {
    const all = answers();
    await (await claimed(all, 'k')).keep(json('1'));
    expect(await codeOf(all.enter(call('k', 'two')))).to.equal('IDEMPOTENCY_KEY_REUSED');
    for (const other of [call('k', 'one', 'ben'), call('k', 'one', 'ann', '/q'), call('K')])
      expect(await all.enter(other)).to.have.property('claim');
  });

  it('let only one of many simultaneous calls do the work', async () => {
    const nodes = [answers(), answers()];
    const ends = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (nodes[i % 2] as KeptAnswers).enter(call('k')).then(
          (entered) => ('claim' in entered ? 'first' : 'repeat'),
          (error: unknown) => (error as { code: string }).code,
        ),
      ),
    );
    expect(ends.filter((end) => end === 'first')).to.have.length(1);
    expect(ends.filter((end) => end === 'IDEMPOTENCY_IN_PROGRESS')).to.have.length(19);
  });

  it("can be taken over, with the job's id, from a server that died but not from a running one", async () => {
    const living = answers({}, 1000);
    const claim = await claimed(living, 'k');
    await new Promise((resolve) => setTimeout(resolve, 1700));
    expect(await codeOf(answers().enter(call('k'))), 'its claim is kept alive').to.equal('IDEMPOTENCY_IN_PROGRESS');
    living.stop();
    const second = answers();
    const next = await until(() =>
      second.enter(call('k')).then(
        (entered) => ('claim' in entered ? entered.claim : undefined),
        () => undefined,
      ),
    );
    expect(next.uuid).to.equal(claim.uuid);
    await claim.keep(json('"late"'));
    await next.keep(json('"mine"'));
    const { head } = await repeated(second, 'k');
    expect(isBody(head) && head.inline).to.equal('"mine"');
  });

  it('are in progress until the bytes of the first answer are stored', async () => {
    const all = answers({}, 600);
    const slow = new PassThrough();
    const kept = (await claimed(all, 'k')).keep(
      { status: 200, headers: {}, kind: 'file', file: { name: 'a', mediaType: 'a/b', size: 4 } },
      { bytes: slow },
    );
    slow.write('ab');
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(await codeOf(answers().enter(call('k')))).to.equal('IDEMPOTENCY_IN_PROGRESS');
    slow.end('cd');
    await kept;
    const { body } = await repeated(all, 'k');
    expect(body && (await text(body))).to.equal('abcd');
  });

  it('are released by a restart on an embedded store, but only after the claim expires on a shared one', async () => {
    await claimed(answers(), 'k');
    const next = answers();
    await next.start();
    const entered = await next.enter(call('k')).then(
      (way) => Object.keys(way),
      (error: unknown) => (isQuireError(error) ? error.code : String(error)),
    );
    expect(entered).to.deep.equal(store.kind === 'embedded' ? ['claim'] : 'IDEMPOTENCY_IN_PROGRESS');
  });

  it('expire after their time, later for jobs, and leave no bytes behind', async () => {
    const all = answers({ keepMs: -1 });
    await writeFile(join(folder, 'b'), 'b');
    await (
      await claimed(all, 'short')
    ).keep(
      { status: 200, headers: {}, kind: 'file', file: { name: 'b', mediaType: 'a/b', size: 1 } },
      { bytes: join(folder, 'b') },
    );
    await (await claimed(all, 'job')).keep(json('{}'), { job: true });
    await repeated(all, 'job');
    await all.sweep();
    expect(await records().count()).to.equal(1);
    const blobs: string[] = [];
    for await (const { id } of store.blobs.area('answers').list()) blobs.push(id);
    expect(blobs).to.deep.equal([]);
    expect(await all.enter(call('short', 'another request'))).to.have.property('claim');
  });

  it("remove the oldest answers of all callers for bytes, and the caller's own oldest for number", async () => {
    const all = answers();
    await writeFile(join(folder, 'c'), Buffer.alloc(400));
    for (const key of ['1', '2', '3'])
      await (
        await claimed(all, key)
      ).keep(
        { status: 200, headers: {}, kind: 'file', file: { name: 'c', mediaType: 'a/b', size: 400 } },
        { bytes: join(folder, 'c') },
      );
    await all.sweep();
    expect(await all.enter(call('1')), 'the first of three keys, when only two are allowed').to.have.property('claim');
    await repeated(all, '3').then(({ body }) => body?.destroy());
    await (await claimed(all, 'k', 'one', 'ben')).keep(json('1'));
    for (let i = 0; i < 8; i++) await (await claimed(all, `n${i}`)).keep(json('1'));
    await repeated(all, 'k', 'one', 'ben');
    await repeated(all, 'n7');
    expect(await records().count({ caller: 'ann' })).to.equal(5);
    for (let i = 0; i < 4; i++) await claimed(all, `w${i}`, 'one', 'cem');
    await claimed(all, 'w4', 'one', 'cem');
    expect(await codeOf(all.enter(call('w5', 'one', 'cem'))), 'all five are being processed').to.equal('QUEUE_FULL');
  });

  it('are forgotten after `drop`', async () => {
    const all = answers();
    await (await claimed(all, 'k')).drop();
    expect(await all.enter(call('k', 'another'))).to.have.property('claim');
  });
});
