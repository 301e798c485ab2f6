import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { PDFArray, PDFDict, type PDFDocument, PDFRef, PDFString } from 'pdf-lib';
import type { SigningDesk } from './signing-desk.js';
import { verdictOf } from './signing-desk.js';
import { annotate, N, partsOf, signedForm, widget } from './signed-form.js';

describe('changes after a signature', function () {
  this.timeout(30_000);
  let desk: SigningDesk;
  let source: string;
  let signed: string;

  before(async () => ({ desk, source, signed } = await signedForm()));
  after(() => desk.close());

  const verdicts = async (path: string): Promise<string[]> => (await desk.review(path)).map(verdictOf);

  it('other page content', async () => {
    const path = await desk.append(signed, ({ document }) => {
      const { context, page } = partsOf(document);
      page.set(N('Contents'), context.register(context.stream('BT (Pay 999 to Eve) Tj ET')));
    });
    expect((await verdicts(path))[0]).to.contain('/Contents of page 1 was changed');
  });

  it('the same content object with other content', async () => {
    const path = await desk.append(signed, ({ document }) => {
      const { context, page } = partsOf(document);
      const contents = page.get(N('Contents'));
      const ref = contents instanceof PDFRef ? contents : ((contents as PDFArray).get(0) as PDFRef);
      context.assign(ref, context.stream('BT (Pay 999 to Eve) Tj ET'));
    });
    expect((await verdicts(path))[0]).to.match(/content of a page was changed|object under \/Contents/);
  });

  it('pages added or removed, and a later signature vouches for nothing', async () => {
    const path = await desk.sign(await desk.append(signed, ({ document }) => void document.addPage([100, 100])));
    const [first, second] = await verdicts(path);
    expect(first).to.contain('the document had 1 page(s) and has 2');
    expect(second).to.equal('valid, none');
  });

  it('annotations, scripts and names', async () => {
    const noted = await desk.append(signed, ({ document }) =>
      annotate(document, widget(document.context, { Subtype: 'FreeText' })),
    );
    expect((await verdicts(noted))[0]).to.equal('an annotation was added to page 1 (FreeText)');
    const scripted = await desk.append(signed, ({ document }) =>
      document.catalog.set(
        N('Names'),
        document.context.obj({
          JavaScript: { Names: [PDFString.of('x'), { S: 'JavaScript', JS: PDFString.of('app.alert(1)') }] },
        }),
      ),
    );
    expect((await verdicts(scripted))[0]).to.contain('/Names of the document catalog was added');
  });

  it('an annotation that is written within its page, or that is an object, with another place or look', async () => {
    for (const inline of [true, false]) {
      const noted = await desk.sign(
        await desk.plain((document) => {
          const { context, page } = partsOf(document);
          const ref = widget(context, { Subtype: 'Square' });
          page.set(N('Annots'), context.obj([inline ? context.lookup(ref, PDFDict) : ref]));
        }),
      );
      const moved = await desk.append(noted, ({ document }) =>
        partsOf(document)
          .page.lookup(N('Annots'), PDFArray)
          .lookup(0, PDFDict)
          .set(N('Rect'), document.context.obj([0, 0, 300, 200])),
      );
      expect((await verdicts(moved))[0]).to.match(/^an annotation (?:of page 1 )?was changed/);
    }
  });

  it('fields: a moved one, a new one, a removed one, a look that is not its value', async () => {
    const moved = await desk.append(signed, ({ document }) =>
      document
        .getForm()
        .getTextField('Name')
        .acroField.dict.set(N('Rect'), document.context.obj([0, 0, 300, 200])),
    );
    expect((await verdicts(moved))[0]).to.equal('/Rect of the field "Name" was changed');
    const added = await desk.append(signed, ({ document }) =>
      document.getForm().createTextField('Evil').addToPage(document.getPage(0)),
    );
    expect((await verdicts(added))[0]).to.contain('the field "Evil" was added');
    const removed = await desk.append(signed, ({ document }) =>
      partsOf(document).form?.lookup(N('Fields'), PDFArray).remove(0),
    );
    expect((await verdicts(removed))[0]).to.contain('was removed');
    const masked = await desk.append(signed, ({ document }) => {
      const { context } = document;
      const dict = document.getForm().getTextField('Name').acroField.getWidgets()[0]?.dict;
      dict?.set(
        N('AP'),
        context.obj({
          N: context.register(
            context.stream('BT (Eve) Tj ET', { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 100, 20] }),
          ),
        }),
      );
    });
    expect((await verdicts(masked))[0]).to.equal('the field "Name" looks different although its value is the same');
  });

  it('an appearance changed in its own place, of a text, a box or a button', async () => {
    const forms = await desk.sign(
      await desk.plain((document) => {
        const form = document.getForm();
        form.createTextField('Text').addToPage(document.getPage(0));
        form.createCheckBox('Box').addToPage(document.getPage(0));
        form.createButton('Button').addToPage('Push', document.getPage(0));
      }),
    );
    for (const name of ['Text', 'Box', 'Button']) {
      const path = await desk.append(forms, ({ document }) => {
        let at = document.getForm().getField(name).acroField.getWidgets()[0]?.dict.lookup(N('AP'), PDFDict).get(N('N'));
        if (!(at instanceof PDFRef)) at = (at as PDFDict).values()[0];
        document.context.assign(
          at as PDFRef,
          document.context.stream('1 g 0 0 99 99 re f', { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 99, 99] }),
        );
      });
      expect((await verdicts(path))[0]).to.equal(`the field "${name}" looks different although its value is the same`);
    }
    const ticked = await desk.append(forms, ({ document }) => document.getForm().getCheckBox('Box').check());
    expect((await verdicts(ticked))[0]).to.equal('valid, allowed');
  });

  it('the fonts of the form with other letters; more of them are allowed', async () => {
    const font = (document: PDFDocument, name: string): void => {
      const { context, form } = partsOf(document);
      const fonts = form?.lookup(N('DR'), PDFDict).lookup(N('Font'), PDFDict);
      fonts?.set(N(name), context.register(context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Courier' })));
    };
    expect((await verdicts(await desk.append(signed, ({ document }) => font(document, 'More'))))[0]).to.equal(
      'valid, allowed',
    );
    const lettered = await desk.append(signed, ({ document }) => {
      const fonts = partsOf(document).form?.lookup(N('DR'), PDFDict).lookup(N('Font'), PDFDict);
      const ref = fonts?.values()[0] as PDFRef;
      document.context.lookup(ref, PDFDict).set(N('Encoding'), document.context.obj({ Differences: [65, N('Z')] }));
    });
    expect((await verdicts(lettered))[0]).to.match(/font was changed/);
  });

  it('a visible signature field without a signature that holds', async () => {
    const path = await desk.append(signed, ({ document }) => {
      const { context, form } = partsOf(document);
      const ref = widget(context, { Subtype: 'Widget', FT: 'Sig', T: PDFString.of('Evil') });
      annotate(document, ref);
      form?.lookup(N('Fields'), PDFArray).push(ref);
    });
    expect((await verdicts(path))[0]).to.contain(
      'the visible signature field "Evil" was added without a signature that holds',
    );
    // One whose value does not hold is none either.
    const forged = desk.tamper(await desk.sign(signed), (text) => {
      const at = text.lastIndexOf('/Contents');
      return (
        `${text.slice(0, at + 200)}${text.slice(at + 200, at + 240).replace(/[\da-f]/gi, '7')}` +
        `${text.slice(at + 240)}`
      );
    });
    expect((await verdicts(forged))[1]).not.to.match(/^valid/);
  });

  it('what hid or showed content taken away or exchanged (shadow attacks: hide, replace)', async () => {
    const overlaid = await desk.sign(
      await desk.plain((document) => {
        const { context, page } = partsOf(document);
        const overlay = context.register(
          context.stream('1 g 0 0 300 200 re f', { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 300, 200] }),
        );
        page.setXObject(N('Over'), overlay);
        page.addContentStream(context.register(context.stream('/Over Do')));
      }),
    );
    const overlayOf = (document: PDFDocument): PDFRef =>
      partsOf(document).page.Resources()?.lookup(N('XObject'), PDFDict).get(N('Over')) as PDFRef;
    const hidden = await desk.append(overlaid, ({ document }) =>
      document.context.assign(
        overlayOf(document),
        document.context.stream('', { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 1, 1] }),
      ),
    );
    expect((await verdicts(hidden))[0]).to.contain('a part of page content was changed');
    const freed = await desk.append(overlaid, ({ document }) => void document.context.delete(overlayOf(document)));
    expect((await verdicts(freed))[0]).to.contain('a part of page content was changed');
    const fonts = await desk.append(signed, ({ document }) => {
      const font = partsOf(document).page.Resources()?.lookup(N('Font'), PDFDict).values()[0];
      if (font instanceof PDFRef)
        document.context
          .lookup(font, PDFDict)
          .set(N('Encoding'), document.context.obj({ Differences: [49, N('nine')] }));
    });
    expect((await verdicts(fonts))[0]).to.contain('a font was changed');
  });

  it('a cross-reference that points to what was hidden in the signed part (hide and replace)', async () => {
    let number = 0;
    const prepared = await desk.sign(
      await desk.append(source, ({ document }) => {
        const { context, page } = partsOf(document);
        const contents = page.get(N('Contents'));
        const ref = (contents instanceof PDFArray ? contents.get(0) : contents) as PDFRef;
        number = ref.objectNumber;
        context.assign(ref, context.stream('BT (Pay 1 to Bob) Tj ET'));
      }),
    );
    const text = readFileSync(prepared, 'latin1');
    const places = [...text.matchAll(new RegExp(`\\b${number} 0 obj`, 'g'))].map(({ index }) => index);
    expect(places).to.have.length(2);
    const [size, root, previous] = [
      /\/Size (\d+)/.exec(text.slice(places[1]))?.[1],
      /\/Root \d+ 0 R/.exec(text)?.[0],
      [...text.matchAll(/startxref\s+(\d+)/g)].at(-1)?.[1],
    ];
    const swapped =
      `${text}xref\n${number} 1\n${String(places[0]).padStart(10, '0')} 00000 n \ntrailer\n<< /Size ${size} ` +
      `${root} /Prev ${previous} >>\nstartxref\n${text.length}\n%%EOF\n`;
    expect((await verdicts(prepared))[0]).to.equal('valid, none');
    expect((await verdicts(desk.file(swapped)))[0]).to.contain('the content of a page was changed');
  });

  it(
    'objects appended without a cross-reference, with a broken one, or with one that forgets the past ' +
      '(incremental saving)',
    async () => {
      const text = readFileSync(signed, 'latin1');
      const evil = '4 0 obj\n<< /Length 30 >>\nstream\nBT (Pay 999 to Eve) Tj ET      \nendstream\nendobj\n';
      const size = /\/Size (\d+)/.exec(text)?.[1];
      const root = /\/Root \d+ 0 R/.exec(text)?.[0];
      const forms = [
        `${text}${evil}`,
        `${text}${evil}%%EOF\n`,
        `${text}${evil}startxref\n${text.length}\n%%EOF\n`,
        `${text}${evil}xref\n0 0\ntrailer\n<< /Size ${size} ${root} >>\nstartxref\n` +
          `${text.length + evil.length}\n%%EOF\n`,
        `${text}${evil}xref\n4 1\n${String(text.length).padStart(10, '0')} 00000 n \ntrailer\n<< /Size ` +
          `${size} ${root} /Prev 17 >>\nstartxref\n${text.length + evil.length}\n%%EOF\n`,
        `${text}${evil}trailer\n<< ${root} >>\n`,
      ];
      for (const [i, form] of forms.entries())
        expect((await verdicts(desk.file(form)))[0], `form ${i}`).to.match(
          /belong to no revision|has no cross-reference/,
        );
    },
  );

  it('an object put where the signed part refers to none', async () => {
    const dangling = await desk.sign(
      await desk.plain((document) => partsOf(document).page.setXObject(N('Gone'), PDFRef.of(500))),
    );
    const path = await desk.append(dangling, ({ document }) =>
      document.context.assign(
        PDFRef.of(500),
        document.context.stream('0 g 0 0 300 200 re f', { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 300, 200] }),
      ),
    );
    expect((await verdicts(path))[0]).to.contain('was put where there was none');
  });

  it('an appearance that the page uses, too', async () => {
    const shared = await desk.sign(
      await desk.plain((document) => {
        const field = document.getForm().createTextField('Name');
        field.addToPage(document.getPage(0));
        const appearance = field.acroField.getWidgets()[0]?.dict.lookup(N('AP'), PDFDict).get(N('N'));
        if (appearance !== undefined) partsOf(document).page.setXObject(N('Shared'), appearance as PDFRef);
      }),
    );
    const path = await desk.append(shared, ({ document }) => {
      const field = document.getForm().getTextField('Name').acroField;
      field.dict.set(N('V'), PDFString.of('Eve'));
      const ref = field.getWidgets()[0]?.dict.lookup(N('AP'), PDFDict).get(N('N')) as PDFRef;
      document.context.assign(
        ref,
        document.context.stream('BT (Eve) Tj ET', { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 100, 20] }),
      );
    });
    expect((await verdicts(path))[0]).to.match(/^a part of page content was changed/);
  });

  it('white space alone is not a change', async () => {
    expect(await verdicts(desk.tamper(signed, (text) => `${text}\r\n\n% end\n`))).to.deep.equal(['valid, none']);
  });
});
