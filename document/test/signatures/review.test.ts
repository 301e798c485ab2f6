import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFName,
  PDFNumber,
  type PDFPageLeaf,
  PDFRef,
  PDFString,
  type PDFContext,
} from 'pdf-lib';
import { SigningDesk, verdictOf } from './signing-desk.js';

const N = (name: string): PDFName => PDFName.of(name);

/** The catalog, first page and form of an opened document. */
function partsOf(document: PDFDocument): { context: PDFContext; page: PDFPageLeaf; form: PDFDict | undefined } {
  return {
    context: document.context,
    page: document.getPage(0).node,
    form: document.catalog.lookupMaybe(N('AcroForm'), PDFDict),
  };
}

function widget(context: PDFContext, entries: Record<string, unknown>, content = '0 0 200 100 re f'): PDFRef {
  const appearance = context.register(
    context.stream(content, { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 200, 100] }),
  );
  const annotation = context.obj({
    Type: 'Annot',
    Rect: [20, 40, 220, 140],
    AP: { N: appearance },
    ...entries,
  } as never) as unknown as PDFDict;
  return context.register(annotation);
}

function annotate(document: PDFDocument, ref: PDFRef): void {
  const { context, page } = partsOf(document);
  page.set(N('Annots'), context.obj([...(page.lookupMaybe(N('Annots'), PDFArray)?.asArray() ?? []), ref]));
}

