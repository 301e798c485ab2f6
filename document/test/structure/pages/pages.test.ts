import { expect } from 'chai';
import { PDFContext, PDFName, type PDFRef } from 'pdf-lib';
import { asDict, catalogOf, dictOf, entry } from '../../../file/objects/index.js';
import {
  insertPage,
  movePage,
  pageAttribute,
  pageBox,
  pageRotation,
  removePage,
  walkPages,
  writePageTree,
} from '../../../structure/pages/index.js';

function treeOf(build: (context: PDFContext) => PDFRef): PDFContext {
  const context = PDFContext.create();
  const root = build(context);
  context.trailerInfo.Root = context.register(context.obj({ Type: 'Catalog', Pages: root }));
  return context;
}

describe('walkPages', () => {
  it('ignores wrong counts', () => {
    const context = treeOf((c) =>
      c.register(c.obj({ Type: 'Pages', Count: 900, Kids: [c.register(c.obj({ Type: 'Page' }))] })),
    );
    expect(walkPages(context)).to.have.length(1);
  });

  it('stops at cycles in the tree', () => {
    const context = treeOf((c) => {
      const root = c.nextRef();
      c.assign(
        root,
        c.obj({
          Type: 'Pages',
          Kids: [root, c.register(c.obj({ Type: 'Pages', Kids: [root, c.register(c.obj({ Type: 'Page' }))] }))],
        }),
      );
      return root;
    });
    expect(walkPages(context)).to.have.length(1);
  });

  it('returns a page that occurs in the tree twice as two', () => {
    const context = treeOf((c) => {
      const page = c.register(c.obj({ Type: 'Page' }));
      return c.register(c.obj({ Type: 'Pages', Kids: [page, page] }));
    });
    expect(walkPages(context)).to.have.length(2);
  });

  it('skips missing and invalid kids, and makes direct pages indirect', () => {
    const context = treeOf((c) =>
      c.register(c.obj({ Type: 'Pages', Kids: [c.nextRef(), 7, { Type: 'Page', Rotate: 90 }] })),
    );
    const pages = walkPages(context);
    expect(pages).to.have.length(1);
    expect(context.lookup(pages[0]?.ref)).to.equal(pages[0]?.dict);
    expect(walkPages(context)[0]?.ref).to.equal(pages[0]?.ref);
  });

  it('returns the pages of nested nodes in their order', () => {
    const context = treeOf((c) => {
      const page = (angle: number): PDFRef => c.register(c.obj({ Type: 'Page', Rotate: angle }));
      const node = (...kids: PDFRef[]): PDFRef => c.register(c.obj({ Type: 'Pages', Kids: kids }));
      return node(page(1), node(page(2), node(), node(page(3), page(4)), page(5)), page(6), node(page(7)));
    });
    const angles = walkPages(context).map(({ dict }) => dict.get(PDFName.of('Rotate'))?.toString());
    expect(angles.join(' ')).to.equal('1 2 3 4 5 6 7');
  });

  it('returns no pages below 500 nodes', () => {
    const pagesBelow = (nodes: number): number =>
      walkPages(
        treeOf((c) => {
          let kid = c.register(c.obj({ Type: 'Page' }));
          for (let i = 0; i < nodes; i++) kid = c.register(c.obj({ Type: 'Pages', Kids: [kid] }));
          return kid;
        }),
      ).length;
    expect([pagesBelow(499), pagesBelow(500), pagesBelow(501)]).to.deep.equal([1, 1, 0]);
  });

  it('returns inherited attributes, the nearest first', () => {
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

  it('returns no pages for a document without a page tree', () => {
    expect(walkPages(PDFContext.create())).to.deep.equal([]);
  });
});

describe('writePageTree', () => {
  it('writes all pages in order with correct counts and parents', () => {
    const context = PDFContext.create();
    const pages = Array.from({ length: 200 }, (_unused, n) => context.register(context.obj({ Type: 'Page', N: n })));
    const root = writePageTree(context, pages);
    context.trailerInfo.Root = context.register(dictOf(context, { Type: PDFName.of('Catalog'), Pages: root }));
    expect(walkPages(context).map(({ ref }) => ref)).to.deep.equal(pages);
    expect(entry(asDict(context, root)!, 'Count')?.toString()).to.equal('200');
    for (const { dict } of walkPages(context))
      expect(asDict(context, entry(dict, 'Parent'))?.has(PDFName.of('Kids'))).to.equal(true);
    expect(catalogOf(context)).to.not.equal(undefined);
  });
});

describe('editing the page tree in place', () => {
  /** Two nodes of three pages, named a to f; the second node rotates its pages, and every count is wrong. */
  function twoNodes(): { context: PDFContext; names: () => string; nodes: readonly PDFRef[] } {
    const nodes: PDFRef[] = [];
    const context = treeOf((c) => {
      const [root, left, right] = [c.nextRef(), c.nextRef(), c.nextRef()];
      nodes.push(left, right);
      const page = (name: string, parent: PDFRef): PDFRef =>
        c.register(c.obj({ Type: 'Page', N: name, Parent: parent }));
      c.assign(
        left,
        c.obj({ Type: 'Pages', Parent: root, Count: 77, Kids: ['a', 'b', 'c'].map((name) => page(name, left)) }),
      );
      c.assign(
        right,
        c.obj({
          Type: 'Pages',
          Parent: root,
          Count: 3,
          Rotate: 90,
          Kids: ['d', 'e', 'f'].map((name) => page(name, right)),
        }),
      );
      c.assign(root, c.obj({ Type: 'Pages', Count: 6, MediaBox: [0, 0, 100, 200], Kids: [left, right] }));
      return root;
    });
    const names = (): string =>
      walkPages(context)
        .map(({ dict }) => entry(dict, 'N')?.toString().slice(1))
        .join('');
    return { context, names, nodes };
  }
  const countOf = (context: PDFContext, ref: PDFRef | undefined): string | undefined =>
    entry(asDict(context, ref)!, 'Count')?.toString();

  it('moves a page with its inherited attributes', () => {
    const { context, names, nodes } = twoNodes();
    expect(movePage(context, 4, 1)).to.equal(true);
    expect(names()).to.equal('aebcdf');
    const moved = walkPages(context)[1]!;
    expect(pageRotation(context, moved)).to.equal(90);
    expect(entry(moved.dict, 'Parent')).to.equal(nodes[0]);
    expect([countOf(context, nodes[0]), countOf(context, nodes[1])]).to.deep.equal(['4', '2']);
    expect(movePage(context, 0, 5)).to.equal(true);
    expect(names()).to.equal('ebcdfa');
    expect(pageRotation(context, walkPages(context)[5]!)).to.equal(0);
  });

  it('changes only the nodes above the page and corrects their counts', () => {
    const { context, names, nodes } = twoNodes();
    const untouched = asDict(context, nodes[1])?.toString();
    expect(removePage(context, 1)?.inherited.size).to.equal(0);
    expect(names()).to.equal('acdef');
    expect(countOf(context, nodes[0])).to.equal('2');
    expect(asDict(context, nodes[1])?.toString()).to.equal(untouched);
  });

  it('removes empty nodes and builds a tree if none is left', () => {
    const { context, names } = twoNodes();
    for (let i = 0; i < 3; i++) removePage(context, 0);
    expect(names()).to.equal('def');
    const root = asDict(context, entry(catalogOf(context)!, 'Pages'))!;
    expect(entry(root, 'Kids')?.toString().match(/R/g)).to.have.length(1);
    for (let i = 0; i < 3; i++) removePage(context, 0);
    expect(names()).to.equal('');
    expect(entry(root, 'Count')?.toString()).to.equal('0');
    expect(removePage(context, 0)).to.equal(undefined);
    insertPage(context, 0, context.register(context.obj({ Type: 'Page', N: 'z', MediaBox: [0, 0, 9, 9] })));
    expect(names()).to.equal('z');
  });

  it('inserts pages first, between and last, without inheriting attributes', () => {
    const { context, names } = twoNodes();
    const added = (name: string): PDFRef => context.register(context.obj({ N: name, MediaBox: [0, 0, 9, 9] }));
    insertPage(context, 0, added('x'));
    insertPage(context, 5, added('y'));
    insertPage(context, 99, added('z'));
    expect(names()).to.equal('xabcdyefz');
    const pages = walkPages(context);
    expect([0, 5, 8].map((i) => pageRotation(context, pages[i]!))).to.deep.equal([0, 0, 0]);
    expect(pageBox(context, pages[5]!)).to.deep.equal([0, 0, 9, 9]);
    expect(entry(asDict(context, entry(catalogOf(context)!, 'Pages'))!, 'Count')?.toString()).to.equal('9');
  });

  it('stops at cycles in the tree', () => {
    const context = treeOf((c) => {
      const root = c.nextRef();
      c.assign(
        root,
        c.obj({
          Type: 'Pages',
          Kids: [root, c.register(c.obj({ Type: 'Page' })), c.register(c.obj({ Type: 'Page', N: 'b' }))],
        }),
      );
      return root;
    });
    expect(movePage(context, 0, 1)).to.equal(true);
    expect(walkPages(context).map(({ dict }) => entry(dict, 'N') !== undefined)).to.deep.equal([true, false]);
  });
});
