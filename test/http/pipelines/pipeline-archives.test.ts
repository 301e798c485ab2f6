import { expect } from 'chai';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makePdf } from '../../kit/make-pdf.js';
import { readZip } from '../../kit/read-zip.js';
import { expectProblem, field, file, post, type Answer } from '../support/client.js';
import { quiet, startServer, type TestServer } from '../support/server.js';
import { makeZip } from '../support/zip.js';

const MB = 1024 * 1024;
const API = '/api/v1';

describe('Archives between pipeline steps', () => {
  let server: TestServer;
  let pdf: Uint8Array;

  before(async () => {
    server = await startServer();
    pdf = await makePdf({ pages: 1 });
  });
  after(() => server.stop());
  afterEach(() => quiet(server));

  const through = (archive: Uint8Array, ...then: readonly string[]): Promise<Answer> =>
    post(`${server.url}${API}/pipeline/handleData`, [
      file(archive, 'archive.zip'),
      field(
        'json',
        JSON.stringify({
          pipeline: ['misc/unruly-archive', ...then].map((path) => ({ operation: `${API}/${path}`, parameters: {} })),
        }),
      ),
    ]);

  it('are unpacked, nested ones too, without their folders', async () => {
    const inner = makeZip([{ name: 'deep/c.pdf', bytes: pdf }]);
    const answer = await through(
      makeZip([
        { name: 'a.pdf', bytes: pdf },
        { name: 'folder/', bytes: new Uint8Array() },
        { name: 'folder/a.pdf', bytes: pdf },
        { name: 'inner.zip', bytes: inner },
      ]),
      'general/rotate-pdf',
    );
    expect(answer.status, answer.body.toString('utf8', 0, 300)).to.equal(200);
    expect(readZip(answer.body).map(({ name }) => name)).to.deep.equal(['a.pdf', 'a(1).pdf', 'c.pdf']);
  });

  it('stay whole when they are documents that only look like zips', async () => {
    const book = makeZip([{ name: 'mimetype', bytes: Buffer.from('application/epub+zip') }]);
    const answer = await through(
      makeZip([
        { name: 'book.epub', bytes: book },
        { name: 'comic.cbz', bytes: book },
      ]),
      'misc/unruly-pause',
    );
    expect(readZip(answer.body).map(({ name }) => name)).to.deep.equal(['book.epub', 'comic.cbz']);
  });

  const refused: readonly [string, () => Buffer, RegExp][] = [
    ['climb out with dots', () => makeZip([{ name: '../../../../tmp/PWNED-dots.pdf', bytes: pdf }]), /leads out/],
    [
      'climb out with dots in the middle',
      () => makeZip([{ name: 'a/../../PWNED-middle.pdf', bytes: pdf }]),
      /leads out/,
    ],
    ['name an absolute path', () => makeZip([{ name: '/tmp/PWNED-absolute.pdf', bytes: pdf }]), /leads out/],
    ['name a drive', () => makeZip([{ name: 'C:\\PWNED-drive.pdf', bytes: pdf }]), /leads out/],
    ['use backslashes', () => makeZip([{ name: '..\\..\\PWNED-back.pdf', bytes: pdf }]), /leads out/],
    [
      'hold a link',
      () =>
        makeZip([
          { name: 'link', bytes: Buffer.from('/tmp'), mode: 0o120777 },
          { name: 'link/PWNED-link.pdf', bytes: pdf },
        ]),
      /link/,
    ],
    ['are encrypted', () => makeZip([{ name: 'a.pdf', bytes: pdf, flags: 1 }]), /encrypted/],
    ['contain a zip bomb', () => makeZip([{ name: 'bomb.pdf', bytes: new Uint8Array(64 * MB) }]), /times its size/],
    [
      'contain a zip bomb with a false size',
      () => makeZip([{ name: 'bomb.pdf', bytes: new Uint8Array(64 * MB), declaredSize: 10 }]),
      /damaged|times its size/,
    ],
    [
      'claim an entry of 4 GB',
      () => makeZip([{ name: 'big.pdf', bytes: pdf, declaredSize: 4_000_000_000 }]),
      /larger than/,
    ],
    [
      'hold very many entries',
      () => makeZip(Array.from({ length: 12_000 }, (_, i) => ({ name: `${i}`, bytes: new Uint8Array() }))),
      /more than 10000 entries/,
    ],
    [
      'are nested too deep',
      () =>
        Array.from({ length: 12 }).reduce<Buffer>(
          (zip) => makeZip([{ name: 'n.zip', bytes: zip }]),
          makeZip([{ name: 'a.pdf', bytes: pdf }]),
        ),
      /nested/,
    ],
    ['are cut short', () => makeZip([{ name: 'a.pdf', bytes: pdf }]).subarray(0, 300), /damaged/],
    [
      'have a directory that points nowhere',
      () => {
        const zip = makeZip([{ name: 'a.pdf', bytes: pdf }]);
        zip.writeUInt32LE(0x7fffffff, zip.length - 6);
        return zip;
      },
      /damaged/,
    ],
  ];
  for (const [title, make, detail] of refused) {
    it(`are refused when they ${title}`, async () => {
      const problem = expectProblem(await through(make(), 'misc/unruly-pause'), 400, 'ARCHIVE_UNSAFE');
      expect(problem.detail).to.match(detail);
      expect(problem.step?.index).to.equal(0);
      for (const folder of ['/tmp', '/', server.basePath, dirname(server.basePath), join(server.basePath, 'tmp')]) {
        for (const name of ['dots', 'middle', 'absolute', 'drive', 'back', 'link'])
          expect(existsSync(join(folder, `PWNED-${name}.pdf`))).to.equal(false);
      }
    });
  }

  it('end the run with 204 when they are empty', async () => {
    expect((await through(makeZip([]), 'misc/unruly-pause')).status).to.equal(204);
  });

  it('pass on sanitised names', async () => {
    const answer = await through(
      makeZip([
        { name: 'a\u202eb\u0000<c>.pdf', bytes: pdf },
        { name: `${'x'.repeat(400)}.pdf`, bytes: pdf },
      ]),
      'misc/unruly-pause',
    );
    expect(answer.status, answer.body.toString('utf8', 0, 300)).to.equal(200);
    const names = readZip(answer.body).map(({ name }) => name);
    expect(names[0]).to.equal('ab_c_.pdf');
    expect(Buffer.byteLength(names[1] ?? '')).to.be.at.most(200);
  });
});
