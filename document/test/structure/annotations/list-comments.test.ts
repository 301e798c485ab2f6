import { expect } from 'chai';
import { PDFArray, PDFDocument, PDFHexString, PDFName, PDFString } from 'pdf-lib';
import { withPdf } from '../../../file/open/index.js';
import { type CommentList, listComments } from '../../../structure/annotations/index.js';

const list = (bytes: Uint8Array): Promise<CommentList> => withPdf(bytes, {}, listComments);

/** A document whose pages have these annotations. */
async function annotated(...pages: readonly (readonly Record<string, unknown>[])[]): Promise<PDFDocument> {
  const document = await PDFDocument.create();
  const { context } = document;
  for (const annotations of pages) {
    const page = document.addPage([300, 400]);
    const refs = annotations.map((members) =>
      context.register(context.obj({ Type: 'Annot', Rect: [10, 40, 30, 20], ...(members as object) })),
    );
    page.node.set(PDFName.of('Annots'), context.obj(refs));
  }
  return document;
}

describe('listing comments', () => {
  it('returns text, author, dates and place of each, in the order of the pages', async () => {
    const document = await annotated(
      [
        {
          Subtype: 'Text',
          Contents: PDFHexString.fromText('Prüfen 😀'),
          T: PDFHexString.fromText('Ada'),
          Subj: PDFString.of('Review'),
          CreationDate: PDFString.of("D:20240229120000+01'00'"),
          M: PDFString.of('D:20240301'),
        },
      ],
      [{ Subtype: 'Highlight' }],
    );
    const { comments, cut } = await list(await document.save());
    expect(comments).to.deep.equal([
      {
        pageIndex: 0,
        type: 'Text',
        text: 'Prüfen 😀',
        author: 'Ada',
        subject: 'Review',
        creationDate: '2024-02-29T12:00:00+01:00',
        modificationDate: '2024-03-01T00:00:00Z',
        x: 10,
        y: 20,
        width: 20,
        height: 20,
        replyTo: null,
      },
      {
        pageIndex: 1,
        type: 'Highlight',
        text: '',
        author: null,
        subject: null,
        creationDate: null,
        modificationDate: null,
        x: 10,
        y: 20,
        width: 20,
        height: 20,
        replyTo: null,
      },
    ]);
    expect(cut).to.equal(false);
  });

  it('leaves out links, form fields and pop-ups', async () => {
    const document = await annotated([
      { Subtype: 'Link' },
      { Subtype: 'Widget' },
      { Subtype: 'Popup' },
      {},
      { Subtype: 'Ink' },
    ]);
    expect((await list(await document.save())).comments.map(({ type }) => type)).to.deep.equal(['Ink']);
  });

  it('says which comment an answer belongs to, also when the answer comes first', async () => {
    const document = await annotated([{ Subtype: 'Text' }, { Subtype: 'Text' }, { Subtype: 'Text' }]);
    const annotations = document.getPage(0).node.lookup(PDFName.of('Annots'), PDFArray);
    const answer = (from: number, to: number): void =>
      (
        document.context.lookup(annotations.get(from)) as ReturnType<typeof document.context.obj> & {
          set(key: PDFName, value: unknown): void;
        }
      ).set(PDFName.of('IRT'), annotations.get(to));
    answer(0, 1);
    answer(2, 0);
    // An answer to itself is none.
    answer(1, 1);
    const { comments } = await list(await document.save());
    expect(comments.map(({ replyTo }) => replyTo)).to.deep.equal([1, null, 0]);
  });

  it('lists at most 10,000, however often pages share a list, and says that there are more', async () => {
    const document = await annotated(Array.from({ length: 300 }, () => ({ Subtype: 'Text' })));
    const shared = document.getPage(0).node.get(PDFName.of('Annots'))!;
    for (let i = 0; i < 60; i++) document.addPage([300, 400]).node.set(PDFName.of('Annots'), shared);
    const { comments, cut } = await list(await document.save());
    expect([comments.length, cut]).to.deep.equal([10_000, true]);
  });
});
