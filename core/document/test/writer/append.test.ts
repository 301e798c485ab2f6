import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDocument, PDFName, PDFNumber, PDFRef, PDFString } from 'pdf-lib';
import { walkPages } from '../../pages/index.js';
import { countPages, openLazily } from '../../reader/index.js';
import { appendBytes } from '../../writer/index.js';
import { TWO_PAGES, crossReferenceStream, latin1, layOut, table } from '../reader/support.js';

const hasQpdf = spawnSync('qpdf', ['--version']).status === 0;

function tableFile(trailer = ''): Uint8Array {
  const { text, places } = layOut(TWO_PAGES);
  return latin1(text + table(text.length, places, `/Size 5/Root 1 0 R${trailer}`));
}

function streamFile(): Uint8Array {
  const { text, places } = layOut(TWO_PAGES);
  return latin1(`${text}${crossReferenceStream(5, new Map([...places, [5, text.length]]), '/Size 6/Root 1 0 R')}startxref\n${text.length}\n%%EOF`);
}

/** Turns every page and adds an object, by append. */
function turned(source: Uint8Array): Uint8Array {
  const document = openLazily(source);
  for (const page of walkPages(document.context)) {
    page.dict.set(PDFName.of('Rotate'), PDFNumber.of(90));
  }
  const [page] = walkPages(document.context);
  page?.dict.set(PDFName.of('Note'), document.context.register(PDFString.of('new')));
  return appendBytes(document);
}

function complaint(bytes: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'writer-'));
  try {
    const path = join(folder, 'a.pdf');
    writeFileSync(path, bytes);
    return execFileSync('qpdf', ['--check', path], { encoding: 'utf8', stdio: 'pipe' }).includes('No syntax') ? '' : 'odd answer';
  } catch (error) {
    return String(error);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('appending changes', () => {
  for (const [name, source] of [['a table', tableFile()], ['a stream', streamFile()]] as const) {
    it(`continues ${name} by its own form, and leaves the original untouched in front`, async () => {
      const result = turned(source);
      expect(Buffer.from(result.subarray(0, source.length)).equals(source)).to.equal(true);
      const again = openLazily(result);
      expect(again.recovered).to.equal(false);
      expect(again.crossReference?.form).to.equal(openLazily(source).crossReference?.form);
      expect(again.crossReference?.revisions).to.have.length(2);
      expect(countPages(again)).to.equal(2);
      expect(walkPages(again.context).map(({ dict }) => dict.get(PDFName.of('Rotate'))?.toString())).to.deep.equal(['90', '90']);
      expect((await PDFDocument.load(result)).getPages().map((page) => page.getRotation().angle)).to.deep.equal([90, 90]);
      if (hasQpdf) expect(complaint(result)).to.equal('');
    });
  }

  it('can be done again and again', () => {
    const result = turned(turned(turned(streamFile())));
    expect(openLazily(result).crossReference?.revisions).to.have.length(4);
    expect(countPages(openLazily(result))).to.equal(2);
  });

  it('keeps the first half of the identifier and changes the second', () => {
    const id = (bytes: Uint8Array): string | undefined => openLazily(bytes).trailer.get(PDFName.of('ID'))?.toString();
    const result = turned(tableFile('/ID[<00112233445566778899aabbccddeeff><00112233445566778899aabbccddeeff>]'));
    expect(id(result)).to.match(/^\[ <00112233445566778899aabbccddeeff> <[\da-f]{32}> \]$/);
    expect(id(result)).not.to.match(/<0011.*<0011/);
  });

  it('gives new objects numbers that nothing has', () => {
    const document = openLazily(turned(tableFile()));
    expect(document.context.nextRef().objectNumber).to.equal(6);
    expect((document.lookup(PDFRef.of(5)) as PDFString).decodeText()).to.equal('new');
  });

  it('writes the whole cross-reference when the original had none to build on', () => {
    const file = Buffer.from(tableFile()).toString('latin1');
    for (const broken of [file.slice(0, file.lastIndexOf('xref\n0 1')), file.replace('3 0 obj', '   \n  3 0 obj').replace('4 0 obj', 'junk 4 0 obj')]) {
      const result = turned(latin1(broken));
      expect(openLazily(result).recovered).to.equal(false);
      expect(countPages(openLazily(result))).to.equal(2);
      if (hasQpdf) expect(complaint(result)).to.equal('');
    }
  });

  it('counts offsets from the header, as the original does', () => {
    const result = turned(Buffer.concat([latin1('junk before\n'), tableFile()]));
    expect(openLazily(result).recovered).to.equal(false);
    expect(openLazily(result).crossReference?.revisions).to.have.length(2);
  });
});
