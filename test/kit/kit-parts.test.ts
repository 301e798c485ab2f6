import { deflateSync } from 'node:zlib';
import { expect } from 'chai';
import { resavePdf } from '@quire/document/engines/pdfium';
import { definePlugin, isQuireError, tokens } from '@quire/registry';
import { type PluginShape, narrowings } from './operation-shape.js';
import { raisesMajor } from './conformance/compatibility-section.js';
import { Subject } from './conformance/subject.js';
import { holdsText, withEarlierRevision } from './earlier-revision.js';
import { expectPdf, readPdf } from './expect-pdf.js';
import { fakeContext } from './fake-context.js';
import { fakeFile } from './fake-file.js';
import { hostileFiles, lockedPassword } from './hostile-files.js';
import { makePdf } from './make-pdf.js';

async function failure(work: PromiseLike<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  return expect.fail('did not fail');
}

describe('a sample of the conformance kit', () => {
  const plugin = definePlugin({ operations: [] });
  const folder = new URL('.', import.meta.url);
  const values = ['a', 'b', 'c', 'd', 'e'];

  it('gives the next values at each turn, until all were used', () => {
    const sample = new Subject(plugin, folder, true);
    expect([0, 1, 2].map((turn) => sample.some(values, 2, turn).join(''))).to.deep.equal(['ab', 'cd', 'ae']);
    expect(sample.some(values, 9, 3)).to.deep.equal(values);
  });

  it('is not taken unless it is asked for', () => {
    expect(new Subject(plugin, folder).some(values, 2, 1)).to.deep.equal(values);
  });
});

describe('generated PDFs', () => {
  it('have the requested pages, text and size', async () => {
    const bytes = await makePdf({
      pages: 3,
      text: (n) => `Total ${n}`,
      size: [300, 400],
      outlines: { One: 1, Three: 3 },
      fields: { name: 'Ada' },
    });
    await expectPdf(bytes)
      .pages(3)
      .text(1, /Total 1/)
      .text(3, 'Total 3')
      .size(2, 300, 400)
      .rotation(1, 0)
      .noText(/Total 4/);
  });

  it('are the same bytes for the same options', async () => {
    expect(Buffer.from(await makePdf({ pages: 2 })).equals(Buffer.from(await makePdf({ pages: 2 })))).to.equal(true);
  });
});

describe('assertions on PDFs', () => {
  it('name the wrong page', async () => {
    const bytes = await makePdf({ pages: 1 });
    expect(String(await failure(expectPdf(bytes).pages(2)))).to.include('page count');
    expect(String(await failure(expectPdf(bytes).text(1, 'Invoice')))).to.include('text of page 1');
    expect(String(await failure(expectPdf(bytes).text(2, 'Invoice')))).to.include('there is no page 2');
  });
});

describe('earlier revisions', () => {
  it('show the current document, and keep the earlier text in the file', async () => {
    const before = await makePdf({ pages: 2, text: 'Now', fields: { name: 'Ada' } });
    const bytes = await withEarlierRevision(before, 'Its earlier text');
    await expectPdf(bytes).pages(2).text(1, /Now/);
    expect([
      holdsText(bytes, 'Its earlier text'),
      holdsText(before, 'Its earlier text'),
      holdsText(await resavePdf(bytes), 'Its earlier text'),
    ]).to.deep.equal([true, false, false]);
    const text = Buffer.from(bytes).toString('latin1');
    expect(text.match(/QuireMark/g), 'only the earlier revision has the mark').to.have.length(1);
    expect(text.match(/%%EOF/g)).to.have.length(3);
  });

  it('are found in compressed streams and in hexadecimal', () => {
    const packed = Buffer.concat([
      Buffer.from('1 0 obj\n<</Filter/FlateDecode>>\nstream\r\n'),
      deflateSync(Buffer.from('(a secret word)')),
      Buffer.from('\nendstream'),
    ]);
    expect([
      holdsText(packed, 'secret'),
      holdsText(packed, 'another'),
      holdsText(Buffer.from('<736563726574>'), 'secret'),
      holdsText(Buffer.from('<FEFF007300650063007200650074>'), 'secret'),
    ]).to.deep.equal([true, false, true, true]);
  });
});

