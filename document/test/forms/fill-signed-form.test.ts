import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { PDFDict, type PDFDocument, PDFHexString, PDFName, PDFString } from 'pdf-lib';
import { type FieldInput, fillForm } from '../../forms/index.js';
import { asDict, asText, elements, entry, resolve, catalogOf } from '../../file/objects/index.js';
import { openPdf } from '../../file/open/index.js';
import { acroFormOf } from '../../forms/fields/index.js';
import { SigningDesk, verdictOf } from '../signatures/signing-desk.js';
import { name, text } from './forms-support.js';
import { valuesOf, refusal } from './fill-support.js';

describe('fillForm for signed documents', function () {
  this.timeout(60_000);

  let desk: SigningDesk;
  before(async () => {
    desk = await SigningDesk.open();
  });
  after(() => desk.close());

  const fillFile = (path: string, values: Readonly<Record<string, FieldInput>>): Promise<string> =>
    desk.append(path, (opened) => fillForm(opened, valuesOf(values), { appends: true }));
  const source = (change: (document: PDFDocument) => void = () => undefined): Promise<string> =>
    desk.plain((document) => {
      const form = document.getForm();
      for (const [i, field] of ['Name', 'Sum'].entries())
        form.createTextField(field).addToPage(document.getPage(0), { x: 20, y: 20 + i * 40, width: 100, height: 20 });
      const box = form.createCheckBox('Agreed');
      box.addToPage(document.getPage(0), { x: 200, y: 20, width: 20, height: 20 });
      change(document);
    });
  const pdfsig = (path: string): string | undefined => {
    try {
      return execFileSync('pdfsig', ['-nocert', path], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  };

  it('keeps a certification that allows it, verified by Quire and by another program', async () => {
    const signed = await desk.sign(await source(), { certifies: 2 });
    const path = await fillFile(signed, { Name: 'Grüße 東京', Agreed: 'true' });
    const [review] = await desk.review(path);
    expect(verdictOf(review)).to.equal('valid, allowed');
    expect(review!.changes!.what).to.deep.equal(['the field "Name" was filled in', 'the field "Agreed" was filled in']);
    expect(
      readFileSync(path).subarray(0, readFileSync(signed).length).equals(readFileSync(signed)),
      'every signed byte',
    ).to.equal(true);
    const other = pdfsig(path);
    if (other !== undefined) expect(other).to.contain('Signature is Valid').and.not.to.contain('Invalid');
    const twice = await fillFile(path, { Name: 'Grüße 東京', Sum: '5' });
    expect((await desk.review(twice)).map(verdictOf)).to.deep.equal(['valid, allowed']);
  });

  it('rejects fields that a signature locks, and fills in the others', async () => {
    const lock = { Type: 'SigFieldLock', Action: 'Include', Fields: [PDFString.of('Sum')] };
    const locked = await desk.sign(
      await source((document) => {
        const { context } = document;
        const field = context.register(
          context.obj({
            Type: 'Annot',
            Subtype: 'Widget',
            FT: 'Sig',
            T: PDFString.of('Approval'),
            F: 132,
            Rect: [0, 0, 0, 0],
            P: document.getPage(0).ref,
            Lock: lock,
          } as never),
        );
        document.getForm().acroForm.addField(field);
        document.getPage(0).node.addAnnot(field);
      }),
      { certifies: 2 },
    );
    // Signed by hand, like a program that fills the reserved field.
    const path = await desk.append(locked, ({ document: { context } }) => {
      const approval = elements(context, entry(acroFormOf(context)!, 'Fields'))
        .map((value) => asDict(context, value)!)
        .find((dict) => asText(context, entry(dict, 'T')) === 'Approval')!;
      approval.set(
        PDFName.of('V'),
        context.register(context.obj({ Type: 'Sig', ByteRange: [0, 1, 2, 3], Contents: PDFHexString.of('00') })),
      );
    });
    const { code, errors } = await refusal(fillFile(path, { Name: 'ok', Sum: '1' }));
    expect([code, errors]).to.deep.equal([
      'FIELD_LOCKED',
      [{ pointer: '/data/Sum', detail: 'the field "Sum" is locked by the signature in "Approval"' }],
    ]);
    const { document } = await openPdf(readFileSync(await fillFile(path, { Name: 'ok' })));
    expect(
      asText(
        document.context,
        entry(
          asDict(document.context, elements(document.context, entry(acroFormOf(document.context)!, 'Fields'))[0])!,
          'V',
        ),
      ),
    ).to.equal('ok');
  });

  it('refuses to remove XFA from a signed document', async () => {
    const signed = await desk.sign(
      await desk.append(await source(), ({ document }) => {
        acroFormOf(document.context)!.set(name('XFA'), text('x'));
      }),
    );
    expect((await refusal(fillFile(signed, { Name: 'x' }))).code).to.equal('PDF_SIGNED');
    const { document } = await openPdf(readFileSync(await fillFile(signed, { nobody: 'x' })));
    expect(resolve(document.context, entry(acroFormOf(document.context)!, 'XFA'))).not.to.equal(undefined);
    expect(catalogOf(document.context)).to.be.instanceOf(PDFDict);
  });
});
