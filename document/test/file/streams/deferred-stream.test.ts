import { expect } from 'chai';
import { PDFContext, PDFRawStream } from 'pdf-lib';
import { DeferredStream } from '../../../file/streams/index.js';

class Counted extends DeferredStream {
  loads = 0;
  protected load(): Uint8Array {
    this.loads++;
    return Buffer.from('data');
  }
}

describe('A deferred stream', () => {
  const create = (): Counted => new Counted(PDFContext.create().obj({ Key: 1 }));

  it('is a raw stream of pdf-lib that loads its contents on each access', () => {
    const stream = create();
    expect(stream).to.be.instanceOf(PDFRawStream);
    expect(stream.loads).to.equal(0);
    expect(Buffer.from(stream.contents).toString()).to.equal('data');
    expect(stream.getContentsSize()).to.equal(4);
    expect(stream.loads).to.equal(2);
    expect(stream.toString()).to.equal('<<\n/Key 1\n/Length 4\n>>\nstream\ndata\nendstream');
  });

  it('cannot be given other contents', () => {
    const stream = create();
    expect(() => (stream.contents = Buffer.from('other'))).to.throw(TypeError);
    expect(Buffer.from(stream.contents).toString()).to.equal('data');
  });

  it('is cloned with its contents', () => {
    const copy = create().clone(PDFContext.create());
    expect(copy).to.be.instanceOf(PDFRawStream);
    expect(Buffer.from(copy.contents).toString()).to.equal('data');
  });
});
