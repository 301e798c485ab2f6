import { expect } from 'chai';
import { type PDFDict, PDFDocument, PDFName, type PDFObject, type PDFRef } from 'pdf-lib';
import { moveStructure } from '../../../structure/geometry/index.js';
import { asDict, entry } from '../../../file/objects/index.js';

describe('moveStructure', () => {
  it('refers to the form and the page, and leaves content that is already in a form there', async () => {
    const document = await PDFDocument.create();
    const { context, catalog } = document;
    const old = document.addPage([200, 100]).ref;
    const [sheet, form, inner, other] = [1, 2, 3, 4].map((n) => context.register(context.obj({ N: n }))) as [
      PDFRef,
      PDFRef,
      PDFRef,
      PDFRef,
    ];
    const link = context.register(context.obj({ Subtype: 'Link', P: other } as never));
    const element = (values: Record<string, unknown>): PDFDict =>
      context.obj({ S: 'P', ...values } as never) as unknown as PDFDict;
    const kids = [
      element({ Pg: old, K: 3 }),
      element({
        Pg: old,
        K: [0, { Type: 'MCR', MCID: 1 }, { Type: 'MCR', MCID: 0, Stm: inner }, { Type: 'OBJR', Obj: link }],
      }),
      element({ K: [{ Type: 'MCR', Pg: old, MCID: 4 }] }),
      element({ Pg: old, A: [{ O: 'Layout', BBox: [0, 0, 10, 20] }, 0] }),
      element({ Pg: other, K: 5 }),
    ];
    const refs = kids.map((kid) => context.register(kid));
    kids[4]!.set(PDFName.of('K'), context.obj([5, refs[0]!] as never));
    catalog.set(
      PDFName.of('StructTreeRoot'),
      context.register(context.obj({ Type: 'StructTreeRoot', K: refs } as never)),
    );
    moveStructure(context, new Map([[old, { page: sheet, form, matrix: [2, 0, 0, 2, 100, 0] }]]));
    const text = (value: PDFObject | undefined): string => String(value).replaceAll(/\s+/g, ' ');
    const mcr = (id: number): string => `<< /Type /MCR /Pg ${sheet.toString()} /Stm ${form.toString()} /MCID ${id} >>`;
    expect(text(entry(kids[0]!, 'K'))).to.equal(mcr(3));
    expect(text(entry(kids[0]!, 'Pg'))).to.equal(sheet.toString());
    expect(text(entry(kids[1]!, 'K'))).to.equal(
      `[ ${mcr(0)} << /Type /MCR /MCID 1 /Pg ${sheet.toString()} /Stm ${form.toString()} >> ` +
        `<< /Type /MCR /MCID 0 /Stm ${inner.toString()} /Pg ${sheet.toString()} >> ` +
        `<< /Type /OBJR /Obj ${link.toString()} /Pg ${other.toString()} >> ]`,
    );
    expect(text(entry(kids[2]!, 'K'))).to.equal(
      `[ << /Type /MCR /Pg ${sheet.toString()} /MCID 4 /Stm ${form.toString()} >> ]`,
    );
    const [layout] = (entry(kids[3]!, 'A') as unknown as { asArray(): PDFObject[] }).asArray();
    expect(text(entry(asDict(context, layout)!, 'BBox'))).to.equal('[ 100 0 120 40 ]');
    // Content of another page, and an element that occurs twice but is moved once.
    expect(text(entry(kids[4]!, 'K'))).to.equal(`[ 5 ${refs[0]!.toString()} ]`);
  });
});
