import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { codeOf } from '../../test/suites/code-of.js';
import { silentLog } from '../../test/suites/job-harness.js';
import { describeStores, type TemporaryStore } from '../../test/suites/temporary-store.js';
import { Throttle } from '../accounts/index.js';
import type { Store } from '../store/index.js';
import { MobileScanner } from './mobile-scanner.js';
import type { ScanLimits, ScanUpload } from './scan-model.js';
import { listedType, mediaTypeOfName, numberedName, scanName } from './scan-names.js';

const MINUTE = 60_000;
/** Random ids of sessions. */
const [a, b, c, d, e] = Array.from({ length: 5 }, () => randomUUID()) as [string, string, string, string, string];

describeStores('Sessions of the mobile scanner', (make) => {
  let [place, store, folder, now]: [TemporaryStore, Store, string, number] = [
    undefined as never,
    undefined as never,
    '',
    0,
  ];
  before(async () => {
    place = await make();
    store = await place.open();
    folder = await mkdtemp(join(tmpdir(), 'quire-scans-'));
  });
  after(async () => {
    await store.close();
    await place.remove();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(() => (now = Date.now()));
  afterEach(async () => {
    now += 24 * 60 * MINUTE;
    await scanner().sweep();
    expect(
      [await store.records('scan_sessions').count(), await store.records('scan_files').count(), await blobs()],
      'nothing is left a day later',
    ).to.deep.equal([0, 0, []]);
  });

  const blobs = async (): Promise<string[]> => {
    const ids: string[] = [];
    for await (const { id } of store.blobs.area('scans').list()) ids.push(id);
    return ids;
  };
  const scanner = (limits: Partial<ScanLimits> = {}, perMinute = 1000): MobileScanner =>
    new MobileScanner({
      store,
      log: silentLog,
      steady: { now: () => now },
      secret: { digest: (_use, text) => `digest of ${text}` },
      throttle: new Throttle({ keys: perMinute, addresses: 100 }),
      limits: {
        sessions: 100,
        sessionsPerAddress: 100,
        filesPerSession: 10,
        sessionBytes: 1000,
        totalBytes: 5000,
        addressBytes: 5000,
        ...limits,
      },
    });
  const upload = async (name: string, text: string, mediaType = 'image/jpeg'): Promise<ScanUpload> => {
    const path = join(folder, Math.random().toString(36).slice(2));
    await writeFile(path, text);
    return { name, mediaType, path, size: Buffer.byteLength(text) };
  };
  const read = async (scans: MobileScanner, id: string, name: string): Promise<string> => {
    const { stream, release } = await scans.fetch(id, name, 'desk');
    const text = (await buffer(stream)).toString();
    await release(true);
    return text;
  };
  const names = async (scans: MobileScanner, id: string): Promise<string[]> =>
    (await scans.list(id, 'desk')).map(({ name }) => name);

  it('store files for other servers, allow one download of each, and end with the last', async () => {
    const [one, two] = [scanner(), scanner()];
    await one.begin(a, 'desk');
    await one.add(
      a,
      'phone',
      [await upload('one.jpg', 'first'), await upload('empty.jpg', ''), await upload('one.jpg', 'second')],
      true,
    );
    await two.add(a, 'phone', [await upload('one.jpg', 'third'), await upload('notes', 'x', 'text/plain')], true);
    expect(await two.list(a, 'desk')).to.deep.equal([
      { name: 'one.jpg', size: 5, contentType: 'image/jpeg' },
      { name: 'one-1.jpg', size: 6, contentType: 'image/jpeg' },
      { name: 'one-2.jpg', size: 5, contentType: 'image/jpeg' },
      { name: 'notes', size: 1, contentType: 'text/plain' },
    ]);
    expect([await read(two, a, 'one-1.jpg'), await read(two, a, 'one.jpg'), await read(one, a, 'notes')]).to.deep.equal(
      ['second', 'first', 'x'],
    );
    expect(await codeOf(one.fetch(a, 'one.jpg', 'desk'))).to.equal('NOT_FOUND');
    expect(await names(one, a), 'downloaded files stay in the list').to.have.length(4);
    expect(await blobs(), 'its content is deleted').to.have.length(1);
    expect(await read(one, a, 'one-2.jpg')).to.equal('third');
    expect(await names(two, a)).to.deep.equal([]);
    expect(await codeOf(two.use(a, 'desk'))).to.equal('SCAN_SESSION_UNKNOWN');
  });

  it('live for ten minutes after their last use of any kind', async () => {
    const scans = scanner();
    const { createdAt, expiresAt } = await scans.begin(a, 'desk');
    expect([createdAt, expiresAt]).to.deep.equal([now, now + 10 * MINUTE]);
    const uses: (() => Promise<unknown>)[] = [
      () => scans.use(a, 'desk'),
      async () => scans.add(a, 'phone', [await upload('a.jpg', 'x'), await upload('b.jpg', 'x')], true),
      () => scans.list(a, 'desk'),
      () => read(scans, a, 'a.jpg'),
    ];
    for (const use of uses) {
      now += 9 * MINUTE;
      await use();
      await scans.sweep();
    }
    now += 9 * MINUTE;
    expect(await scans.use(a, 'desk')).to.deep.equal({ createdAt, expiresAt: now + 10 * MINUTE });
    now += 10 * MINUTE;
    expect(await codeOf(scans.use(a, 'desk')), 'before the sweep').to.equal('SCAN_SESSION_UNKNOWN');
    expect(await scans.list(a, 'desk')).to.deep.equal([]);
    await scans.sweep();
    expect(await blobs()).to.deep.equal([]);
  });

  it('start again when a session is created with an id in use, also with an expired one', async () => {
    const scans = scanner();
    await scans.add(a, 'phone', [await upload('a.jpg', 'old')], true);
    await scans.begin(a, 'desk');
    expect([await names(scans, a), await blobs()]).to.deep.equal([[], []]);
    now += 11 * MINUTE;
    await scans.add(a, 'phone', [await upload('a.jpg', 'new')], true);
    expect([await names(scans, a), await read(scans, a, 'a.jpg')]).to.deep.equal([['a.jpg'], 'new']);
    await scans.end(a);
    await scans.end('nobody');
  });

  it('keep a file after an interrupted download, and send it whole to simultaneous readers', async () => {
    const [one, two] = [scanner(), scanner()];
    await one.add(a, 'phone', [await upload('a.jpg', 'x'.repeat(900))], true);
    const broken = await one.fetch(a, 'a.jpg', 'desk');
    await broken.release(false);
    const [first, second] = [await one.fetch(a, 'a.jpg', 'desk'), await two.fetch(a, 'a.jpg', 'desk')];
    const text = async (stream: Readable): Promise<number> => (await buffer(stream)).length;
    expect(await text(first.stream)).to.equal(900);
    await first.release(true);
    expect(await text(second.stream), 'the second reader is still active').to.equal(900);
    expect(await blobs()).to.have.length(1);
    await second.release(false);
    expect(await blobs(), 'it was sent completely once and has no reader').to.deep.equal([]);
    expect(await codeOf(one.use(a, 'desk'))).to.equal('SCAN_SESSION_UNKNOWN');
  });

  it('live longer while a download takes longer', async () => {
    const scans = scanner();
    await scans.add(a, 'phone', [await upload('a.jpg', 'long')], true);
    const open = await scans.fetch(a, 'a.jpg', 'desk');
    now += 20 * MINUTE;
    await scans.sweep();
    expect(await blobs()).to.have.length(1);
    expect((await buffer(open.stream)).toString()).to.equal('long');
    await open.release(true);
    expect(await blobs()).to.deep.equal([]);
  });

  it('lose nothing when a server dies during a download, and keep nothing for ever', async () => {
    const scans = scanner();
    await scans.add(a, 'phone', [await upload('a.jpg', 'still here'), await upload('b.jpg', 'sent')], true);
    const [lost, dying] = [await scans.fetch(a, 'a.jpg', 'desk'), await scans.fetch(a, 'b.jpg', 'desk')];
    for (const { stream } of [lost, dying]) stream.destroy();
    // All of b.jpg was sent, but the server died before it could delete the file.
    const files = store.records<{ id: string; name: string; sent: boolean; readers: number }>('scan_files');
    await files.update((await files.findOne({ name: 'b.jpg' }))?.id ?? '', {
      set: { sent: true },
      inc: { readers: -1 },
    });
    expect(await read(scans, a, 'a.jpg'), 'a download of a dead server does not block others').to.equal('still here');
    await scans.sweep();
    expect(await blobs(), 'its reader count keeps the content until it is old').to.have.length(1);
    now += 61 * MINUTE;
    await scans.sweep();
    expect(await blobs()).to.deep.equal([]);
  });

  it('remove what a crash left of an upload', async () => {
    const scans = scanner();
    await scans.begin(a, 'desk');
    const { path } = await upload('x', 'x');
    const { id: blobId } = await store.blobs.area('scans').put(path);
    await store
      .records<{ id: string; session: string; run: string; name: string; blobId: string }>('scan_files')
      .insert({ id: 'left', session: a, run: 'of an earlier life', name: 'x', blobId });
    await scans.sweep();
    expect([await store.records('scan_files').count(), await blobs()]).to.deep.equal([0, []]);
  });

  it('accept no more files and bytes than allowed, all files of an upload or none', async () => {
    const scans = scanner({ filesPerSession: 3, sessionBytes: 100, totalBytes: 120 });
    const some = async (count: number, length: number): Promise<ScanUpload[]> =>
      Promise.all(Array.from({ length: count }, (_, i) => upload(`${i}.jpg`, 'x'.repeat(length))));
    expect(await codeOf(scans.add(a, 'phone', await some(4, 1), true))).to.equal('STORAGE_QUOTA');
    expect(await codeOf(scans.add(a, 'phone', await some(2, 51), true))).to.equal('STORAGE_QUOTA');
    expect([await blobs(), await store.records('scan_sessions').count()], 'none of the files is stored').to.deep.equal([
      [],
      0,
    ]);
    const ends = await Promise.all(
      [1, 2, 3, 4].map(async () => codeOf(scans.add(a, 'phone', await some(1, 40), true))),
    );
    expect(ends.sort()).to.deep.equal(['STORAGE_QUOTA', 'STORAGE_QUOTA', 'none', 'none']);
    expect(await names(scans, a)).to.have.members(['0.jpg', '0-1.jpg']);
    expect(await codeOf(scans.add(b, 'phone', await some(1, 41), true)), 'all together').to.equal('SCAN_SESSIONS_FULL');
    await read(scans, a, '0.jpg');
    await scans.add(b, 'phone', await some(1, 41), true);
    expect(await codeOf(scans.add(a, 'phone', await some(2, 1), true)), 'downloaded files count as files').to.equal(
      'STORAGE_QUOTA',
    );
  });

  it('reject an upload that does not fit before its body arrives', async () => {
    const scans = scanner({ sessionBytes: 100_000, totalBytes: 500_000, addressBytes: 500_000, filesPerSession: 1 });
    expect(await scans.admit(a, 'phone', 0, true)).to.equal(100_000);
    expect(await codeOf(scans.admit(a, 'phone', 100_001, true))).to.equal('STORAGE_QUOTA');
    expect(await codeOf(scans.admit('a_b', 'phone', 1, true))).to.equal('INPUT_INVALID');
    await scans.add(a, 'phone', [await upload('a', 'x')], true);
    expect(await codeOf(scans.admit(a, 'phone', 1, true))).to.equal('STORAGE_QUOTA');
    const small = scanner({ sessionBytes: 100, totalBytes: 121 });
    expect(await small.admit(b, 'phone', 1, true), 'the space left for all sessions together').to.equal(100);
    await small.add(b, 'phone', [await upload('b', 'x'.repeat(60))], true);
    expect([await small.admit(c, 'phone', 60, true), await codeOf(small.admit(c, 'phone', 61, true))]).to.deep.equal([
      60,
      'SCAN_SESSIONS_FULL',
    ]);
    await small.add(c, 'phone', [await upload('c', 'x'.repeat(60))], true);
    expect(await codeOf(small.admit(d, 'phone', 0, true))).to.equal('SCAN_SESSIONS_FULL');
  });

  it('accept no more bytes from one address than allowed, in all its sessions together', async () => {
    const scans = scanner({ sessionBytes: 100, totalBytes: 1000, addressBytes: 150 });
    await scans.begin(a, '10.0.0.1');
    await scans.begin(b, '10.0.0.1');
    await scans.begin(c, '10.0.0.2');
    const some = (length: number): Promise<ScanUpload> => upload('a.jpg', 'x'.repeat(length));
    await scans.add(a, 'phone', [await some(90)], true);
    expect(await scans.admit(b, 'phone', 1, true)).to.equal(60);
    expect(await codeOf(scans.admit(b, 'phone', 61, true))).to.equal('SCAN_SESSIONS_FULL');
    expect(await codeOf(scans.add(b, 'phone', [await some(61)], true))).to.equal('SCAN_SESSIONS_FULL');
    await scans.add(c, 'phone', [await some(90)], true);
    await read(scans, a, 'a.jpg');
    await scans.add(b, 'phone', [await some(61)], true);
  });

  it('begin with an id that nobody can guess only', async () => {
    const scans = scanner();
    for (const id of [
      'a',
      's'.repeat(40),
      '1'.repeat(32),
      randomUUID().slice(1),
      'a1-'.repeat(20),
      'AbCdEfGhIjKlMnOpQrStU',
    ])
      expect(await codeOf(scans.begin(id, 'desk')), id).to.equal('INPUT_INVALID');
    for (const id of [
      randomUUID(),
      randomUUID().toUpperCase(),
      'AbCdEfGhIjKlMnOpQrStUv',
      randomBytes(16).toString('hex'),
    ])
      expect(await codeOf(scans.begin(id, 'desk')), id).to.equal('none');
  });

  it('are not created by an upload of somebody who may not begin one', async () => {
    const scans = scanner();
    expect(await codeOf(scans.admit(a, 'phone', 1, false))).to.equal('SCAN_SESSION_UNKNOWN');
    expect(await codeOf(scans.add(a, 'phone', [await upload('a.jpg', 'x')], false))).to.equal('SCAN_SESSION_UNKNOWN');
    await scans.begin(a, 'desk');
    await scans.add(a, 'phone', [await upload('a.jpg', 'x')], false);
    expect(await names(scans, a)).to.deep.equal(['a.jpg']);
  });

  it('are limited in number per address and in all, and in how often an address creates them', async () => {
    const scans = scanner({ sessions: 3, sessionsPerAddress: 2 });
    await scans.begin(a, '10.0.0.1');
    await scans.begin(b, '10.0.0.1');
    expect(await codeOf(scans.begin(c, '10.0.0.1'))).to.equal('SCAN_SESSIONS_FULL');
    expect(await codeOf(scans.add(c, '10.0.0.1', [await upload('a', 'x')], true))).to.equal('SCAN_SESSIONS_FULL');
    await scans.begin(b, '10.0.0.1');
    await scans.begin(c, '10.0.0.2');
    expect(await codeOf(scans.begin(d, '10.0.0.3'))).to.equal('SCAN_SESSIONS_FULL');
    now += 11 * MINUTE;
    await scans.begin(d, '10.0.0.1');
    const slow = scanner({}, 2);
    await slow.begin(e, '10.0.0.9');
    await slow.begin(e, '10.0.0.9');
    expect(await codeOf(slow.begin(e, '10.0.0.9'))).to.equal('SCAN_SESSIONS_FULL');
    expect(await codeOf(slow.use('unknown', '10.0.0.9')), 'guessing ids').to.equal('SCAN_SESSIONS_FULL');
    expect(await codeOf(slow.list('unknown', '10.0.0.9')), 'guessing ids by their lists').to.equal(
      'SCAN_SESSIONS_FULL',
    );
    expect(
      [await slow.list('unknown', '10.0.0.10'), await slow.list(e, '10.0.0.9')],
      'who knows the id, or asks seldom, is not slowed',
    ).to.deep.equal([[], []]);
    await slow.use(e, '10.0.0.9');
  });

  it('work with simultaneous uploads, downloads and restarts', async () => {
    const scans = [
      scanner({ filesPerSession: 1000, sessionBytes: 1e6, totalBytes: 1e7, addressBytes: 1e7 }),
      scanner({ filesPerSession: 1000, sessionBytes: 1e6, totalBytes: 1e7, addressBytes: 1e7 }),
    ];
    const any = (i: number): MobileScanner => scans[i % 2] as MobileScanner;
    await Promise.all(
      Array.from({ length: 12 }, async (_, i) =>
        any(i).add(a, 'phone', [await upload('page.jpg', `${i}`.padEnd(50, '.'))], true),
      ),
    );
    const all = await names(any(0), a);
    expect(new Set(all).size).to.equal(12);
    const got = await Promise.all(all.map((name, i) => read(any(i), a, name)));
    expect(new Set(got).size, 'each content once').to.equal(12);
    expect(await codeOf(any(0).use(a, 'desk'))).to.equal('SCAN_SESSION_UNKNOWN');
    await Promise.all(
      Array.from({ length: 12 }, async (_, i) =>
        i % 3 === 0
          ? any(i).begin(a, 'desk')
          : i % 5 === 0
            ? any(i).end(a)
            : any(i).add(a, 'phone', [await upload('page.jpg', 'x')], true),
      ),
    );
    await any(0).end(a);
    await any(1).sweep();
    expect(await blobs()).to.deep.equal([]);
  });
});

describe('Names of scanned files', () => {
  it('contain only safe characters, and keep their extension', () => {
    for (const [given, name] of [
      ['Größe 1.JPG', 'Gr__e_1.JPG'],
      ['a\r\nb\u0000.pdf', 'a__b_.pdf'],
      ['..', '__'],
      ['', 'file'],
      ['.profile', '.profile'],
      ['../../etc/passwd', '.._.._etc_passwd'],
      ['\u202egpj.exe', '_gpj.exe'],
    ] as const)
      expect(scanName(given), given).to.equal(name);
    expect(scanName(`${'x'.repeat(5000)}.jpg`)).to.equal(`${'x'.repeat(200)}.jpg`);
    expect([0, 1, 2].map((n) => numberedName('a.tar.gz', n))).to.deep.equal(['a.tar.gz', 'a.tar-1.gz', 'a.tar-2.gz']);
    expect(numberedName('none', 3)).to.equal('none-3');
  });

  it('never make a browser execute uploaded content', () => {
    for (const name of ['a.html', 'a.HTM', 'a.xhtml', 'a.svg', 'a.xml', 'a.js', 'a.unknown', 'none'])
      expect(mediaTypeOfName(name), name).to.equal('application/octet-stream');
    for (const [name, type] of [
      ['a.JPG', 'image/jpeg'],
      ['a.heic', 'image/heic'],
      ['a.pdf', 'application/pdf'],
      ['a.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
      ['a.txt', 'text/plain'],
    ] as const)
      expect(mediaTypeOfName(name), name).to.equal(type);
    for (const type of [
      'text/html',
      'image/svg+xml',
      'text/html; x=1',
      'application/xhtml+xml',
      'nonsense',
      'text/\r\nx',
    ])
      expect(listedType(type, 'a.png'), type).to.equal('image/png');
    expect(listedType('image/jpeg', 'none')).to.equal('image/jpeg');
  });
});
