import { expect } from 'chai';
import { PDFName, type PDFRawStream } from 'pdf-lib';
import { resolve } from '../../../file/objects/index.js';
import { openPdf } from '../../../file/open/index.js';
import { buildPdf } from '../../structure/support.js';

describe('ObjectCopier', () => {
  it('does not read copied streams before they are needed', async () => {
    const { document, pages } = await openPdf(
      await buildPdf((target, context) =>
        target.getPage(0).node.set(PDFName.of('Contents'), context.register(context.flateStream('q Q'))),
      ),
    );
    const ref = pages[0]!.dict.get(PDFName.of('Contents'));
    const stream = resolve(document.context, ref) as PDFRawStream;
    const bytes = stream.contents;
    let asked = 0;
    Object.defineProperty(stream, 'contents', {
      get: () => {
        asked++;
        return bytes;
      },
      configurable: true,
    });
    const { ObjectCopier } = await import('../../../file/objects/index.js');
    const { PDFContext: Context } = await import('pdf-lib');
    const target = Context.create();
    const copier = new ObjectCopier(document.context, target);
    const place = copier.copy(ref);
    copier.drain();
    expect(asked).to.equal(0);
    expect((resolve(target, place) as PDFRawStream).contents).to.equal(bytes);
    expect(asked).to.equal(1);
  });
});
