import { pdfOf, streamOf } from './info-files.js';

/** An XMP packet without declarations. */
export const xmp =
  '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ' +
  'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></x:xmpmeta><?xpacket end="w"?>';

const TEXT =
  '/P<</MCID 0>>BDC BT /F4 12 Tf 50 700 Td (Hello wide world) Tj EMC /Span<</MCID 1>>BDC 0 -20 Td [(sec)-20(ond)' +
  '-600(line)] TJ ET EMC /Fm1 Do';

/** A document with content for every member of the result. */
export const richDocument = (): Uint8Array =>
  pdfOf(
    [
      /* 1 */ '<</Type/Catalog/Version/1.6/Pages 2 0 R/Lang(en-GB)/PageMode/UseOutlines/Outlines 8 0 R/Metadata 7 0 ' +
        'R/MarkInfo<</Marked true>>/StructTreeRoot 28 0 R/AcroForm<</Fields[22 0 R 25 0 R 26 0 R]>>' +
        '/OCProperties<</OCGs[12 0 R 13 0 R]/D<</OFF[13 0 R]>>>>/Names<</EmbeddedFiles<</Kids[<</Names[(a.txt)14 ' +
        '0 R]>><</Kids[<</Names[(b.bin)16 0 R]>>]>>]>>/JavaScript<</Names[(startup)' +
        '<</S/JavaScript/JS(app.alert\\(1\\))>>]>>>>>>',
      /* 2 */ '<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R]/Count 3/MediaBox[0 0 595.28 841.89]>>',
      /* 3 */ '<</Type/Page/Parent 2 0 R/CropBox[10 20 500.5 900]/TrimBox[30 40 400 700]/Resources<</Font<</F1 33 0 R' +
        '/F2 33 0 R/F3 36 0 R/F4 39 0 R/F5 40 0 R>>/XObject<</Im1 42 0 R/Im2 43 0 R/Fm1 44 0 R/Ps1 46 0 R>>>>' +
        '/Contents 6 0 R/Annots[18 0 R 19 0 R 18 0 R 20 0 R 21 0 R 47 0 R 23 0 R]>>',
      /* 4 */ '<</Type/Page/Parent 2 0 R/MediaBox[0 0 841.89 595.28]/Rotate 450/Annots[19 0 R]>>',
      /* 5 */ '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/UserUnit 2/Resources<<>>>>',
      /* 6 */ streamOf('', TEXT),
      /* 7 */ streamOf('/Type/Metadata/Subtype/XML', xmp),
      /* 8 */ '<</Type/Outlines/First 9 0 R/Last 11 0 R>>',
      /* 9 */ '<</Title(One)/Parent 8 0 R/Next 11 0 R/First 10 0 R/Last 10 0 R>>',
      /* 10 */ '<</Title(One point one)/Parent 9 0 R/First 9 0 R>>',
      /* 11 */ '<</Title<FEFF00C40020D83D>/Parent 8 0 R/Next 9 0 R>>',
      /* 12 */ '<</Type/OCG/Name(Draft)>>',
      /* 13 */ '<</Type/OCG/Name(Hidden)>>',
      /* 14 */ '<</Type/Filespec/F(a.txt)/Desc(A text)/EF<</F 15 0 R>>>>',
      /* 15 */ streamOf(
        '/Type/EmbeddedFile/Subtype/text#2Fplain/Params<</Size 5/CreationDate(D:20240229120000Z)' +
          "/ModDate(D:20240301120000+02'00')>>",
        'hello',
      ),
      /* 16 */ '<</Type/Filespec/F(b.bin)/EF<</F 17 0 R>>>>',
      /* 17 */ streamOf('/Type/EmbeddedFile', 'seven b'),
      /* 18 */ '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(https://example.org/a)>>>>',
      /* 19 */ '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(https://example.org/b)>>>>',
      /* 20 */ '<</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]/Contents(The scan)/FS<</Type/Filespec/UF(scan.png)' +
        '/Desc(other)/EF<</F 24 0 R>>>>>>',
      /* 21 */ '<</Type/Annot/Subtype/RichMedia/Rect[0 0 9 9]/Contents(A film)>>',
      /* 22 */ '<</T(person)/Kids[23 0 R]>>',
      /* 23 */ '<</Type/Annot/Subtype/Widget/Rect[0 0 9 9]/Parent 22 0 R/T(name)/FT/Tx/V(Ada)>>',
      /* 24 */ streamOf('/Type/EmbeddedFile/Params<</Size 4>>', 'PNG!'),
      /* 25 */ '<</T(agree)/FT/Btn/V/Yes>>',
      /* 26 */ '<</T(__proto__)/FT/Ch/V[(red)(blue)]/AA<</K<</S/JavaScript/JS(key\\(\\))>>>>>>',
      /* 27 */ '<</Type/StructElem/S/P/P 29 0 R/Pg 3 0 R/K[0 <</Type/MCR/Pg 3 0 R/MCID 1>>]>>',
      /* 28 */ '<</Type/StructTreeRoot/K 29 0 R>>',
      /* 29 */ '<</Type/StructElem/S/Document/P 28 0 R/K[27 0 R 30 0 R 31 0 R 29 0 R]>>',
      /* 30 */ '<</Type/StructElem/S/Figure/P 29 0 R/Alt(A chart)>>',
      /* 31 */ '<</Type/StructElem/S/Span/P 29 0 R/Pg 3 0 R/ActualText(stands for it)/K 0>>',
      /* 32 */ streamOf('', 'x'),
      /* 33 */ '<</Type/Font/Subtype/TrueType/BaseFont/ABCDEF+Some-BoldItalic/FontDescriptor 34 0 R>>',
      /* 34 */ '<</Type/FontDescriptor/FontName/ABCDEF+Some-BoldItalic/Flags 262243/ItalicAngle -12.5' +
        '/FontFamily(Some)' +
        '/FontWeight 700/FontFile2 32 0 R>>',
      /* 35 */ '<</Type/FontDescriptor/FontName/Other/Flags 12/FontFile3 99 0 R>>',
      /* 36 */ '<</Type/Font/Subtype/Type0/BaseFont/Other-Identity-H/Encoding/Identity-H/DescendantFonts[37 0 R]>>',
      /* 37 */ '<</Type/Font/Subtype/CIDFontType2/BaseFont/Other/FontDescriptor 35 0 R>>',
      /* 38 */ streamOf(
        '/Type/XObject/Subtype/Image/Width 4/Height 2/BitsPerComponent 8/ColorSpace[/ICCBased 32 0 R]',
        'x',
      ),
      /* 39 */ '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      /* 40 */ '<</Type/Font/Subtype/Type3/Name/Drawn/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/CharProcs<<>>' +
        '/Encoding<<>>' +
        '/FirstChar 0/LastChar 0/Widths[0]>>',
      /* 41 */ '<</Title(Rich)/Author<FEFF00C9>/Producer()/CreationDate(D:20240229120000Z)/ModDate(20240301)' +
        '/Trapped/True/Department(Accounts)/Blank( )/__proto__(kept)/Number 5>>',
      /* 42 */ streamOf(
        '/Type/XObject/Subtype/Image/Width 4/Height 2/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/DCTDecode',
        'x',
      ),
      /* 43 */ streamOf('/Type/XObject/Subtype/Image/Width 8/Height 8/ImageMask true', 'x'),
      /* 44 */ streamOf(
        '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</Font<</Fx 45 0 R>>/XObject<</Im3 38 0 R/Im1 42 0 ' +
          'R/Fm1 44 0 R>>>>',
        'BT /Fx 9 Tf 0 0 Td (in a form) Tj ET',
      ),
      /* 45 */ '<</Type/Font/Subtype/Type1/BaseFont/Courier>>',
      /* 46 */ streamOf('/Type/XObject/Subtype/PS', 'x'),
      /* 47 */ '<</Type/Annot/Rect[0 0 9 9]/Contents(says not what it is)>>',
    ],
    { trailer: '/Info 41 0 R' },
  );
