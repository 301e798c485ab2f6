/** A PDF of these objects, numbered from 1; the first is the catalog. */
function pdf(objects: readonly string[]): Uint8Array {
  let text = '%PDF-1.7\n';
  const lines = objects.map((object, i) => {
    const line = `${String(text.length).padStart(10, '0')} 00000 n \n`;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return line;
  });
  const start = text.length;
  return Buffer.from(
    `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${lines.join('')}trailer\n<< /Size ` +
      `${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`,
    'latin1',
  );
}

const page = (parent: number, more = ''): string =>
  `<< /Type /Page /Parent ${parent} 0 R /MediaBox [0 0 200 200] ${more}>>`;

/** A document of this many empty pages in one flat list. */
export function manyPages(count: number): Uint8Array {
  const kids = Array.from({ length: count }, (_unused, i) => `${i + 3} 0 R`).join(' ');
  return pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${count} /Kids [${kids}] >>`,
    ...Array.from({ length: count }, () => page(2)),
  ]);
}

/** Linked outline items, numbered from `first` on; `more` adds entries to each. */
function chain(count: number, first: number, root: number, more: (i: number) => string): string[] {
  return Array.from(
    { length: count },
    (_unused, i) =>
      `<< /Title (T${i}) /Parent ${root} 0 R ${i + 1 < count ? `/Next ${first + i + 1} 0 R ` : ''}${more(i)}>>`,
  );
}

/** A document with at least one page, whose objects contradict each other. */
export interface HostileDocument {
  readonly title: string;
  readonly bytes: Uint8Array;
  /** Restricts a slow document to these operations. */
  readonly only?: readonly string[];
  /** Takes seconds in each operation. */
  readonly slow?: boolean;
}

/** Operations that read the outline, each in its own way. */
const OUTLINE_READERS = [
  'general/remove-pages',
  'general/split-pdf-by-chapters',
  'general/extract-bookmarks',
  'general/edit-table-of-contents',
];

/** Documents whose page tree or outline is endless, or very long. */
export function hostilePages(): readonly HostileDocument[] {
  const doubling = Array.from(
    { length: 40 },
    (_unused, i) => `<< /Type /Pages /Count 2 /Kids [${i + 3} 0 R ${i + 3} 0 R] >>`,
  );
  const three = ['<< /Type /Pages /Count 3 /Kids [4 0 R 5 0 R 6 0 R] >>', page(3), page(3), page(3)];
  const outlined = (root: string, items: readonly string[]): Uint8Array =>
    pdf(['<< /Type /Catalog /Pages 3 0 R /Outlines 2 0 R >>', root, ...three, ...items]);
  return [
    {
      title: 'a page tree whose nodes contain each other',
      bytes: pdf([
        '<< /Type /Catalog /Pages 2 0 R >>',
        '<< /Type /Pages /Count 9 /Kids [3 0 R 4 0 R] >>',
        page(2),
        '<< /Type /Pages /Count 9 /Kids [5 0 R 2 0 R 4 0 R] >>',
        page(4),
      ]),
    },
    {
      title: 'a page tree that doubles at each of forty levels',
      bytes: pdf(['<< /Type /Catalog /Pages 2 0 R >>', ...doubling, page(41)]),
      slow: true,
    },
    {
      title: 'one page that is in the tree nine times',
      bytes: pdf([
        '<< /Type /Catalog /Pages 2 0 R >>',
        `<< /Type /Pages /Count 9 /Kids [${'3 0 R '.repeat(9)}] >>`,
        page(2),
      ]),
    },
    {
      title: 'an outline whose items follow each other in a ring',
      bytes: outlined('<< /First 7 0 R /Last 8 0 R >>', [
        '<< /Title (a) /Parent 2 0 R /Next 8 0 R /Dest [4 0 R /Fit] >>',
        '<< /Title (b) /Parent 2 0 R /Next 7 0 R /First 7 0 R /Dest [5 0 R /Fit] >>',
      ]),
    },
    {
      title: 'an outline whose item is its own child and its own next',
      bytes: outlined('<< /First 7 0 R /Last 7 0 R >>', [
        '<< /Title (a) /Parent 7 0 R /Next 7 0 R /Prev 7 0 R /First 7 0 R /Last 7 0 R /Dest [4 0 R /Fit] >>',
      ]),
    },
    {
      title: 'an outline that is an item of itself',
      bytes: outlined('<< /Title (root) /First 2 0 R /Last 2 0 R /Next 2 0 R /Dest [4 0 R /Fit] >>', []),
    },
    {
      title: 'an outline of 200000 items',
      bytes: outlined(
        '<< /First 7 0 R /Last 200006 0 R >>',
        chain(200_000, 7, 2, (i) => `/Dest [${4 + (i % 3)} 0 R /Fit] `),
      ),
      only: OUTLINE_READERS,
    },
    {
      title: 'an outline 50000 items deep',
      bytes: outlined(
        '<< /First 7 0 R /Last 7 0 R >>',
        Array.from(
          { length: 50_000 },
          (_unused, i) => `<< /Title (T) /Parent 2 0 R /First ${i + 8} 0 R /Dest [4 0 R /Fit] >>`,
        ),
      ),
      only: OUTLINE_READERS,
    },
    {
      title: 'named destinations that name each other',
      bytes: pdf([
        '<< /Type /Catalog /Pages 3 0 R /Outlines 2 0 R /Names << /Dests 8 0 R >> >>',
        '<< /First 7 0 R /Last 7 0 R >>',
        ...three,
        '<< /Title (a) /Parent 2 0 R /Dest (x) >>',
        '<< /Names [(x) 9 0 R (y) 10 0 R] /Kids [8 0 R] >>',
        '<< /D (y) >>',
        '<< /D (x) >>',
      ]),
    },
    {
      title: 'page labels far beyond the pages',
      bytes: pdf([
        '<< /Type /Catalog /Pages 3 0 R /PageLabels << /Nums [0 << /S /r /St 2147483647 >> -5 << /S /D >> ' +
          '2147483646 << /S /A >>] /Kids [2 0 R] >> >>',
        '<< /Kids [2 0 R 2 0 R] >>',
        ...three,
      ]),
    },
    {
      title: 'a field that is its own parent and kid, on every page',
      bytes: pdf([
        '<< /Type /Catalog /Pages 3 0 R /AcroForm << /Fields [7 0 R] /CO [7 0 R] >> >>',
        'null',
        '<< /Type /Pages /Count 3 /Kids [4 0 R 5 0 R 6 0 R] >>',
        ...Array.from({ length: 3 }, () => page(3, '/Annots [7 0 R 7 0 R] ')),
        '<< /Subtype /Widget /FT /Tx /T (f) /Parent 7 0 R /Kids [7 0 R] /Rect [0 0 9 9] >>',
      ]),
    },
    {
      title: 'tags that are their own parents',
      bytes: pdf([
        '<< /Type /Catalog /Pages 3 0 R /StructTreeRoot 2 0 R /MarkInfo << /Marked true >> >>',
        '<< /Type /StructTreeRoot /K [7 0 R 2 0 R] /ParentTree << /Nums [0 [7 0 R 8 0 R]] >> /ParentTreeNextKey 0 >>',
        '<< /Type /Pages /Count 3 /Kids [4 0 R 5 0 R 6 0 R] >>',
        ...Array.from({ length: 3 }, () => page(3, '/StructParents 0 ')),
        '<< /Type /StructElem /S /P /P 8 0 R /K [8 0 R 7 0 R 0] /Pg 4 0 R >>',
        '<< /Type /StructElem /S /P /P 7 0 R /K [7 0 R 1] /Pg 5 0 R >>',
      ]),
    },
  ];
}
