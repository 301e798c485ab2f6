import { expect } from 'chai';
import { type PDFContext, PDFDict, PDFDocument, PDFName, PDFRawStream, type PDFRef } from 'pdf-lib';
import { PageForms } from '../../../structure/geometry/index.js';
import { asDict, entry, resolve } from '../../../file/objects/index.js';
import { decodedContent, walkPages } from '../../../structure/pages/index.js';

/** Creates a page with these content streams. */
async function pageOf(...contents: readonly string[]) {
  const document = await PDFDocument.create();
  const { context } = document;
  const page = document.addPage([200, 200]);
  const streams = contents.map((content) => context.register(context.flateStream(content)));
  if (streams.length > 0)
    page.node.set(PDFName.of('Contents'), streams.length === 1 ? streams[0]! : context.obj(streams));
  return { context, page: page.node, entry: walkPages(context)[0]! };
}

function streamOf(context: PDFContext, ref: PDFRef): PDFRawStream {
  const stream = resolve(context, ref);
  if (!(stream instanceof PDFRawStream)) throw new TypeError('a form is a stream');
  return stream;
}

const text = (context: PDFContext, ref: PDFRef): string =>
  Buffer.from(decodedContent(context, streamOf(context, ref)) ?? [])
    .toString('latin1')
    .replaceAll(/\s+/g, ' ')
    .trim();

describe('pageForm', () => {
  it('shares the compressed content of a page with one balanced stream', async () => {
    const { context, entry: page } = await pageOf('q 1 0 0 rg Q');
    const own = resolve(context, page.dict.get(PDFName.of('Contents')));
    const form = streamOf(context, new PageForms(context).of(page, [0, 0, 200, 200]));
    expect(own instanceof PDFRawStream && form.contents === own.contents).to.equal(true);
    expect(form.dict.get(PDFName.of('Filter'))).to.equal(PDFName.of('FlateDecode'));
    expect(String(form.dict.get(PDFName.of('BBox')))).to.equal('[ 0 0 200 200 ]');
  });

  it('creates one form per box, however often it is requested', async () => {
    const { context, entry: page } = await pageOf('f');
    const forms = new PageForms(context);
    expect(forms.of(page, [0, 0, 9, 9])).to.equal(forms.of(page, [0, 0, 9, 9]));
    expect(forms.of(page, [0, 0, 9, 9])).not.to.equal(forms.of(page, [0, 0, 8, 9]));
  });

  it('separates several streams by white space', async () => {
    const { context, entry: page } = await pageOf('q 1 0 0', 'rg', 'Q');
    expect(text(context, new PageForms(context).of(page, [0, 0, 9, 9]))).to.equal('q 1 0 0 rg Q');
  });

  it('restores the graphics state', async () => {
    for (const [content, wanted] of [
      ['Q Q 1 w', 'q q Q Q 1 w'],
      ['q q 1 w', 'q q 1 w Q Q'],
      ['Q q (Q Q) Tj', 'q Q q (Q Q) Tj Q'],
      ['', ''],
    ] as const) {
      const { context, entry: page } = await pageOf(content);
      expect(text(context, new PageForms(context).of(page, [0, 0, 9, 9]))).to.equal(wanted);
    }
  });

  it('returns an empty form for a page without content', async () => {
    const { context, entry: page } = await pageOf();
    expect(streamOf(context, new PageForms(context).of(page, [0, 0, 9, 9])).contents).to.have.length(0);
  });

  it('copies inherited resources, tags and the transparency group, and marks the group as isolated', async () => {
    const { context, page, entry: found } = await pageOf('f');
    const resources = page.get(PDFName.of('Resources'));
    page.set(PDFName.of('StructParents'), context.obj(7));
    page.set(PDFName.of('Group'), context.obj({ S: 'Transparency', CS: 'DeviceCMYK', I: false }));
    page.delete(PDFName.of('Resources'));
    const inherited = new Map([['Resources', resources ?? context.obj({})]]);
    const { dict } = streamOf(context, new PageForms(context).of({ ...found, inherited }, [0, 0, 9, 9]));
    expect(dict.get(PDFName.of('Resources'))).to.equal(resources);
    expect(String(dict.get(PDFName.of('StructParents')))).to.equal('7');
    const group = asDict(context, entry(dict, 'Group'));
    expect(group instanceof PDFDict && [String(entry(group, 'I')), String(entry(group, 'CS'))]).to.deep.equal([
      'true',
      '/DeviceCMYK',
    ]);
    expect(String(entry(asDict(context, entry(page, 'Group'))!, 'I'))).to.equal('false');
  });
});
