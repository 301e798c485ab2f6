import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDocument, PDFName, PDFNumber } from 'pdf-lib';
import { inspectPdf, inspectResult } from '../../../file/inspection/index.js';
import { editFile, type OpenedPdf, withPdf, writePdf } from '../../../file/open/index.js';
import { closeCachedSources, startSourceCache } from '../../../file/source/index.js';
import { SigningDesk } from '../../signatures/signing-desk.js';

function turnTo({ pages }: OpenedPdf, angle: number): void {
  for (const { dict } of pages) dict.set(PDFName.of('Rotate'), PDFNumber.of(angle));
}

describe('an input that nobody reads after the run', () => {
  let folder: string;
  let input: string;
  let output: string;
  let bytes: Buffer;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'spent-'));
    [input, output] = [join(folder, 'in.pdf'), join(folder, 'out.pdf')];
    const document = await PDFDocument.create();
    document.addPage([100, 200]);
    document.addPage([100, 200]);
    bytes = Buffer.from(await document.save());
    writeFileSync(input, bytes);
  });
  afterEach(() => {
    closeCachedSources();
    rmSync(folder, { recursive: true });
  });

  const turn = (target: string, spendsInput = true): Promise<void> =>
    editFile(input, target, { mode: 'append', spendsInput }, (opened) => turnTo(opened, 90));
  const isSameFile = (a: string, b: string): boolean => statSync(a).ino === statSync(b).ino;
  const anglesOf = async (path: string): Promise<number[]> =>
    (await PDFDocument.load(readFileSync(path))).getPages().map((page) => page.getRotation().angle);

  it('is continued by its result, which begins with its bytes', async () => {
    startSourceCache([input]);
    await inspectPdf({ path: input });
    await turn(output);
    expect(isSameFile(input, output)).to.equal(true);
    expect(readFileSync(output).subarray(0, bytes.length).equals(bytes)).to.equal(true);
    expect(await anglesOf(output)).to.deep.equal([90, 90]);
    expect(await inspectResult({ path: output }, 2)).to.deep.equal({ pages: 2, engine: 'pdfium' });
  });

  it('is what it was for readers of its path, for the rest of the run', async () => {
    startSourceCache([input]);
    await inspectPdf({ path: input });
    await editFile(input, output, { mode: 'append', spendsInput: true }, ({ document }) => {
      document.addPage();
    });
    expect((await inspectPdf({ path: output })).pages).to.equal(3);
    expect((await inspectPdf({ path: input })).pages).to.equal(2);
    await withPdf({ path: input }, {}, ({ pages }) => expect(pages).to.have.length(2));
  });

  it('gives a second result its own bytes, not those of the first', async () => {
    startSourceCache([input]);
    await inspectPdf({ path: input });
    await withPdf({ path: input }, {}, (opened) => {
      const options = { mode: 'append', spendsInput: true, changes: 'pages' } as const;
      turnTo(opened, 90);
      writePdf(opened, output, options);
      turnTo(opened, 180);
      writePdf(opened, `${output}2`, options);
    });
    expect([isSameFile(input, output), isSameFile(input, `${output}2`)]).to.deep.equal([true, false]);
    const [first, second] = [readFileSync(output), readFileSync(`${output}2`)];
    expect([first, second].map((file) => file.subarray(0, bytes.length).equals(bytes))).to.deep.equal([true, true]);
    expect(second.indexOf('/Rotate 90')).to.equal(-1);
    expect([await anglesOf(output), await anglesOf(`${output}2`)]).to.deep.equal([
      [90, 90],
      [180, 180],
    ]);
  });

  it('stays as it is unless the run and the operation give it up', async () => {
    await turn(output);
    startSourceCache();
    await inspectPdf({ path: input });
    await turn(`${output}2`);
    startSourceCache([input]);
    await inspectPdf({ path: input });
    await turn(`${output}3`, false);
    expect(readFileSync(input).equals(bytes)).to.equal(true);
    for (const path of [output, `${output}2`, `${output}3`]) expect(await anglesOf(path)).to.deep.equal([90, 90]);
  });

  it('stays as it is when it was not inspected, or is signed', async () => {
    startSourceCache([input]);
    await turn(output);
    expect(readFileSync(input).equals(bytes)).to.equal(true);
    const desk = await SigningDesk.open();
    try {
      input = await desk.sign(await desk.plain());
      const signed = readFileSync(input);
      startSourceCache([input]);
      expect((await inspectPdf({ path: input })).signed).to.equal(true);
      await turn(`${output}2`);
      expect(readFileSync(input).equals(signed)).to.equal(true);
    } finally {
      await desk.close();
    }
  });

  it('is never put in place of another file', async () => {
    writeFileSync(output, 'mine');
    startSourceCache([input]);
    await inspectPdf({ path: input });
    const error = await turn(output).catch((fault: unknown) => fault);
    expect(error).to.have.property('code', 'EEXIST');
    expect(readFileSync(output, 'utf8')).to.equal('mine');
    expect(existsSync(input)).to.equal(true);
  });
});
