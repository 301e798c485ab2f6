import { expect } from 'chai';
import { PDFContext, PDFName, type PDFRef } from 'pdf-lib';
import { asDict, catalogOf, dictOf, entry } from '../objects/index.js';
import { pageAttribute, pageBox, pageRotation, walkPages, writePageTree } from '../pages/index.js';

function treeOf(build: (context: PDFContext) => PDFRef): PDFContext {
  const context = PDFContext.create();
  const root = build(context);
  context.trailerInfo.Root = context.register(context.obj({ Type: 'Catalog', Pages: root }));
  return context;
}

describe('walking the page tree', () => {
  it('never trusts the count', () => {
    const context = treeOf((c) => c.register(c.obj({ Type: 'Pages', Count: 900, Kids: [c.register(c.obj({ Type: 'Page' }))] })));
    expect(walkPages(context)).to.have.length(1);
  });

  it('ends where a tree bites its own tail', () => {
    const context = treeOf((c) => {
      const root = c.nextRef();
      c.assign(root, c.obj({ Type: 'Pages', Kids: [root, c.register(c.obj({ Type: 'Pages', Kids: [root, c.register(c.obj({ Type: 'Page' }))] }))] }));
      return root;
    });
    expect(walkPages(context)).to.have.length(1);
  });

  it('counts a page that hangs in the tree twice as two', () => {
    const context = treeOf((c) => {
      const page = c.register(c.obj({ Type: 'Page' }));
      return c.register(c.obj({ Type: 'Pages', Kids: [page, page] }));
    });
    expect(walkPages(context)).to.have.length(2);
  });

  it('passes over kids that are missing or no dictionary, and makes direct pages indirect', () => {
    const context = treeOf((c) => c.register(c.obj({ Type: 'Pages', Kids: [c.nextRef(), 7, { Type: 'Page', Rotate: 90 }] })));
    const pages = walkPages(context);
    expect(pages).to.have.length(1);
    expect(context.lookup(pages[0]?.ref)).to.equal(pages[0]?.dict);
    expect(walkPages(context)[0]?.ref).to.equal(pages[0]?.ref);
  });

  it('gives inherited attributes, the nearest first', () => {
    const context = treeOf((c) => {
      const page = c.register(c.obj({ Type: 'Page' }));
      const middle = c.register(c.obj({ Type: 'Pages', Rotate: -90, Kids: [page] }));
      return c.register(c.obj({ Type: 'Pages', Rotate: 180, MediaBox: [10, 300, 210, 0], Kids: [middle] }));
    });
    const page = walkPages(context)[0]!;
    expect(pageRotation(context, page)).to.equal(270);
    expect(pageBox(context, page)).to.deep.equal([10, 0, 210, 300]);
    expect(pageAttribute(page, 'CropBox')).to.equal(undefined);
  });

  it('finds no page in a document without a tree', () => {
    expect(walkPages(PDFContext.create())).to.deep.equal([]);
  });
});

describe('writing a page tree', () => {
  it('holds all pages in order, with right counts and parents', () => {
    const context = PDFContext.create();
    const pages = Array.from({ length: 200 }, (_unused, n) => context.register(context.obj({ Type: 'Page', N: n })));
    const root = writePageTree(context, pages);
    context.trailerInfo.Root = context.register(dictOf(context, { Type: PDFName.of('Catalog'), Pages: root }));
    expect(walkPages(context).map(({ ref }) => ref)).to.deep.equal(pages);
    expect(entry(asDict(context, root)!, 'Count')?.toString()).to.equal('200');
    for (const { dict } of walkPages(context)) expect(asDict(context, entry(dict, 'Parent'))?.has(PDFName.of('Kids'))).to.equal(true);
    expect(catalogOf(context)).to.not.equal(undefined);
  });
});
