import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { PDFRef } from 'pdf-lib';
import { PDFArray, PDFDict, PDFNumber, PDFString } from 'pdf-lib';
import type { SigningDesk } from './signing-desk.js';
import { verdictOf } from './signing-desk.js';
import { annotate, fillField, N, partsOf, signedForm, widget } from './signed-form.js';

describe('reviewing the signatures of a document', function () {
  this.timeout(30_000);
  let desk: SigningDesk;
  let source: string;
  let signed: string;

  before(async () => ({ desk, source, signed } = await signedForm()));
  after(() => desk.close());

  const verdicts = async (path: string): Promise<string[]> => (await desk.review(path)).map(verdictOf);
  const fill = (path: string, field: string, text: string): Promise<string> => fillField(desk, path, field, text);

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
