import { expect } from 'chai';
import { PDFName } from 'pdf-lib';
import { openPdf } from '../../../file/open/index.js';
import { dropPermissions, readDocMdp } from '../../../signatures/fields/index.js';
import { extractPages } from '../../../structure/split/index.js';
import { look } from '../../support.js';
import { buildPdf, catalogEntry, merged } from '../support.js';

describe('document-level entries', () => {
  const certified = (): Promise<Uint8Array> =>
    buildPdf((document, context) => {
      const signature = context.register(
        context.obj({ Type: 'Sig', Reference: [{ TransformMethod: 'DocMDP', TransformParams: { P: 3 } }] }),
      );
      document.catalog.set(PDFName.of('Perms'), context.obj({ DocMDP: signature, UR3: { Type: 'Sig' } }));
      document.catalog.set(
        PDFName.of('ViewerPreferences'),
        context.obj({ DisplayDocTitle: true, PrintPageRange: [1, 1] }),
      );
    });

  it('reads and removes certification and usage rights, and copies them into no merge or part', async () => {
    const opened = await openPdf(await certified());
    expect(readDocMdp(opened.document.context)).to.equal(3);
    const part = await look(await extractPages(opened, [0], { keepDocumentLevel: true }));
    const joined = await merged(await certified(), await certified());
    for (const document of [part, joined]) expect(document.catalog.has(PDFName.of('Perms'))).to.equal(false);
    expect(dropPermissions(opened.document.context)).to.equal(true);
    expect([readDocMdp(opened.document.context), dropPermissions(opened.document.context)]).to.deep.equal([
      undefined,
      false,
    ]);
  });

  it('keeps viewer preferences except the pages to print', async () => {
    const joined = await merged(await certified(), await certified());
    expect(catalogEntry(joined, 'ViewerPreferences')?.toString().replaceAll(/\s+/g, ' ')).to.equal(
      '<< /DisplayDocTitle true >>',
    );
  });
});
