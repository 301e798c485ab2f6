import { expect } from 'chai';
import { type PDFContext, type PDFDict, PDFDocument, PDFName, type PDFRef, PDFString } from 'pdf-lib';
import { AnnotationMover, type Matrix } from '../../../structure/geometry/index.js';
import { asDict, entry } from '../../../file/objects/index.js';

const QUARTER: Matrix = [0, -1, 1, 0, 0, 300];

async function moved(
  values: Record<string, unknown>,
  matrix: Matrix,
  more: (context: PDFContext, dict: PDFDict) => void = () => undefined,
) {
  const { context } = await PDFDocument.create();
  const dict = context.obj(values as never) as unknown as PDFDict;
  more(context, dict);
  const page = context.register(context.obj({ Type: 'Page' }));
  const mover = new AnnotationMover(context);
  const annotation = { value: dict, dict, kind: String(values['Subtype'] ?? '') };
  mover.move(annotation, matrix, page);
  const said = (key: string): string => String(entry(dict, key));
  return { context, dict, page, said, again: () => mover.move(annotation, matrix, page) };
}

describe('AnnotationMover', () => {
  it('moves the rectangle, the points and the page reference, only once', async () => {
    const { said, page, again } = await moved(
      {
        Subtype: 'Highlight',
        Rect: [10, 20, 30, 40],
        QuadPoints: [10, 40, 30, 40, 10, 20, 30, 20],
        L: [0, 0, 10, 10],
        InkList: [
          [1, 2, 3, 4],
          [5, 6],
        ],
        P: null,
      },
      [0.5, 0, 0, 0.5, 100, 0],
    );
    const check = (): void => {
      expect([said('Rect'), said('QuadPoints'), said('L')]).to.deep.equal([
        '[ 105 10 115 20 ]',
        '[ 105 20 115 20 105 10 115 10 ]',
        '[ 100 0 105 5 ]',
      ]);
      expect(said('InkList')).to.equal('[ [ 100.5 1 101.5 2 ] [ 102.5 3 ] ]');
    };
    check();
    expect(said('P')).to.equal(String(page));
    again();
    check();
  });

  it('scales line widths and dashes', async () => {
    const { context, dict, said } = await moved(
      { Subtype: 'FreeText', Rect: [0, 0, 9, 9], Border: [2, 2, 4, [6, 8]], BS: { W: 4, S: 'D', D: [6] }, LL: 10 },
      [0.5, 0, 0, 0.5, 0, 0],
    );
    expect([said('Border'), said('LL')]).to.deep.equal(['[ 1 1 2 [ 3 4 ] ]', '5']);
    const style = asDict(context, entry(dict, 'BS'))!;
    expect([String(entry(style, 'W')), String(entry(style, 'D'))]).to.deep.equal(['2', '[ 3 ]']);
  });

  it('writes the inherited text size, scaled, and keeps an automatic one', async () => {
    const da =
      (text: string) =>
      (context: PDFContext, dict: PDFDict): void => {
        const parent = context.obj({}) as unknown as PDFDict;
        parent.set(PDFName.of('DA'), PDFString.of(text));
        dict.set(PDFName.of('Parent'), context.register(parent));
      };
    expect(
      (await moved({ Subtype: 'Widget', Rect: [0, 0, 9, 9] }, [0.5, 0, 0, 0.5, 0, 0], da('/Helv 12 Tf 0 g'))).said(
        'DA',
      ),
    ).to.equal('(/Helv 6 Tf 0 g)');
    expect(
      (await moved({ Subtype: 'Widget', Rect: [0, 0, 9, 9] }, [0.5, 0, 0, 0.5, 0, 0], da('/Helv 0 Tf 0 g'))).said('DA'),
    ).to.equal('undefined');
    expect(
      (await moved({ Subtype: 'Widget', Rect: [0, 0, 9, 9] }, [1, 0, 0, 1, 5, 5], da('/Helv 12 Tf 0 g'))).said('DA'),
    ).to.equal('undefined');
  });

  it('rotates the appearance in a form of its own and leaves shared forms unchanged', async () => {
    let form: PDFRef | undefined;
    const { context, dict, said } = await moved(
      { Subtype: 'Widget', Rect: [10, 20, 50, 30], MK: { R: 90 } },
      QUARTER,
      (own, annotation) => {
        form = own.register(own.stream('0 0 40 10 re f', { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 40, 10] }));
        annotation.set(PDFName.of('AP'), own.obj({ N: { Yes: form, Off: form } }));
      },
    );
    expect(said('Rect')).to.equal('[ 20 250 30 290 ]');
    const states = asDict(context, entry(asDict(context, entry(dict, 'AP'))!, 'N'))!;
    const turned = asDict(context, entry(states, 'Yes'))!;
    expect(String(entry(turned, 'Matrix'))).to.equal('[ 0 -1 1 0 0 0 ]');
    expect(entry(states, 'Off')).to.equal(entry(states, 'Yes'));
    expect(entry(asDict(context, form)!, 'Matrix')).to.equal(undefined);
    expect(entry(asDict(context, entry(dict, 'MK'))!, 'R')).to.equal(undefined);
  });

  it('keeps the upper left corner of an annotation that does not rotate with its page', async () => {
    const { said, dict, context } = await moved(
      { Subtype: 'Text', Rect: [10, 20, 30, 40], F: 28 },
      QUARTER,
      (own, annotation) => {
        annotation.set(PDFName.of('AP'), own.obj({ N: own.register(own.stream('', { BBox: [0, 0, 20, 20] })) }));
      },
    );
    // The corner at (10, 40) moves to (40, 290).
    expect(said('Rect')).to.equal('[ 40 270 60 290 ]');
    expect(entry(asDict(context, entry(asDict(context, entry(dict, 'AP'))!, 'N'))!, 'Matrix')).to.equal(undefined);
  });

  it('rotates the margins between the rectangle and its drawing', async () => {
    expect((await moved({ Subtype: 'Square', Rect: [0, 0, 100, 50], RD: [1, 2, 3, 4] }, QUARTER)).said('RD')).to.equal(
      '[ 4 1 2 3 ]',
    );
  });
});
