import { expect } from 'chai';
import { openPdf } from '../../../file/open/index.js';
import { dropAnnotations, readAnnotations } from '../../../structure/annotations/index.js';
import { buildPdf } from '../support.js';

describe('annotations', () => {
  it('are removed with their pop-ups, and the others keep their order', async () => {
    const { document, pages } = await openPdf(
      await buildPdf((target, context) => {
        const { node } = target.getPage(0);
        const note = context.register(context.obj({ Type: 'Annot', Subtype: 'Text', Rect: [0, 0, 9, 9] }));
        for (const annotation of [
          note,
          context.register(context.obj({ Type: 'Annot', Subtype: 'Popup', Parent: note })),
          context.register(context.obj({ Type: 'Annot', Subtype: 'Link' })),
        ])
          node.addAnnot(annotation);
      }),
    );
    const { context } = document;
    expect(readAnnotations(context, pages[0]!.dict).map(({ kind }) => kind)).to.deep.equal(['Text', 'Popup', 'Link']);
    expect(dropAnnotations(context, pages[0]!.dict, ({ kind }) => kind === 'Text')).to.equal(1);
    expect(readAnnotations(context, pages[0]!.dict).map(({ kind }) => kind)).to.deep.equal(['Link']);
    expect(dropAnnotations(context, pages[0]!.dict, ({ kind }) => kind === 'Text')).to.equal(0);
  });
});
