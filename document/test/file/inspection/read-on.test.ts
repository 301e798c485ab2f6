import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect } from 'chai';
import { PDFDocument, PDFName, PDFRawStream } from 'pdf-lib';
import { inspectPdf } from '../../../file/inspection/index.js';
import { editFile, type Protection, withPdf } from '../../../file/open/index.js';
import { decodeStream } from '../../../file/reader/index.js';
import { closeCachedSources, keepInflated, startSourceCache, takeInflated } from '../../../file/source/index.js';

const CONTENT = Buffer.from('BT (one) Tj ET '.repeat(40));
const LOCK = { scheme: 'AES-256', permissions: -4 } as const;

describe('A file that is inspected and then opened', () => {
  let folder: string;
  let input: string;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'read-on-'));
    input = join(folder, 'in.pdf');
    const document = await PDFDocument.create();
    for (let n = 0; n < 3; n++) {
      const stream = PDFRawStream.of(document.context.obj({ Filter: 'FlateDecode' }), deflateSync(CONTENT));
      document.addPage([100, 200]).node.set(PDFName.of('Contents'), document.context.register(stream));
    }
    document.setTitle('Three pages');
    writeFileSync(input, await document.save({ useObjectStreams: false }));
    startSourceCache();
  });
  afterEach(() => {
    closeCachedSources();
    rmSync(folder, { recursive: true });
  });

  /** Objects that were parsed when the file is opened after an inspection. */
  const parsed = async (options: { readonly readsOn?: boolean; readonly password?: string }): Promise<number> => {
    await inspectPdf({ path: input }, { findDamage: true, ...options });
    const { readsOn: _, ...access } = options;
    return withPdf({ path: input }, { repair: false, ...access }, ({ lazy }) => [...lazy.touched.objects].length);
  };
  const locked = async (protection: Partial<Protection>): Promise<string> => {
    const target = join(folder, 'locked.pdf');
    await editFile(input, target, { protection: { ...LOCK, ...protection } }, () => undefined);
    return target;
  };

  it('is parsed once if nothing is appended to it, its information too', async () => {
    const appended = await parsed({});
    closeCachedSources();
    startSourceCache();
    expect(await parsed({ readsOn: true })).to.equal(appended + 1);
  });

  it('keeps the contents that were decoded for the check, for one reader', async () => {
    await inspectPdf({ path: input }, { findDamage: true, readsOn: true });
    await withPdf({ path: input }, {}, ({ document: { context }, pages }) => {
      for (const { dict } of pages) {
        const stream = context.lookup(dict.get(PDFName.of('Contents')));
        if (!(stream instanceof PDFRawStream)) throw new TypeError('a page has no contents');
        const read = (): Uint8Array | undefined => decodeStream(stream, (value) => value);
        // A reader may change its own copy.
        read()?.fill(0);
        expect(Buffer.from(read() ?? []).equals(CONTENT)).to.equal(true);
      }
    });
  });

  it('keeps no contents for an operation that only copies them', async () => {
    const left = async (options: { readonly keepsContents?: boolean }): Promise<number> => {
      await inspectPdf({ path: input }, { findDamage: true, readsOn: true, ...options });
      return withPdf({ path: input }, {}, ({ document: { context }, pages }) => {
        const streams = pages.map(({ dict }) => context.lookup(dict.get(PDFName.of('Contents'))) as PDFRawStream);
        return streams.filter(({ contents }) => takeInflated(contents, Infinity) !== undefined).length;
      });
    };
    expect(await left({})).to.equal(3);
    closeCachedSources();
    startSourceCache();
    expect(await left({ keepsContents: false })).to.equal(0);
  });

  it('is not given to a reader with another password', async () => {
    const path = await locked({ userPassword: 'user' });
    writeFileSync(input, readFileSync(path));
    closeCachedSources();
    startSourceCache();
    const inspect = (): Promise<unknown> => inspectPdf({ path: input }, { password: 'user', findDamage: true });
    for (const password of [undefined, '', 'other']) {
      await inspect();
      const opened = withPdf({ path: input }, password === undefined ? {} : { password }, () => 'opened');
      expect(await opened.catch((error: { code?: string }) => error.code)).to.equal('PDF_ENCRYPTED');
    }
    await inspect();
    await withPdf({ path: input }, { password: 'user' }, ({ pages }) => expect(pages).to.have.length(3));
  });
});

describe('Decoded data that is kept', () => {
  afterEach(closeCachedSources);
  const bytes = (length: number): Uint8Array => new Uint8Array(length);

  it('is given to one reader of the same array, if it is not longer than this reader allows', () => {
    startSourceCache();
    const [data, inflated] = [bytes(10), bytes(100)];
    keepInflated(data, { data: inflated, read: 9 });
    expect(takeInflated(bytes(10), 1000)).to.equal(undefined);
    expect(takeInflated(data, 99)).to.equal(undefined);
    const kept = takeInflated(data, 100);
    expect(kept).to.deep.equal({ data: inflated, read: 9 });
    expect(kept?.data).not.to.equal(inflated);
    expect(takeInflated(data, 100)).to.equal(undefined);
  });

  it('takes 16 MB at most, has room again for what was taken, and is forgotten with the run', () => {
    startSourceCache();
    const kept = Array.from({ length: 20 }, () => [bytes(10), { data: bytes(1024 * 1024), read: 9 }] as const);
    for (const [data, inflated] of kept) keepInflated(data, inflated);
    expect(kept.filter(([data]) => takeInflated(data, Infinity) !== undefined)).to.have.length(16);
    const [first] = kept;
    if (first === undefined) throw new RangeError();
    keepInflated(...first);
    closeCachedSources();
    expect(takeInflated(first[0], Infinity)).to.equal(undefined);
  });
});