describe('reviewing the signatures of a document', function () {
  this.timeout(30_000);
  let desk: SigningDesk;
  let source: string;
  let signed: string;

  before(async () => {
    desk = await SigningDesk.open();
    source = await desk.plain((document) => {
      const form = document.getForm();
      form.createTextField('Name').addToPage(document.getPage(0), { x: 20, y: 20, width: 100, height: 20 });
      form.createTextField('Sum').addToPage(document.getPage(0), { x: 20, y: 60, width: 100, height: 20 });
      const { context } = document;
      form.acroForm.dict.set(
        N('DR'),
        context.obj({
          Font: { Helv: context.register(context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' })) },
        }),
      );
    });
    signed = await desk.sign(source);
  });

  after(() => desk.close());

  const verdicts = async (path: string): Promise<string[]> => (await desk.review(path)).map(verdictOf);
  const fill = (path: string, field: string, text: string): Promise<string> =>
    desk.append(path, ({ document }) => {
      const form = document.getForm();
      form.getTextField(field).setText(text);
      form.updateFieldAppearances();
    });

  it('finds a signed document whole, and says what it holds', async () => {
    const [review] = await desk.review(signed);
    expect(verdictOf(review)).to.equal('valid, none');
    expect(review?.coversFile).to.equal(true);
    expect(review?.signature).to.deep.include({
      field: 'Signature1',
      subFilter: 'ETSI.CAdES.detached',
      name: 'Ann',
      reason: 'Approved',
      isTimeStamp: false,
      certifies: false,
    });
    expect(review?.integrity.signingTime?.toISOString()).to.equal(desk.signedAt.toISOString());
    expect(Buffer.from(review?.integrity.certificate ?? []).equals(desk.ann.certificate)).to.equal(true);
    expect(await verdicts(source)).to.deep.equal([]);
  });

  it('lets forms be filled in, further signatures and time stamps follow', async () => {
    const path = await desk.stamp(await desk.sign(await fill(signed, 'Name', 'Bob')));
    const reviews = await desk.review(path);
    expect(reviews.map(verdictOf)).to.deep.equal(['valid, allowed', 'valid, allowed', 'valid, none']);
    expect(reviews[0]?.changes?.what).to.deep.equal([
      'the field "Name" was filled in',
      'the signature field "Signature2" was added',
      'the signature field "Timestamp1" was added',
    ]);
    expect(reviews.map(({ coversFile }) => coversFile)).to.deep.equal([false, false, true]);
    expect(reviews[2]?.integrity.stamp?.time.getTime()).to.be.closeTo(Date.now(), 60_000);
  });

  it('reads encrypted documents and object streams alike', async () => {
    const packed = await desk.plain(() => undefined, { useObjectStreams: true });
    expect(await verdicts(await desk.sign(await desk.sign(packed)))).to.deep.equal(['valid, allowed', 'valid, none']);
  });

  describe('forgeries of the signature itself', () => {
    const broken = (change: (text: string) => string) => verdicts(desk.tamper(signed, change)).then(([first]) => first);

    it('a byte changed in what is covered', async () => {
      expect(await broken((text) => text.replace('/Reason', '/Reasxn'))).to.equal(
        'the document was changed: its digest is not the one that was signed',
      );
    });

    it('range or value missing, empty, null, negative, duplicated or odd (universal forgery)', async () => {
      const range = /\/ByteRange\s*\[[^\]]*\]/;
      const odd: readonly (readonly [string, (text: string) => string, RegExp])[] = [
        ['no range', (text) => text.replace('/ByteRange', '/ByteRangx'), /no ByteRange/],
        ['no value', (text) => text.replace(/\/Contents(?=\s*<)/, '/Contentx'), /no Contents/],
        [
          'null range',
          (text) => text.replace(range, (found) => '/ByteRange null'.padEnd(found.length)),
          /not four numbers/,
        ],
        [
          'empty range',
          (text) => text.replace(range, (found) => '/ByteRange []'.padEnd(found.length)),
          /not four numbers/,
        ],
        [
          'two numbers',
          (text) => text.replace(range, (found) => '/ByteRange [0 99]'.padEnd(found.length)),
          /not four numbers/,
        ],
        [
          'negative',
          (text) => text.replace(range, (found) => '/ByteRange [0 -1 9 9]'.padEnd(found.length)),
          /not four numbers/,
        ],
        [
          'fractions',
          (text) => text.replace(range, (found) => '/ByteRange [0 1.5 9 9]'.padEnd(found.length)),
          /not four numbers/,
        ],
        [
          'nothing covered',
          (text) => text.replace(range, (found) => '/ByteRange [0 0 0 0]'.padEnd(found.length)),
          /leaves out something else/,
        ],
        ['not from the start', (text) => text.replace(range, (found) => found.replace('[0 ', '[1 ')), /first byte/],
        [
          'beyond the end',
          (text) =>
            text.replace(range, (found) =>
              found.replace(
                /(\d+)(\s*)\]/,
                (_, last: string, blanks: string) => `${'9'.repeat(last.length)}${blanks}]`,
              ),
            ),
          /beyond the end/,
        ],
        [
          'a range that leaves out more',
          (text) =>
            text.replace(range, (found) =>
              found.replace(
                /\[0 (\d+)/,
                (_, length: string) => `[0 ${String(Number(length) - 10).padStart(length.length, '0')}`,
              ),
            ),
          /leaves out something else/,
        ],
        ['a second range', (text) => text.replace('/Reason', '/ByteRange [0 0 0 0] /Reason'), /twice/],
        [
          'an empty value',
          (text) => text.replace(/\/Contents\s*<[\da-f]+>/i, '/Contents <>'),
          /leaves out something else|hexadecimal|beyond/,
        ],
        [
          'a null value',
          (text) => text.replace(/\/Contents\s*<[\da-f]+>/i, '/Contents null'),
          /leaves out something else|beyond/,
        ],
        [
          'zeros for a value',
          (text) =>
            text.replace(/(?<=\/Contents\s*<)([\da-f]+)/i, (_, digits: string) => `${'0'.repeat(digits.length)}`),
          /no value/,
        ],
        [
          'a cut value',
          (text) =>
            text.replace(
              /(?<=\/Contents\s*<)([\da-f]+)/i,
              (_, digits: string) => `${digits.slice(0, 600).padEnd(digits.length, '0')}`,
            ),
          /ASN\.1|incomplete/,
        ],
        [
          'noise for a value',
          (text) =>
            text.replace(/(?<=\/Contents\s*<)([\da-f]+)/i, (_, digits: string) => `${'7b'.repeat(digits.length / 2)}`),
          /ASN\.1|SignedData/,
        ],
        ['an unknown kind', (text) => text.replace('ETSI.CAdES.detached', 'ETSI.CAdES.detachex'), /not known/],
      ];
      for (const [title, change, expected] of odd) expect(await broken(change), title).to.match(expected);
    });

    it('the value moved away so that something fits in between (signature wrapping)', async () => {
      const text = readFileSync(signed, 'latin1');
      const [, , a = '', b = '', c = ''] = /\/ByteRange\s*\[(\d+) (\d+) (\d+) (\d+)/.exec(text) ?? [];
      const [front, rest] = [text.slice(0, Number(b)), text.slice(Number(b), Number(b) + Number(c))];
      const inserted = '\n9 0 obj\n<< /Type /Evil >>\nendobj\n';
      const moved = `${text.slice(0, Number(a))}${text.slice(Number(a), Number(b))}${inserted}${rest}`;
      const wrapped = moved.replace(
        /(\/ByteRange\s*\[0 \d+) (\d+) (\d+)/,
        (_, start: string, second: string, length: string) => `${start} ${Number(second) + inserted.length} ${length}`,
      );
      expect(front.length + inserted.length + rest.length).to.equal(moved.length);
      expect((await verdicts(desk.file(wrapped)))[0]).to.match(/leaves out something else|cannot be read|digest/);
    });

    it('the dictionary said again elsewhere with another reason', async () => {
      const path = await desk.append(signed, ({ document }) => {
        const field = document.getForm().getField('Signature1').acroField.dict;
        const value = field.lookup(N('V'), PDFDict);
        value.set(N('Reason'), PDFString.of('I take it all back'));
      });
      expect((await verdicts(path))[0]).to.equal(
        'the ByteRange leaves out something else than the value of the signature',
      );
    });
  });

  describe('changes behind the signature', () => {
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
          let at = document
            .getForm()
            .getField(name)
            .acroField.getWidgets()[0]
            ?.dict.lookup(N('AP'), PDFDict)
            .get(N('N'));
          if (!(at instanceof PDFRef)) at = (at as PDFDict).values()[0];
          document.context.assign(
            at as PDFRef,
            document.context.stream('1 g 0 0 99 99 re f', { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 99, 99] }),
          );
        });
        expect((await verdicts(path))[0]).to.equal(
          `the field "${name}" looks different although its value is the same`,
        );
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

  describe('certifications and locks', () => {
    const certify = async (level: 1 | 2 | 3): Promise<string> => desk.sign(source, { certifies: level });

    it('level 1 allows evidence and time stamps only', async () => {
      const path = await certify(1);
      expect((await desk.review(path))[0]?.signature).to.deep.include({ certifies: true, level: 1 });
      expect((await verdicts(await desk.stamp(path)))[0]).to.equal('valid, allowed');
      expect((await verdicts(await fill(path, 'Name', 'Bob')))[0]).to.contain('of the field "Name" was changed');
    });

    it('level 2 allows forms, but no new visible signature field (sneaky signature attack)', async () => {
      const path = await certify(2);
      expect((await verdicts(await fill(path, 'Name', 'Bob')))[0]).to.equal('valid, allowed');
      expect((await verdicts(await desk.sign(path)))[0]).to.equal('valid, allowed');
      const sneaky = await desk.append(path, ({ document }) => {
        const { context, form } = partsOf(document);
        const ref = widget(context, { Subtype: 'Widget', FT: 'Sig', T: PDFString.of('Sneaky') });
        annotate(document, ref);
        form?.lookup(N('Fields'), PDFArray).push(ref);
      });
      expect((await verdicts(sneaky))[0]).to.contain(
        'the visible signature field "Sneaky" was added to a certified document',
      );
      const noted = await desk.append(path, ({ document }) =>
        annotate(document, widget(document.context, { Subtype: 'Text' }, '')),
      );
      expect((await verdicts(noted))[0]).to.contain('which the certification does not allow');
    });

    it('level 3 allows remarks, and none that hides or replaces content (evil annotation attack)', async () => {
      const path = await certify(3);
      const note = (subtype: string, content?: string, more: Record<string, unknown> = {}) =>
        desk.append(path, ({ document }) =>
          annotate(document, widget(document.context, { Subtype: subtype, ...more }, content)),
        );
      expect((await verdicts(await note('Text', '')))[0]).to.equal('valid, allowed');
      expect((await verdicts(await note('Underline', '1 w 0 0 m 200 0 l S')))[0]).to.equal('valid, allowed');
      for (const kind of ['FreeText', 'Stamp', 'Redact', 'Watermark', 'Screen'])
        expect((await verdicts(await note(kind)))[0], kind).to.contain('of a kind that can hide or replace content');
      expect((await verdicts(await note('Square')))[0]).to.contain('with an appearance that can hide');
      expect((await verdicts(await note('Highlight', 'BT (Pay 999) Tj ET')))[0]).to.contain(
        'with an appearance that can hide',
      );
      expect((await verdicts(await note('Ink', '80 w 0 0 m 200 0 l S')))[0]).to.contain(
        'with an appearance that can hide',
      );
    });

    it('locked fields stay as they are, others may be filled in', async () => {
      const waiting = await desk.plain((document) => {
        const form = document.getForm();
        for (const name of ['Name', 'Sum']) form.createTextField(name).addToPage(document.getPage(0));
        const { context } = document;
        const ref = context.register(
          context.obj({
            Type: 'Annot',
            Subtype: 'Widget',
            FT: 'Sig',
            T: PDFString.of('Here'),
            Rect: [0, 0, 0, 0],
            Lock: { Type: 'SigFieldLock', Action: 'Include', Fields: [PDFString.of('Sum')] },
          }),
        );
        annotate(document, ref);
        form.acroForm.addField(ref);
      });
      // Signing that field of a certified document locks the fields that it names.
      const locked = await desk.sign(await desk.sign(waiting, { certifies: 2 }));
      const locking = async (path: string): Promise<string> =>
        verdictOf((await desk.review(path)).find(({ signature }) => signature.field === 'Here'));
      expect((await desk.review(locked)).map(({ signature }) => signature.field)).to.have.members([
        'Here',
        'Signature1',
      ]);
      expect(await locking(await fill(locked, 'Name', 'Bob'))).to.equal('valid, allowed');
      expect(await locking(await fill(locked, 'Sum', '999'))).to.equal(
        '/V of the field "Sum" was changed, which is locked; /AP of the field "Sum" was changed, which is locked',
      );
    });
  });

  describe('hostile documents', () => {
    it('ten thousand signature fields are looked at in time, each told to be none', async () => {
      const path = await desk.plain((document) => {
        const { context } = document;
        const fields = Array.from({ length: 10_000 }, (_, i) =>
          context.register(
            context.obj({
              FT: 'Sig',
              T: PDFString.of(`S${i}`),
              V: context.register(
                context.obj({
                  Type: 'Sig',
                  SubFilter: 'ETSI.CAdES.detached',
                  ByteRange: [0, 10, 20, 30],
                  Contents: PDFString.of('x'),
                }),
              ),
            }),
          ),
        );
        document.catalog.set(N('AcroForm'), context.obj({ Fields: fields }));
      });
      const reviews = await desk.review(path);
      expect(reviews).to.have.length(10_000);
      expect(reviews.every(({ integrity }) => !integrity.holds)).to.equal(true);
    }).timeout(100_000);

    it('one dictionary that many fields name is one signature', async () => {
      const path = await desk.append(signed, ({ document }) => {
        const { context, form } = partsOf(document);
        const value = document.getForm().getField('Signature1').acroField.dict.get(N('V'));
        for (let i = 0; i < 50; i++)
          form?.lookup(N('Fields'), PDFArray).push(
            context.register(
              context.obj({
                FT: 'Sig',
                T: PDFString.of(`Copy${i}`),
                V: value as PDFRef,
                Rect: [0, 0, 0, 0].map((n) => PDFNumber.of(n)),
              }),
            ),
          );
      });
      expect(await desk.review(path)).to.have.length(1);
    });
  });
});
