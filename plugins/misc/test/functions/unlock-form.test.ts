import { expect } from 'chai';
import { type PDFDict, PDFDocument, PDFName, type PDFRawStream } from 'pdf-lib';
import { asNumber, catalogOf, elements, entry, resolve } from '@quire/document/file/objects';
import { openPdf } from '@quire/document/file/open';
import { acroFormOf, allFieldNodes, readFields } from '@quire/document/forms/fields';
import { decodeStream } from '@quire/document/file/reader';
import { unlockForm, withOpenAccess } from '../../src/functions/unlock-form.js';
import { unlockPdfForms } from '../../src/operations/unlock-pdf-forms.op.js';
import { fixture, pageText, runOn } from '../operations/recolour-support.js';

describe('unlocking a form', function () {
  this.timeout(30_000);

  it('clears only the read-only flag, removes locks, and requests new appearances', async () => {
    const before = await openPdf(await fixture('form.pdf'));
    const flags = [...allFieldNodes(readFields(before.document.context))].map(
      ({ dict }) => asNumber(before.document.context, entry(dict, 'Ff')) ?? 0,
    );
    const {
      document: { context },
    } = await openPdf(await runOn(unlockPdfForms, await fixture('form.pdf'), {}));
    const nodes = [...allFieldNodes(readFields(context))];
    expect(nodes.map(({ dict }) => asNumber(context, entry(dict, 'Ff')) ?? 0)).to.deep.equal(
      flags.map((value) => value & ~1),
    );
    expect(flags.filter((value) => (value & 1) === 1).length).to.equal(8);
    expect(nodes.filter(({ dict }) => entry(dict, 'Lock') !== undefined)).to.deep.equal([]);
    expect(resolve(context, entry(acroFormOf(context)!, 'NeedAppearances'))?.toString()).to.equal('true');
  });

  it('unlocks XFA in parts and as one stream', async () => {
    for (const whole of [false, true]) {
      const document = await PDFDocument.load(await fixture('form.pdf'));
      const form = document.catalog.lookup(PDFName.of('AcroForm')) as PDFDict;
      const template = elements(document.context, entry(form, 'XFA'))[3]!;
      if (whole) form.set(PDFName.of('XFA'), template);
      expect(unlockForm(document.context)).to.deep.equal({ fields: 8, xfaParts: 1 });
      const stream = resolve(document.context, template) as PDFRawStream;
      const xml = Buffer.from(decodeStream(stream, (value) => resolve(document.context, value))!).toString();
      expect(xml)
        .to.contain('<subform access="open" name="form">')
        .and.contain('access = "open"/>')
        .and.contain('<!-- access="readOnly" -->');
    }
  });

  it('leaves scripts, texts and other access unchanged', () => {
    const kept =
      '<a access="protected"/><b>access="readOnly"</b><![CDATA[<c access="readOnly"/>]]><d my.access="readOnly"/>' +
      '<e title="x access=" f="readOnly"/>';
    expect(withOpenAccess(kept)).to.equal(kept);
    expect(withOpenAccess('<f\n access="readOnly"\ttitle=\'<\'/>')).to.equal('<f\n access="readOnly"\ttitle=\'<\'/>');
    expect(withOpenAccess('<f\n access="readOnly"\ttitle=\'>\'/>')).to.equal('<f\n access="open"\ttitle=\'>\'/>');
  });

  it('handles XFA of any length in one pass', () => {
    for (const part of ['<!--', '<![CDATA[', '<a b="', '<a b="" ', '<a access="readOnly" ']) {
      const open = part.repeat(200_000);
      expect(withOpenAccess(open) === open, part).to.equal(true);
    }
  });

  it('leaves a document without a form unchanged, and keeps the bytes before an appended part', async () => {
    const plain = await fixture('picture.pdf');
    const result = await runOn(unlockPdfForms, plain, {});
    expect((await pageText(result)).trim()).to.equal('Rings');
    expect(catalogOf((await openPdf(result)).document.context)!.has(PDFName.of('AcroForm'))).to.equal(false);
    const form = await fixture('form.pdf');
    const appended = await runOn(unlockPdfForms, form, {}, { writing: 'append' });
    expect(Buffer.from(appended.subarray(0, form.length)).equals(form)).to.equal(true);
  });
});
