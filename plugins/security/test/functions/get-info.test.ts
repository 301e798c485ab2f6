import { expect } from 'chai';
import { infoOf, onePage, streamOf, type InfoResult, type ToldElement } from './info-files.js';
import { richDocument, xmp } from './rich-document.js';

/** A time formatted as in the result, in the zone of this process, by other code than the product's. */
const local = (iso: string): string => new Date(iso).toLocaleString('sv-SE');

describe('get-info-on-pdf', () => {
  let info: InfoResult;
  before(async () => {
    const told = await infoOf(richDocument());
    expect(told.facts).to.deep.equal({});
    info = told.info;
  });

  it('has exactly the members of the contract', () => {
    expect(Object.keys(info)).to.deep.equal([
      'Metadata',
      'BasicInfo',
      'DocumentInfo',
      'Compliancy',
      'Encryption',
      'Permissions',
      'FormFields',
      'Other',
      'PerPageInfo',
      'SummaryData',
    ]);
  });

  it('repeats the information dictionary with custom entries, but without blank ones', () => {
    expect(Object.entries(info.Metadata)).to.have.deep.members([
      ['Title', 'Rich'],
      ['Author', 'É'],
      ['Producer', ''],
      ['CreationDate', local('2024-02-29T12:00:00Z')],
      ['ModificationDate', local('2024-03-01T00:00:00Z')],
      ['Department', 'Accounts'],
      ['__proto__', 'kept'],
      ['Number', '5'],
    ]);
  });

  it('counts words, lines and characters of the text, including text in forms', () => {
    expect(info.BasicInfo).to.deep.equal({
      FileSizeInBytes: richDocument().length,
      WordCount: 8,
      ParagraphCount: 3,
      CharacterCount: 'Hello wide world\nsecond line\nin a form'.length,
      Language: 'en-GB',
      'Number of pages': 3,
      TotalImages: 3,
      UniqueImages: 3,
    });
    expect(info.PerPageInfo['Page 1']?.['Text Characters Count']).to.equal(info.BasicInfo['CharacterCount']);
  });

  it('returns the version from the catalog, trapping and page mode', () => {
    expect(info.DocumentInfo).to.deep.equal({ 'PDF version': 1.6, Trapped: 'True', 'Page Mode': 'USE_OUTLINES' });
  });

  it('reports compliance correctly', () => {
    expect(info.Compliancy).to.deep.equal({
      'IsPDF/ACompliant': false,
      'IsPDF/UACompliant': false,
      'IsPDF/ECompliant': false,
      'IsPDF/VTCompliant': false,
      'IsPDF/BCompliant': false,
      'IsPDF/SECCompliant': false,
      'not-pdfa': false,
    });
  });

  it('allows everything in a file without encryption', () => {
    expect(info.Encryption).to.deep.equal({ IsEncrypted: false });
    expect(info.Permissions).to.deep.equal({
      'Document Assembly': 'Allowed',
      'Extracting Content': 'Allowed',
      'Extracting for accessibility': 'Allowed',
      'Form Filling': 'Allowed',
      Modifying: 'Allowed',
      'Modifying annotations': 'Allowed',
      Printing: 'Allowed',
    });
    expect(info.SummaryData).to.deep.equal({
      Compliance: [{ Standard: 'not-pdfa', Compliant: false, Summary: 'Not PDF/A' }],
    });
  });

  it('returns fields by their full names, whatever these are', () => {
    expect(Object.entries(info.FormFields)).to.deep.equal([
      ['person.name', 'Ada'],
      ['agree', 'Yes'],
      ['__proto__', 'red, blue'],
    ]);
  });

  it('lists embedded files of the whole tree, and those of annotations separately', () => {
    expect(info.Other.EmbeddedFiles).to.deep.equal([
      {
        Name: 'a.txt',
        FileSize: 5,
        MimeType: 'text/plain',
        CreationDate: local('2024-02-29T12:00:00Z'),
        ModificationDate: local('2024-03-01T10:00:00Z'),
      },
      { Name: 'b.bin', FileSize: 7, MimeType: null, CreationDate: null, ModificationDate: null },
    ]);
    expect(info.Other.Attachments).to.deep.equal([{ Name: 'scan.png', Description: 'The scan', FileSize: 4 }]);
  });

  it('lists every script, layers, and bookmarks from top to bottom, each once', () => {
    expect(info.Other.JavaScript).to.deep.equal([
      { 'JS Name': 'startup', 'JS Script Length': 12 },
      { 'JS Name': 'field __proto__, on typing (K)', 'JS Script Length': 5 },
    ]);
    expect(info.Other.Layers).to.deep.equal([{ Name: 'Draft' }, { Name: 'Hidden' }]);
    expect(info.Other['Bookmarks/Outline/TOC']).to.deep.equal([
      { Title: 'One' },
      { Title: 'One point one' },
      { Title: 'Ä \ufffd' },
    ]);
    expect(info.Other.XMPMetadata).to.equal(xmp);
  });

  it('nests the structure tree with the text of marked content', () => {
    expect(info.Other.StructureTree).to.deep.equal([
      {
        Type: 'Document',
        Content: '',
        Children: [
          { Type: 'P', Content: 'Hello wide world second line' },
          { Type: 'Figure', Content: 'A chart' },
          { Type: 'Span', Content: 'stands for it' },
        ],
      },
    ]);
  });

  it('measures pages in points, inches and centimetres', () => {
    const [first, second, third] = ['Page 1', 'Page 2', 'Page 3'].map((key) => info.PerPageInfo[key]);
    expect(first?.Size).to.deep.equal({
      'Width (px)': '595.28',
      'Height (px)': '841.89',
      'Width (in)': '8.27',
      'Height (in)': '11.69',
      'Width (cm)': '21.00',
      'Height (cm)': '29.70',
      'Standard Page': 'A4',
    });
    expect([first?.Rotation, first?.['Page Orientation']]).to.deep.equal([0, 'Portrait']);
    expect([second?.Size['Standard Page'], second?.Rotation, second?.['Page Orientation']]).to.deep.equal([
      'Custom',
      90,
      'Landscape',
    ]);
    expect([
      third?.Size['Width (px)'],
      third?.Size['Standard Page'],
      third?.['Page Orientation'],
      third?.['MediaBox'],
    ]).to.deep.equal(['200.00', 'Custom', 'Square', '[0.0,0.0,100.0,100.0]']);
  });

  it('returns boxes limited to the media box, and the crop box for missing ones', () => {
    const page = info.PerPageInfo['Page 1'];
    expect([
      page?.['MediaBox'],
      page?.['CropBox'],
      page?.['BleedBox'],
      page?.['TrimBox'],
      page?.['ArtBox'],
    ]).to.deep.equal([
      '[0.0,0.0,595.28,841.89]',
      '[10.0,20.0,500.5,841.89]',
      '[10.0,20.0,500.5,841.89]',
      '[30.0,40.0,400.0,700.0]',
      '[10.0,20.0,500.5,841.89]',
    ]);
  });

  it('counts annotations, and lists links and media once per page', () => {
    const page = info.PerPageInfo['Page 1'];
    expect(page?.['Annotations']).to.deep.equal({ AnnotationsCount: 7, SubtypeCount: 6, ContentsCount: 3 });
    expect(page?.Links).to.deep.equal([{ URI: 'https://example.org/a' }, { URI: 'https://example.org/b' }]);
    expect(page?.['Multimedia']).to.deep.equal([{ Subtype: 'RichMedia', Contents: 'A film' }]);
  });

  it('reads font flags by the bits of the standard', () => {
    expect(info.PerPageInfo['Page 1']?.Fonts).to.deep.equal([
      {
        IsEmbedded: true,
        Name: 'ABCDEF+Some-BoldItalic',
        Subtype: 'TrueType',
        ItalicAngle: -12.5,
        IsItalic: true,
        IsBold: true,
        IsFixedPitch: true,
        IsSerif: true,
        IsSymbolic: false,
        IsScript: false,
        IsNonsymbolic: true,
        FontFamily: 'Some',
        FontWeight: 700,
        Count: 2,
      },
      {
        IsEmbedded: false,
        Name: 'Other-Identity-H',
        Subtype: 'Type0',
        ItalicAngle: 0,
        IsItalic: false,
        IsBold: false,
        IsFixedPitch: false,
        IsSerif: false,
        IsSymbolic: true,
        IsScript: true,
        IsNonsymbolic: false,
        FontFamily: null,
        FontWeight: 0,
        Count: 1,
      },
      { IsEmbedded: false, Name: 'Helvetica', Subtype: 'Type1', Count: 1 },
      { IsEmbedded: true, Name: 'Drawn', Subtype: 'Type3', Count: 1 },
      { IsEmbedded: false, Name: 'Courier', Subtype: 'Type1', Count: 1 },
    ]);
  });

  it('lists images of the page and its forms once each, with the types of XObjects', () => {
    const page = info.PerPageInfo['Page 1'];
    expect(page?.Images).to.deep.equal([
      { Width: 4, Height: 2, Name: 'Im1', ColorSpace: 'DeviceRGB', BitsPerComponent: 8 },
      { Width: 8, Height: 8, Name: 'Im2', BitsPerComponent: 1 },
      { Width: 4, Height: 2, Name: 'Im3', ColorSpace: 'ICCBased', BitsPerComponent: 8 },
    ]);
    expect(page?.['XObjectCounts']).to.deep.equal({ Image: 3, Form: 1, Other: 1 });
  });

  it('omits what needs resources on a page without them, but not its links', () => {
    expect(Object.keys(info.PerPageInfo['Page 2'] ?? {})).to.deep.equal([
      'Size',
      'Rotation',
      'Page Orientation',
      'MediaBox',
      'CropBox',
      'BleedBox',
      'TrimBox',
      'ArtBox',
      'Text Characters Count',
      'Annotations',
      'Links',
      'Multimedia',
    ]);
    expect(info.PerPageInfo['Page 3']).to.deep.include({
      Images: [],
      Links: [],
      Fonts: [],
      XObjectCounts: {},
      Multimedia: [],
    });
  });

  it('recognises a plain file as safe for a secure archive', async () => {
    expect((await infoOf(onePage({}))).info.Compliancy['IsPDF/SECCompliant']).to.equal(true);
    for (const action of [
      '/S/URI/URI(x:)',
      '/S/Launch/F(x)',
      '/S/GoToR/F(x)/D[0/Fit]',
      '/S/GoTo/D[3 0 R/Fit]/Next<</S/SubmitForm/F(x)>>',
      '/S/GoTo/D[3 0 R/Fit]/Next<</S/JavaScript/JS(x)>>',
    ]) {
      const { Compliancy } = (
        await infoOf(onePage({ page: `/Annots[<</Subtype/Link/Rect[0 0 1 1]/A<<${action}>>>>]` }))
      ).info;
      expect(Compliancy['IsPDF/SECCompliant'], action).to.equal(false);
    }
    expect(
      (await infoOf(onePage({ page: '/Annots[<</Subtype/Link/Rect[0 0 1 1]/A<</S/GoTo/D[3 0 R/Fit]>>>>]' }))).info
        .Compliancy['IsPDF/SECCompliant'],
    ).to.equal(true);
    const embedded = onePage({
      catalog: '/Names<</EmbeddedFiles<</Names[(a)<</F(a)/EF<</F 5 0 R>>>>]>>>>',
      more: [streamOf('', 'a')],
    });
    expect((await infoOf(embedded)).info.Compliancy['IsPDF/SECCompliant']).to.equal(false);
  });

  it('assigns text of marked content in forms to the elements that refer to it', async () => {
    const form = streamOf('/Subtype/Form/BBox[0 0 99 99]', '/Span<</MCID 0>>BDC BT /F 9 Tf (of the form) Tj ET EMC');
    const { info: told } = await infoOf(
      onePage({
        resources: '/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>/XObject<</X 5 0 R>>',
        content: '/P<</MCID 0>>BDC BT /F 9 Tf (of the page) Tj ET EMC /X Do /X Do',
        catalog: '/StructTreeRoot<</K[<</S/P/Pg 3 0 R/K 0>> <</S/Span/Pg 3 0 R/K<</Type/MCR/Stm 5 0 R/MCID 0>>>>]>>',
        more: [form],
      }),
    );
    expect(told.Other.StructureTree?.map(({ Content }: ToldElement) => Content)).to.deep.equal([
      'of the page',
      'of the form',
    ]);
  });
});
