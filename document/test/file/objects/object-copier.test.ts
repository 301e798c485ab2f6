import { expect } from 'chai';
import { PDFContext, type PDFRawStream } from 'pdf-lib';
import { ObjectCopier, resolve } from '../../../file/objects/index.js';
import { DeferredStream } from '../../../file/streams/index.js';

describe('ObjectCopier', () => {
  it('does not read copied streams before they are needed', () => {
    const bytes = Buffer.from('q Q');
    let asked = 0;
    class Asked extends DeferredStream {
      protected load(): Uint8Array {
        asked++;
        return bytes;
      }
    }
    const [source, target] = [PDFContext.create(), PDFContext.create()];
    const copier = new ObjectCopier(source, target);
    const place = copier.copy(source.register(new Asked(source.obj({}))));
    copier.drain();
    expect(asked).to.equal(0);
    expect((resolve(target, place) as PDFRawStream).contents).to.equal(bytes);
    expect(asked).to.equal(1);
  });
});
