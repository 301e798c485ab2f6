import { expect } from 'chai';
import { type PDFArray, type PDFDict, type PDFDocument, type PDFHexString, PDFName, PDFString } from 'pdf-lib';
import { resolve } from '../../../file/objects/index.js';
import { buildPdf, catalogEntry, merged } from '../support.js';

describe('StructureMerge', () => {
  const tagged = (role: string, map: Record<string, string>, language?: string): Promise<Uint8Array> =>
    buildPdf((document, context) => {
      const root = context.nextRef();
      const element = context.register(context.obj({ Type: 'StructElem', S: role, P: root }));
      context.assign(root, context.obj({ Type: 'StructTreeRoot', K: [element], RoleMap: map }));
      document.catalog.set(PDFName.of('StructTreeRoot'), root);
      if (language !== undefined) document.catalog.set(PDFName.of('Lang'), PDFString.of(language));
    });
  const meanings = (document: PDFDocument): string[] => {
    const roles = catalogEntry(document, 'StructTreeRoot', 'RoleMap') as PDFDict | undefined;
    return (catalogEntry(document, 'StructTreeRoot', 'K') as PDFArray).asArray().map((kid) => {
      let role = (resolve(document.context, kid) as PDFDict).get(PDFName.of('S')) as PDFName;
      for (let next = roles?.get(role); next instanceof PDFName; next = roles?.get(role)) role = next;
      return role.decodeText();
    });
  };

  it('keeps the meaning of roles of each input', async () => {
    expect(meanings(await merged(await tagged('Text', {}), await tagged('Text', { Text: 'Sect' })))[1]).to.equal(
      'Sect',
    );
    expect(meanings(await merged(await tagged('P', { P: 'Div' }), await tagged('P', {})))).to.deep.equal(['Div', 'P']);
    expect(meanings(await merged(await tagged('P', {}), await tagged('P', { P: 'Div' })))).to.deep.equal(['P', 'Div']);
    expect(
      meanings(await merged(await tagged('A', { A: 'B', B: 'Sect' }), await tagged('A', { A: 'B', B: 'Div' }))),
    ).to.deep.equal(['Sect', 'Div']);
  });

  it('keeps the language of each input', async () => {
    const document = await merged(
      await tagged('P', {}, 'en'),
      await tagged('P', {}, 'de'),
      await tagged('P', {}, 'en'),
    );
    const languages = (catalogEntry(document, 'StructTreeRoot', 'K') as PDFArray)
      .asArray()
      .map((kid) =>
        ((resolve(document.context, kid) as PDFDict).get(PDFName.of('Lang')) as PDFHexString | undefined)?.decodeText(),
      );
    expect(languages).to.deep.equal([undefined, 'de', undefined]);
  });
});
