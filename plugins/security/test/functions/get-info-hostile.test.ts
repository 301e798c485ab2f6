import { expect } from 'chai';
import { infoOf, onePage, pdfOf, streamOf, type InfoResult, type ToldElement } from './info-files.js';

const many = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_none, n) => make(n));

describe('get-info-on-pdf for hostile PDFs', () => {
  it('returns all pages except a broken one', async () => {
    // The content inflates too far, the fonts are an array, the annotations refer to the page itself.
    const { info, facts } = await infoOf(
      pdfOf([
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
        '<</Type/Page/Parent 2 0 R/Resources<</Font[1 2]/XObject 6 0 R>>/Contents 7 0 R/Annots[3 0 R 5 0 R 9 0 R]>>',
        '<</Type/Page/Parent 2 0 R/Resources<</Font<</F 6 0 R>>>>/Contents 5 0 R>>',
        streamOf('', 'BT /F 9 Tf (still there) Tj ET'),
        '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/FontDescriptor 6 0 R/ToUnicode 6 0 R/Widths 6 0 R>>',
        streamOf(`/Filter[${'/FlateDecode'.repeat(20)}]`, 'x'),
      ]),
    );
    expect(facts).to.deep.equal({ unread: 'Text' });
    expect(info.BasicInfo).to.deep.include({ 'Number of pages': 2, WordCount: 2 });
    expect(info.PerPageInfo['Page 2']?.Fonts?.map(({ Name }) => Name)).to.deep.equal(['Helvetica']);
  });

  it('handles trees and forms that contain themselves', async () => {
    const { info, facts } = await infoOf(
      onePage({
        resources: '/XObject<</X 5 0 R>>/Pattern<</P 6 0 R>>',
        content: '/X Do',
        page: '/Annots[7 0 R 7 0 R]',
        catalog:
          '/Outlines 8 0 R/StructTreeRoot 9 0 R/AcroForm<</Fields[10 0 R 10 0 R]>>/Names<</EmbeddedFiles 11 0 ' +
          'R/JavaScript 11 0 R>>/OCProperties<</OCGs[8 0 R 8 0 R]>>/Metadata 5 0 R',
        more: [
          streamOf('/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 5 0 R>>>>', '/X Do'),
          streamOf('/PatternType 1/Resources 12 0 R', ''),
          '<</Subtype/Link/A 13 0 R>>',
          '<</First 8 0 R/Next 8 0 R/Title(x)>>',
          '<</S/Document/K[9 0 R 9 0 R]>>',
          '<</T(a)/Kids[10 0 R]/Parent 10 0 R/V(b)>>',
          '<</Kids[11 0 R]>>',
          '<</Pattern<</P 6 0 R>>/XObject<</X 5 0 R>>>>',
          '<</S/URI/URI(x:)/Next[13 0 R 13 0 R]>>',
        ],
      }),
    );
    expect(facts).to.deep.equal({});
    expect(info.PerPageInfo['Page 1']?.Links).to.deep.equal([{ URI: 'x:' }]);
    expect(info.PerPageInfo['Page 1']?.['XObjectCounts']).to.deep.equal({ Form: 1 });
  });

  it('lists ten thousand fonts of a page', async () => {
    const { info } = await infoOf(
      onePage({ resources: `/Font<<${many(10_000, (n) => `/F${n}<</Subtype/Type1/BaseFont/Font${n}>>`).join('')}>>` }),
    );
    expect(info.PerPageInfo['Page 1']?.Fonts).to.have.length(10_000);
  });

  it('does not return a gigabyte of data that a few thousand pages share', async () => {
    const fonts = many(500, (n) => `/F${n}<</Subtype/Type1/BaseFont/${'N'.repeat(100)}${n}>>`).join('');
    const { info, facts } = await infoOf(
      pdfOf([
        '<</Type/Catalog/Pages 2 0 R>>',
        `<</Type/Pages/Kids[${many(2000, (n) => `${n + 4} 0 R`).join(' ')}]/Count 2000/Resources 3 0 R>>`,
        `<</Font<<${fonts}>>>>`,
        ...many(2000, () => '<</Type/Page/Parent 2 0 R>>'),
      ]),
    );
    expect(facts['unread']).to.include('Fonts');
    expect(Object.keys(info.PerPageInfo)).to.have.length(2000);
    expect(JSON.stringify(info).length).to.be.lessThan(100 * 1024 * 1024);
  });

  it('does not repeat one long text as often as it is referenced', async () => {
    const long = `(${'x'.repeat(1_000_000)})`;
    const items = many(500, (n) => `<</T 6 0 R/V 6 0 R/Title 6 0 R/Name 6 0 R/Next ${n + 8} 0 R>>`);
    const bytes = onePage({
      catalog:
        `/AcroForm<</Fields[${items.map((_item, n) => `${n + 7} 0 R`).join(' ')}]>>/Outlines 5 0 R/OCProperties` +
        `<</OCGs[${items.map((_item, n) => `${n + 7} 0 R`).join(' ')}]>>`,
      more: ['<</First 7 0 R>>', long, ...items],
    });
    const { info, facts } = await infoOf(bytes);
    expect(facts['unread']?.split(', ')).to.include.members(['FormFields', 'Layers', 'Bookmarks']);
    expect(info.BasicInfo['Number of pages']).to.equal(1);
  }).timeout(60_000);

  it('truncates a structure tree that is too deep, and reports it', async () => {
    const depth = 200;
    const { info, facts } = await infoOf(
      onePage({ catalog: '/StructTreeRoot<</K 5 0 R>>', more: many(depth, (n) => `<</S/Div/K[${n + 6} 0 R]>>`) }),
    );
    let levels = 0;
    for (let at: readonly ToldElement[] | undefined = info.Other.StructureTree; at !== undefined; at = at[0]?.Children)
      levels++;
    expect([levels, facts]).to.deep.equal([64, { cut: 'StructureTree' }]);
  });

  it('returns valid JSON in UTF-8 for any text', async () => {
    const odd = '<FEFFD83D004200000001002200C9DE00>';
    const { info } = await infoOf(
      onePage({
        catalog: `/Outlines<</First<</Title ${odd}>>>>/AcroForm<</Fields[<</T ${odd}/FT/Tx/V ${odd}>>]>>/Lang ${odd}`,
        trailer: '/Info<</constructor(a)/hasOwnProperty(b)/__proto__<</x 1>>/toString(c)/__defineGetter__(d)>>',
        resources: '/Font<</F<</Subtype/Type1/BaseFont/A#00B#FF#0A>>>>',
      }),
    );
    const text = '\ufffd\0\u0001"É\ufffd';
    expect([
      info.Other['Bookmarks/Outline/TOC'],
      Object.entries(info.FormFields),
      info.BasicInfo['Language'],
    ]).to.deep.equal([[{ Title: text }], [[text, text]], text]);
    expect(Object.keys(info.Metadata)).to.have.members([
      'constructor',
      'hasOwnProperty',
      'toString',
      '__defineGetter__',
    ]);
    expect(JSON.stringify(info)).not.to.match(/\\ud[89a-f]/);
  });

  it('ignores objects of the wrong type everywhere', async () => {
    for (const wrong of ['null', '7', '/Name', '(text)', '[]', '[3 0 R]', '<<>>', '3 0 R', '99 0 R', 'true']) {
      const catalog = [
        'Outlines',
        'StructTreeRoot',
        'AcroForm',
        'Names',
        'OCProperties',
        'Metadata',
        'Lang',
        'PageMode',
        'Version',
        'MarkInfo',
      ]
        .map((key) => `/${key} ${wrong}`)
        .join('');
      const page = ['Annots', 'CropBox', 'TrimBox', 'Rotate', 'AA'].map((key) => `/${key} ${wrong}`).join('');
      const resources = ['Font', 'XObject', 'Pattern'].map((key) => `/${key} ${wrong}`).join('');
      const { info } = await infoOf(onePage({ catalog, page, resources, trailer: `/Info ${wrong}` }));
      expect(
        [info.BasicInfo['Number of pages'], info.PerPageInfo['Page 1']?.Size['Standard Page']],
        wrong,
      ).to.deep.equal([1, 'Letter']);
    }
    const entries = (wrong: string, ...keys: string[]): string => keys.map((key) => `/${key} ${wrong}`).join('');
    for (const wrong of ['null', '7', '(text)', '[]', '<<>>', '3 0 R']) {
      const { info }: { info: InfoResult } = await infoOf(
        onePage({
          resources:
            `/Font<</F<<${entries(wrong, 'Subtype', 'BaseFont', 'FontDescriptor', 'DescendantFonts')}>>>>/XObject` +
            '<</X 5 0 R>>',
          page:
            `/Annots[<<${entries(wrong, 'Subtype', 'Contents', 'A', 'FS', 'AA')}>> <</Subtype/Link/A<</S/URI/URI ` +
            `${wrong}>>>> <</Subtype/FileAttachment/FS ${wrong}>>]`,
          more: [
            streamOf(
              '/Subtype/Image' +
                `${entries(wrong, 'Width', 'Height', 'BitsPerComponent', 'ColorSpace', 'Filter', 'ImageMask')}`,
              '',
            ),
          ],
        }),
      );
      expect(info.PerPageInfo['Page 1']?.Fonts, wrong).to.have.length(1);
      expect(info.PerPageInfo['Page 1']?.Images, wrong).to.have.length(1);
    }
  });
});