describe('hostile files', () => {
  it('have the defects that their titles name', async () => {
    for (const file of hostileFiles().filter(
      ({ mayWork, title }) => !mayWork && title !== 'a document without pages',
    )) {
      expect(isQuireError(await failure(readPdf(file.bytes))), file.title).to.equal(true);
    }
    const none = hostileFiles().find(({ name }) => name === 'no-pages.pdf');
    const pages = await readPdf(none?.bytes ?? new Uint8Array()).then(
      (facts) => facts.pages,
      () => 0,
    );
    expect(pages).to.equal(0);
  });

  it('open with the password when they are encrypted', async () => {
    const locked = hostileFiles().find(({ name }) => name === 'locked.pdf');
    await expectPdf(locked?.bytes ?? new Uint8Array(), lockedPassword)
      .pages(1)
      .text(1, 'Secret');
  });
});

describe('the fake context', () => {
  it('records what an operation created, reported and used', async () => {
    const context = await fakeContext({ settings: { 'system.maxDPI': 300 } });
    const input = fakeFile('report.pdf', await makePdf({ pages: 1 }));
    const output = await context.output(input, await input.bytes(), { n: 2 });
    context.report({ engine: 'none' });
    context.progress(1, 2);
    expect(output).to.include({ name: 'report_2.pdf', kind: 'pdf' });
    expect(context.outputs).to.deep.equal([output]);
    expect(context.reports).to.deep.equal({ engine: 'none' });
    expect(context.progressed).to.deep.equal([[1, 2]]);
    expect(context.use(tokens.settings).get('system.maxDPI')).to.equal(300);
    expect(() => context.use(tokens.officeToPdf)).to.throw();
    await context.cleanup();
  });
});

describe('the comparison of published contracts', () => {
  const field = { type: 'number', required: false, default: 5, min: 1, max: 9 };
  const shape = (changes: object = {}): PluginShape => ({
    version: '1.0.0',
    operations: {
      'misc/x': {
        accepts: ['pdf'],
        files: 'each',
        returns: 'pdf',
        fields: { quality: field },
        aliases: {},
        parts: [],
        ...changes,
      },
    },
  });

  it('finds no narrowing in an equal or a wider contract', () => {
    expect(narrowings(shape(), shape())).to.deep.equal([]);
    expect(
      narrowings(
        shape(),
        shape({ accepts: ['pdf', 'png'], fields: { quality: { ...field, max: 20 }, extra: { ...field } } }),
      ),
    ).to.deep.equal([]);
    expect(narrowings(shape(), shape({ accepts: ['any'] }))).to.deep.equal([]);
  });

  it('reports every narrowing', () => {
    const cases: readonly (readonly [object, RegExp])[] = [
      [{ fields: {} }, /quality was removed/],
      [{ fields: { quality: { ...field, min: 2 } } }, /minimum is now 2/],
      [{ fields: { quality: { ...field, allowed: [1, 2] } } }, /no longer accepts/],
      [{ fields: { quality: { ...field, type: 'string' } } }, /is now string/],
      [{ fields: { quality: { ...field, default: 6 } } }, /default/],
      [{ fields: { quality: field, extra: { ...field, required: true } } }, /extra is now required/],
      [{ accepts: ['png'] }, /file type pdf/],
      [{ returns: 'zip' }, /returned pdf/],
    ];
    for (const [changes, words] of cases) expect(narrowings(shape(), shape(changes)).join('\n')).to.match(words);
    expect(narrowings(shape(), { version: '1.0.0', operations: {} })).to.deep.equal([
      'misc/x: the operation was removed',
    ]);
  });

  it('accepts a narrowing with a new major version, or a new minor one below 1.0.0', () => {
    expect(raisesMajor('1.4.0', '2.0.0')).to.equal(true);
    expect(raisesMajor('1.4.0', '1.5.0')).to.equal(false);
    expect(raisesMajor('0.1.0', '0.2.0')).to.equal(true);
    expect(raisesMajor('0.1.0', '0.1.1')).to.equal(false);
  });
});
