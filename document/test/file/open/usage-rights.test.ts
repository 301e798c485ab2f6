import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDict, PDFDocument, PDFName, PDFNumber } from 'pdf-lib';
import { fillForm } from '../../../forms/index.js';
import { editBytes, editFile, withPdf } from '../../../file/open/index.js';
import { takeWithdrawnRights } from '../../../file/source/index.js';
import { runQpdfRaw } from '../../../engines/qpdf/index.js';

const corpus = '/work/shared/corpus';
/** The keys of the catalog's /Perms. */
const read = (bytes: Uint8Array): Promise<readonly string[]> =>
  withPdf(
    bytes,
    {},
    ({ document }) =>
      document.catalog
        .lookupMaybe(PDFName.of('Perms'), PDFDict)
        ?.keys()
        .map((key) => key.decodeText()) ?? [],
  );

/** A page with usage rights, signed as by a viewer's vendor. */
async function granted({
  form = ['FillIn'],
  certified = false,
  own = false,
}: {
  readonly form?: readonly string[];
  readonly certified?: boolean;
  readonly own?: boolean;
} = {}): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.addPage([200, 200]);
  document.getForm().createTextField('name').addToPage(document.getPage(0));
  const { context } = document;
  const rights = context.obj({
    Type: 'Sig',
    Filter: 'Adobe.PPKLite',
    Reference: [
      {
        Type: 'SigRef',
        TransformMethod: 'UR3',
        TransformParams: { Type: 'TransformParams', V: '2.2', Form: [...form], Annots: ['Create'] },
      },
    ],
  });
  const permissions = context.obj({ UR3: rights, ...(certified ? { DocMDP: { Type: 'Sig' } } : {}) });
  document.catalog.set(PDFName.of('Perms'), own ? context.register(permissions) : permissions);
  return document.save({ useObjectStreams: false });
}

describe('Usage rights', () => {
  it('are removed by changes that they do not allow, and this is reported once', async () => {
    for (const own of [false, true]) {
      const source = await granted({ own });
      for (const options of [{ mode: 'append' }, { mode: 'append', changes: 'pages' }, { mode: 'rewrite' }] as const) {
        takeWithdrawnRights();
        const result = await editBytes(
          source,
          options,
          ({ pages }) => void pages[0]?.dict.set(PDFName.of('Rotate'), PDFNumber.of(90)),
        );
        expect(
          [await read(result), takeWithdrawnRights(), takeWithdrawnRights()],
          `${JSON.stringify(options)} ${own}`,
        ).to.deep.equal([[], true, false]);
        if (options.mode === 'append')
          expect(Buffer.from(result).subarray(0, source.length).equals(Buffer.from(source))).to.equal(true);
        expect(
          (await runQpdfRaw(['--check', 'in.pdf'], { inputs: [{ name: 'in.pdf', bytes: result }], outputs: [] })).code,
        ).to.equal(0);
      }
    }
  });

  it('stay for allowed form filling, beside a certification, and on request', async () => {
    takeWithdrawnRights();
    expect(
      await read(
        await editBytes(await granted(), { mode: 'append', usageRights: 'fillIn' }, (opened) =>
          fillForm(opened, [{ name: 'name', value: 'Ada', pointer: '' }], { appends: true }),
        ),
      ),
    ).to.deep.equal(['UR3']);
    expect(
      await read(await editBytes(await granted({ certified: true }), { mode: 'append' }, () => undefined)),
    ).to.deep.equal(['UR3', 'DocMDP']);
    expect(
      await read(await editBytes(await granted(), { mode: 'append', usageRights: 'always' }, () => undefined)),
    ).to.deep.equal(['UR3']);
    expect(takeWithdrawnRights()).to.equal(false);
    expect(
      await read(
        await editBytes(
          await granted({ form: ['Export'] }),
          { mode: 'append', usageRights: 'fillIn' },
          () => undefined,
        ),
      ),
      'rights to comment alone',
    ).to.deep.equal([]);
    expect(
      await read(await editBytes(await granted(), { mode: 'rewrite', usageRights: 'always' }, () => undefined)),
      'no signature survives that',
    ).to.deep.equal([]);
    expect(
      await read(await editBytes(await granted({ certified: true }), { mode: 'rewrite' }, () => undefined)),
      'what else is there is for others to judge',
    ).to.deep.equal(['DocMDP']);
  });

  it('of real documents are removed by a change, nothing else is (skipped: no ../shared/corpus)', async function () {
    const files = ['pikepdf/form_dd0293.pdf', 'pdf-lib/sample_form.pdf']
      .map((name) => join(corpus, name))
      .filter((path) => existsSync(path));
    if (files.length === 0) return this.skip();
    this.timeout(20_000);
    let count = 0;
    const folder = mkdtempSync(join(tmpdir(), 'quire-rights-'));
    try {
      for (const path of files) {
        expect(await read(readFileSync(path))).to.deep.equal(['UR3']);
        for (const [options, left] of [
          [{ mode: 'append', changes: 'pages' }, []],
          [{ mode: 'append', usageRights: 'fillIn' }, ['UR3']],
          [{ mode: 'rewrite' }, []],
        ] as const) {
          const target = join(folder, `${++count}.pdf`);
          await editFile(
            path,
            target,
            options,
            ({ pages }) => void pages[0]?.dict.set(PDFName.of('Rotate'), PDFNumber.of(90)),
          );
          expect(await read(readFileSync(target)), path).to.deep.equal(left);
          const { code, stderr } = await runQpdfRaw(['--check', 'in.pdf'], {
            inputs: [{ name: 'in.pdf', bytes: readFileSync(target) }],
            outputs: [],
          });
          expect(code, stderr).to.be.oneOf([0, 3]);
        }
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
