import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { callOperation, type OperationAnswer, serverForTests } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDict, PDFDocument, PDFName, PDFString } from 'pdf-lib';

describe('show-javascript over HTTP', function () {
  this.timeout(60_000);
  const server = serverForTests({ plugins: ['@quire/plugin-misc'] });

  const fixture = async (name: string): Promise<Uint8Array> =>
    new Uint8Array(await readFile(new URL(`../../fixtures/${name}`, import.meta.url)));
  const call = (name: string, bytes: Uint8Array): Promise<OperationAnswer> =>
    callOperation(server.url, { path: 'misc/show-javascript', files: [{ name, bytes }] });
  const text = ({ bytes }: OperationAnswer): string => new TextDecoder().decode(bytes);

  it('returns the scripts of the name tree, then those of actions, each after a one-line comment', async () => {
    const answer = await call('Mein Formular.v2.pdf', await fixture('scripts.pdf'));
    expect([answer.status, answer.fileName, answer.headers.get('content-type')]).to.deep.equal([
      200,
      'Mein Formular.v2.pdf.js',
      'text/plain; charset=utf-8',
    ]);
    const head = (place: string): string => `// File: Mein Formular.v2.pdf, Script: ${place}\n`;
    expect(text(answer)).to.equal(
      `${head('a init')}app.alert("Grüße");\n${head('b library')}var long = "in a stream";\n` +
        `${head('document, when it is opened')}first();\n${head('document, when it is opened')}second();\n` +
        `${head('document, before closing (WC)')}closing();\n${head('page 1, on opening (O)')}opened();\n` +
        `${head('field order.total, calculate (C)')}event.value = 1;\n`,
    );
  });

  it('says in one sentence that there are none', async () => {
    expect(text(await call('doc.pdf', await fixture('picture.pdf')))).to.equal(
      "PDF 'doc.pdf' does not contain Javascript",
    );
  });

  it('lets no name break out of its comment, and handles actions that follow themselves', async () => {
    const document = await PDFDocument.load(await fixture('scripts.pdf'), { updateMetadata: false });
    const { context } = document;
    const loop = context.obj({ S: 'JavaScript', JS: PDFString.of('again();') });
    const ref = context.register(loop);
    loop.set(PDFName.of('Next'), context.obj([ref, ref]));
    document.catalog.set(PDFName.of('OpenAction'), ref);
    document.catalog.lookup(PDFName.of('Names'), PDFDict).set(
      PDFName.of('JavaScript'),
      context.obj({
        Names: [PDFString.of('a\\nevil();\\r'), context.obj({ S: 'JavaScript', JS: PDFString.of('x') })],
      }),
    );
    const lines = text(await call('a.pdf', await document.save())).split('\n');
    expect(lines.slice(0, 2)).to.deep.equal(['// File: a.pdf, Script: a evil(); ', 'x']);
    expect(lines.filter((line) => line === 'again();')).to.have.length(1);
  });

  const corpus = new URL('../../../../../shared/corpus/', import.meta.url);
  const skipped = existsSync(corpus) ? '' : ' (skipped: no ../shared/corpus)';
  it(`finds scripts in documents from elsewhere${skipped}`, async function () {
    const files = ['pdfium/annot_javascript.pdf', 'pdfbox/AcroFormsBasicFields.pdf', 'pdfium/bug_1477093.pdf'].filter(
      (name) => existsSync(new URL(name, corpus)),
    );
    if (files.length === 0) return this.skip();
    for (const name of files) {
      const answer = await call('c.pdf', new Uint8Array(await readFile(new URL(name, corpus))));
      expect([answer.status, text(answer).startsWith('// File: c.pdf, Script: ')], name).to.deep.equal([200, true]);
    }
  });
});
