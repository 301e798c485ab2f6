import { expect } from 'chai';
import { type PDFArray, PDFContext, PDFDict, PDFName, PDFRawStream, PDFRef } from 'pdf-lib';
import { insertAttributes, separateResources } from '../../../file/compression/place-dictionaries.js';

const A = PDFName.of('A');
const RESOURCES = PDFName.of('Resources');

describe('attributes of structure elements', () => {
  const context = PDFContext.create();
  const block = (): PDFRef => context.register(context.obj({ O: 'Layout', Placement: 'Block' }));
  const element = (attributes?: PDFRef | PDFArray): PDFDict => {
    const dict = context.obj({ Type: 'StructElem', S: 'P', P: PDFRef.of(1) });
    if (attributes !== undefined) dict.set(A, attributes);
    context.register(dict);
    return dict;
  };

  it('move into the only element that uses them, also out of a list', () => {
    const [alone, listed] = [element(block()), element(context.obj([block(), 1, block()]))];
    insertAttributes(context, context.enumerateIndirectObjects());
    expect(alone.get(A)?.toString()).to.match(/^<<\s*\/O \/Layout\s*\/Placement \/Block\s*>>$/);
    const list = listed.get(A) as PDFArray;
    expect([0, 2].map((index) => list.get(index) instanceof PDFDict)).to.deep.equal([true, true]);
    expect(String(list.get(1))).to.equal('1');
  });

  it('stay objects where two elements share them, and where they are streams or no attributes', () => {
    const [shared, stream, other] = [
      block(),
      context.register(PDFRawStream.of(context.obj({ O: 'Layout' }), new Uint8Array())),
      context.register(context.obj({ Kind: 'Other' })),
    ];
    const elements = [shared, shared, stream, other, PDFRef.of(9999)].map(element);
    insertAttributes(context, context.enumerateIndirectObjects());
    expect(elements.map((one) => one.get(A))).to.deep.equal([shared, shared, stream, other, PDFRef.of(9999)]);
  });

  it('stay objects where a damaged file has elements for attributes', () => {
    const [one, two] = [element(), element()];
    const [first, second] = [context.getObjectRef(one), context.getObjectRef(two)];
    if (first === undefined || second === undefined) throw new Error('both are objects');
    for (const [dict, other] of [
      [one, second],
      [two, first],
    ] as const) {
      dict.set(A, other);
      dict.set(PDFName.of('O'), PDFName.of('Layout'));
    }
    insertAttributes(context, context.enumerateIndirectObjects());
    expect([one.get(A), two.get(A)]).to.deep.equal([second, first]);
  });

  it('of what is not a structure element are not touched', () => {
    const action = block();
    const link = context.obj({ Type: 'Annot', Subtype: 'Link', A: action });
    context.register(link);
    insertAttributes(context, context.enumerateIndirectObjects());
    expect(link.get(A)).to.equal(action);
  });
});

describe('resources of forms and patterns', () => {
  const context = PDFContext.create();
  const pattern = (resources?: PDFDict): PDFRawStream => {
    const dict = context.obj({ PatternType: 1 });
    if (resources !== undefined) dict.set(RESOURCES, resources);
    return PDFRawStream.of(dict, new Uint8Array());
  };
  const long = (font: number): PDFDict =>
    context.obj({ Font: { F1: PDFRef.of(font), F2: PDFRef.of(font) }, ProcSet: ['PDF', 'Text'] });
  const separated = (...streams: PDFRawStream[]): (string | undefined)[] => {
    separateResources(
      context,
      streams.map((stream) => [context.register(stream), stream] as const),
    );
    return streams.map(({ dict }) => dict.get(RESOURCES)?.toString());
  };

  it('become objects, equal ones the same', () => {
    const [one, two, three] = separated(pattern(long(5)), pattern(long(6)), pattern(long(5)));
    expect(one)
      .to.match(/^\d+ 0 R$/)
      .and.equal(three)
      .and.not.equal(two);
    const resources = context.lookup(PDFRef.of(Number.parseInt(one ?? '', 10)), PDFDict);
    expect(resources.toString()).to.contain('/F1 5 0 R');
  });

  it('stay where they are if they are short, or objects already, or absent', () => {
    const stream = pattern();
    const [object, short] = [context.register(context.obj({})), context.obj({ Font: { F1: PDFRef.of(5) } })];
    stream.dict.set(RESOURCES, object);
    expect(separated(pattern(context.obj({})), pattern(short), stream, pattern())).to.deep.equal([
      '<<\n>>',
      '<<\n/Font <<\n/F1 5 0 R\n>>\n>>',
      object.toString(),
      undefined,
    ]);
  });
});
