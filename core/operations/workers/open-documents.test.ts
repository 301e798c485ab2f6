import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect } from 'chai';
import { editFile } from '@quire/document/file/open';
import { closeCachedSources, startSourceCache } from '@quire/document/file/source';
import { PDFName, PDFNumber } from 'pdf-lib';
import { pdfOfObjects } from '../../../test/kit/pdf-of-objects.js';
import { workerDocuments } from './open-documents.js';
import type { WireFile } from './wire-file.js';

/** One page, whose content contradicts its checksum if `flipped`. */
function onePage(flipped: boolean): Buffer {
  const content = deflateSync(Buffer.from('BT 9 9 Td (Some words to read) Tj ET\n'.repeat(20)));
  if (flipped) content[content.length - 2] = (content[content.length - 2] ?? 0) ^ 0x55;
  return pdfOfObjects([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<<>>>>',
    `<</Filter/FlateDecode/Length ${content.length}>>\nstream\n${content.toString('latin1')}\nendstream`,
  ]);
}

describe('what one step finds out about a file for the next', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-sound-'));
    path = join(folder, 'in.pdf');
  });
  afterEach(() => {
    closeCachedSources();
    rmSync(folder, { recursive: true });
  });

  const wire = (at: string, sound?: string): WireFile => ({
    name: 'a.pdf',
    kind: 'pdf',
    path: at,
    size: statSync(at).size,
    ...(sound === undefined ? {} : { sound }),
  });
  /** A run of its own, as each step is one. */
  const step = async <T>(work: () => Promise<T>): Promise<T> => {
    startSourceCache();
    try {
      return await work();
    } finally {
      closeCachedSources();
    }
  };
  const lostIn = async (file: WireFile): Promise<readonly string[]> =>
    (await workerDocuments.inspect([file], 10, {})).damage.lost;
  const identityOf = async (at: string): Promise<string | undefined> =>
    (await workerDocuments.soundIdentities([wire(at)]))[0];
  const turn = (from: string, to: string): Promise<void> =>
    editFile(from, to, { mode: 'append' }, ({ pages }) => {
      for (const { dict } of pages) dict.set(PDFName.of('Rotate'), PDFNumber.of(90));
    });
  const identity = (at: string): string => {
    const { ino, size, mtimeNs } = statSync(at, { bigint: true });
    return `${ino}-${size}-${mtimeNs}`;
  };

  it('has an identity for a file without damage, and for one that our writer wrote', async () => {
    writeFileSync(path, onePage(false));
    const result = join(folder, 'out.pdf');
    await step(async () => {
      expect(await identityOf(path), 'before it was searched').to.equal(undefined);
      expect(await lostIn(wire(path))).to.deep.equal([]);
      await turn(path, result);
      expect(await identityOf(path)).to.equal(identity(path));
      expect(await identityOf(result)).to.equal(identity(result));
    });
    await step(async () => expect(await identityOf(result), 'in another run').to.equal(undefined));
  });

  it('has none for a damaged file, nor for one that something else wrote', async () => {
    writeFileSync(path, onePage(true));
    const other = join(folder, 'other.pdf');
    await step(async () => {
      expect(await lostIn(wire(path))).to.have.length(1);
      expect(await identityOf(path)).to.equal(undefined);
      writeFileSync(other, onePage(false));
      expect(await identityOf(other)).to.equal(undefined);
    });
  });

  it('has none for a result that was written again after our writer', async () => {
    writeFileSync(path, onePage(false));
    const result = join(folder, 'out.pdf');
    await step(async () => {
      await turn(path, result);
      writeFileSync(result, onePage(true));
      expect(await identityOf(result)).to.equal(undefined);
    });
  });

  it('spares the search by inspection and work alike as long as the file is the same', async () => {
    writeFileSync(path, onePage(true));
    const found = identity(path);
    const target = (name: string): string => join(folder, name);
    await step(async () => {
      expect(await lostIn(wire(path, found))).to.deep.equal([]);
      await turn(path, target('a.pdf'));
      expect((await workerDocuments.damageMet([wire(path)], [])).lost).to.deep.equal([]);
    });
    await step(async () => {
      await turn(path, target('b.pdf'));
      expect((await workerDocuments.damageMet([wire(path)], [])).lost).to.have.length(1);
    });
    writeFileSync(path, onePage(true));
    // A clock of the file system may stand still for some milliseconds.
    utimesSync(path, 1, 1);
    await step(async () => expect(await lostIn(wire(path, found)), 'written since').to.have.length(1));
    rmSync(path);
    await step(async () => {
      const gone = await lostIn({ ...wire(folder, found), path }).catch(({ code }: { code: string }) => code);
      expect(gone).to.equal('ENOENT');
    });
  });
});
