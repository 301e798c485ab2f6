import { expect } from 'chai';
import { PDFContext, PDFDict, PDFName, PDFNumber, type PDFObject, PDFRawStream, type PDFRef } from 'pdf-lib';
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

  describe('with shared streams', () => {
    const bytes = Buffer.from('q Q');
    const flate = PDFName.of('FlateDecode');

    /** Copies a stream with these entries and returns it, its copy and the target. */
    function copied(entries: (source: PDFContext) => Record<string, PDFObject>, sharesStreams = true) {
      const source = PDFContext.create();
      const target = PDFContext.create();
      const altered: PDFDict[] = [];
      const dict = PDFDict.fromMapWithContext(
        new Map(Object.entries(entries(source)).map(([key, value]) => [PDFName.of(key), value])),
        source,
      );
      const stream = PDFRawStream.of(dict, bytes);
      const copier = new ObjectCopier(source, target, { sharesStreams, alter: (copy) => altered.push(copy) });
      // The numbers of both documents must differ, so that a reference that was not renumbered shows.
      for (let i = 0; i < 50; i++) target.nextRef();
      const place = copier.copy(source.register(stream)) as PDFRef;
      copier.drain();
      return { source, target, stream, copy: target.lookup(place) as PDFRawStream, altered };
    }

    it('uses streams with a filter and a length in both documents', () => {
      for (const entries of [
        { Length: PDFNumber.of(3), Filter: flate },
        { Length: PDFNumber.of(3) },
        { Filter: flate },
      ]) {
        const { stream, copy, altered } = copied(() => entries);
        expect(copy).to.equal(stream);
        expect(altered).to.have.length(0);
      }
    });

    it('copies every stream that refers to something or says more, and all streams by default', () => {
      const parameters = (source: PDFContext): Record<string, PDFObject> => ({
        Filter: flate,
        DecodeParms: source.register(source.obj({ Predictor: 12 })),
      });
      const filter = (source: PDFContext): Record<string, PDFObject> => ({ Filter: source.register(flate) });
      const type = (): Record<string, PDFObject> => ({ Filter: flate, StructParents: PDFNumber.of(1) });
      for (const entries of [parameters, filter, type]) {
        const { source, target, stream, copy, altered } = copied(entries);
        expect(copy).not.to.equal(stream);
        expect(copy.contents).to.equal(bytes);
        expect(altered).to.include(copy.dict);
        for (const [key, value] of stream.dict.entries())
          expect(resolve(target, copy.dict.get(key))?.toString()).to.equal(resolve(source, value)?.toString());
      }
      const { stream, copy } = copied(() => ({ Filter: flate }), false);
      expect(copy).not.to.equal(stream);
    });
  });

  it('copies dictionaries within dictionaries, each with its own entries, and leaves the source as it is', () => {
    const source = PDFContext.create();
    const target = PDFContext.create();
    const leaf = source.register(source.obj({ Leaf: true }));
    const dict = source.obj({ A: { B: { C: 1 }, D: [{ E: leaf }, 2, null] }, F: leaf, G: null }) as PDFDict;
    const text = dict.toString();
    target.nextRef();
    const copier = new ObjectCopier(source, target);
    const copy = copier.copy(dict) as PDFDict;
    copier.drain();
    expect(dict.toString()).to.equal(text);
    const compact = (object: PDFObject): string => object.toString().replaceAll(/\s+/g, ' ');
    expect(compact(copy)).to.equal('<< /A << /B << /C 1 >> /D [ << /E 2 0 R >> 2 null ] >> /F 2 0 R >>');
  });
});
