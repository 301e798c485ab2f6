import fontkit from '@pdf-lib/fontkit';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { deflateSync, inflateSync } from 'node:zlib';
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFRawStream,
  type PDFRef,
  PDFString,
} from 'pdf-lib';

/** A document under construction: one page with a Helvetica `H`, and content that carriers extend. */
export interface Planting {
  readonly document: PDFDocument;
  readonly context: PDFContext;
  readonly page: PDFDict;
  /** Resources of the page by kind. */
  readonly resources: Record<string, Record<string, unknown>>;
  /** Operators of the page. */
  readonly content: string[];
  readonly word: string;
  /** Puts a line of text below the last one. */
  line(operators: string): void;
}

/** Puts a word into one place of a document. */
type Plant = (planting: Planting) => void | Promise<void>;

/** A place that can hold a word. */
export interface Carrier {
  readonly plant: Plant;
  /** True if people can read the word on the page. */
  readonly isShown?: true;
}

/** This text is on every page and must stay. */
export const STAYING = 'Open text stays';

const name = (text: string): PDFName => PDFName.of(text);
const utf16 = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex');
const letters = (word: string): string[] => [...new Set(word)];
const codesOf = (word: string): number[] => [...word].map((letter) => 0x41 + letters(word).indexOf(letter));
const coded = (word: string): string => Buffer.from(codesOf(word)).toString('latin1');
const hexOf = (text: string): string => Buffer.from(text, 'latin1').toString('hex');

/** A character map for one-byte codes. */
function toUnicode(context: PDFContext, texts: Readonly<Record<number, string>>, extra = ''): PDFRef {
  const entries = Object.entries(texts).map(
    ([code, text]) => `<${Number(code).toString(16).padStart(2, '0')}> <${utf16(text)}>`,
  );
  return context.register(
    context.flateStream(
      `/CIDInit /ProcSet findresource begin 12 dict begin begincmap ${extra}\n/CMapType 2 def\n` +
        '1 begincodespacerange <00> <ff> endcodespacerange\n' +
        `${entries.length} beginbfchar\n${entries.join('\n')}\nendbfchar endcmap end end`,
    ),
  );
}

/** A Type 3 font whose glyphs draw these contents, by code. */
function type3(planting: Planting, contents: Readonly<Record<number, string>>, XObject: object = {}): PDFRef {
  const { context, resources } = planting;
  const codes = Object.keys(contents).map(Number);
  const procedures = codes.map((code) => [`g${code}`, context.register(context.flateStream(contents[code]!))] as const);
  return context.register(
    context.obj({
      Type: 'Font',
      Subtype: 'Type3',
      FontBBox: [0, 0, 6000, 1000],
      FontMatrix: [0.001, 0, 0, 0.001, 0, 0],
      FirstChar: Math.min(...codes),
      LastChar: Math.max(...codes),
      Widths: Array.from({ length: Math.max(...codes) - Math.min(...codes) + 1 }, () => 600),
      Encoding: { Type: 'Encoding', Differences: codes.flatMap((code) => [code, name(`g${code}`)]) },
      CharProcs: Object.fromEntries(procedures),
      Resources: { Font: { H: resources.Font!.H }, XObject },
    } as never),
  );
}

function font(planting: Planting, key: string, dict: object): void {
  planting.resources.Font![key] = planting.context.register(
    planting.context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica', ...dict } as never),
  );
}

/** Embeds a real font; returns its dictionary and the operand that shows a text in it. */
async function embedded(planting: Planting, text: string): Promise<{ readonly dict: PDFDict; readonly shown: string }> {
  const { document, context, resources } = planting;
  document.registerFontkit(fontkit);
  const path = createRequire(import.meta.url).resolve('@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf');
  const arimo = await document.embedFont(readFileSync(path), { subset: false });
  const shown = arimo.encodeText(text).toString();
  await document.flush();
  resources.Font!.Arimo = arimo.ref;
  return { dict: context.lookup(arimo.ref, PDFDict), shown };
}

const image = (dict: string, data: string): string => `q 40 0 0 40 300 20 cm BI ${dict} ID ${data}\nEI Q`;
/** 12 grey samples, of which the first spell the word. */
const samples = (word: string): string => word.padEnd(12, '\x80').slice(0, 12);

/** All carriers by name. */
export const carriers: Readonly<Record<string, Carrier>> = {
  'a ToUnicode map that contradicts the glyph names': {
    isShown: true,
    plant: (planting) => {
      const { context, word, line } = planting;
      const Differences = letters(word).flatMap((letter, i) => [0x41 + i, name(letter)]);
      const lies = Object.fromEntries(letters(word).map((_letter, i) => [0x41 + i, String.fromCharCode(0x61 + i)]));
      font(planting, 'L', { Encoding: { Type: 'Encoding', Differences }, ToUnicode: toUnicode(context, lies) });
      line(`/L 14 Tf (${coded(word)}) Tj`);
    },
  },
  'a ToUnicode map that contradicts the standard encoding': {
    isShown: true,
    plant: (planting) => {
      const { context, word, line } = planting;
      const lies = Object.fromEntries(
        letters(word).map((letter, i) => [letter.charCodeAt(0), String.fromCharCode(0x61 + i)]),
      );
      font(planting, 'LS', { Encoding: 'WinAnsiEncoding', ToUnicode: toUnicode(context, lies) });
      line(`/LS 14 Tf (${word}) Tj`);
    },
  },
  'glyph names that contradict the ToUnicode map': {
    plant: (planting) => {
      const { context, word, line } = planting;
      const says = Object.fromEntries(letters(word).map((letter, i) => [0x41 + i, letter]));
      font(planting, 'LN', { Encoding: 'WinAnsiEncoding', ToUnicode: toUnicode(context, says) });
      line(`/LN 14 Tf (${coded(word)}) Tj`);
    },
  },
  'a ToUnicode map that contradicts an embedded TrueType font': {
    isShown: true,
    plant: async (planting) => {
      const { context, word, line } = planting;
      const { dict, shown } = await embedded(planting, word);
      dict.set(
        name('ToUnicode'),
        context.register(
          context.flateStream(
            'begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange\n' +
              '1 beginbfrange <0000> <ffff> <4e00> endbfrange endcmap',
          ),
        ),
      );
      line(`/Arimo 14 Tf ${shown} Tj`);
    },
  },
  'letters drawn by glyphs of a Type 3 font': {
    isShown: true,
    plant: (planting) => {
      const { context, word, line } = planting;
      const glyphs = letters(word).map((letter, i) => [0x41 + i, `700 0 d0 BT /H 1000 Tf (${letter}) Tj ET`] as const);
      const ref = type3(planting, Object.fromEntries(glyphs));
      planting.resources.Font!.T = ref;
      context.lookup(ref, PDFDict).set(name('ToUnicode'), toUnicode(context, { 0x41: 'x', 0x42: 'y' }));
      line(`/T 14 Tf (${coded(word)}) Tj`);
    },
  },
  'a word drawn by one glyph of a Type 3 font': {
    isShown: true,
    plant: (planting) => {
      planting.resources.Font!.TW = type3(planting, { 0x41: `700 0 d0 BT /H 1000 Tf (${planting.word}) Tj ET` });
      planting.line('/TW 14 Tf (A) Tj');
    },
  },
  'a word in a form that a glyph of a Type 3 font draws': {
    isShown: true,
    plant: (planting) => {
      const { context, word, resources } = planting;
      const form = context.register(
        context.flateStream(`BT /H 1000 Tf (${word}) Tj ET`, {
          Type: 'XObject',
          Subtype: 'Form',
          BBox: [0, -300, 9000, 1000],
          Resources: { Font: { H: resources.Font!.H } },
        } as never),
      );
      resources.Font!.TF = type3(planting, { 0x41: '700 0 d0 /W Do' }, { W: form });
      planting.line('/TF 14 Tf (A) Tj');
    },
  },
  'a whole word as the meaning of one code, and the names of the map': {
    isShown: true,
    plant: (planting) => {
      const { context, word, line } = planting;
      const map = toUnicode(
        context,
        { 0x41: word },
        `/CMapName /${word} def\n% ${word}\n/CIDSystemInfo << /Registry (${word}) /Ordering (UCS) /Supplement 0 >> def`,
      );
      font(planting, 'M', { Encoding: 'WinAnsiEncoding', ToUnicode: map });
      line('/M 14 Tf (A) Tj');
    },
  },
  languages: {
    plant: ({ document, context, word, content }) => {
      document.catalog.set(name('Lang'), PDFString.of(word));
      const root = context.nextRef();
      const element = context.obj({ Type: 'StructElem', S: 'P', P: root, Lang: PDFHexString.fromText(word), K: 0 });
      context.assign(root, context.obj({ Type: 'StructTreeRoot', K: [context.register(element)] }));
      document.catalog.set(name('StructTreeRoot'), root);
      content.push(`/Span <</Lang (${word})>> BDC EMC /Span <</Lang <${utf16(`\ufeff${word}`)}>>> BDC EMC`);
      content.push(`/Span <</Alt (\\${word.charCodeAt(0).toString(8)}${word.slice(1)})>> BDC EMC`);
    },
  },
  'default appearances': {
    plant: ({ document, context, page, resources, word }) => {
      const DA = PDFString.of(`/${word} 12 Tf (${word}) pop 0 g % ${word}`);
      const field = context.register(
        context.obj({
          Type: 'Annot',
          Subtype: 'Widget',
          FT: 'Tx',
          T: PDFString.of('field'),
          V: PDFString.of('value'),
          Rect: [200, 200, 300, 220],
          DA,
        }),
      );
      document.catalog.set(
        name('AcroForm'),
        context.obj({ Fields: [field], DA, DR: { Font: { [word]: resources.Font!.H } } } as never),
      );
      page.set(name('Annots'), context.obj([field]));
    },
  },
  'role maps, class maps and tags': {
    plant: ({ document, context, page, word, content }) => {
      const root = context.nextRef();
      const element = context.register(
        context.obj({
          Type: 'StructElem',
          S: `My${word}`,
          P: root,
          Pg: document.getPage(0).ref,
          C: [`${word}Class`],
          K: 0,
        } as never),
      );
      context.assign(
        root,
        context.obj({
          Type: 'StructTreeRoot',
          K: [element],
          RoleMap: { [`My${word}`]: 'P', Other: `My${word}` },
          ClassMap: { [`${word}Class`]: { O: word, [word]: word } },
          ParentTree: { Nums: [0, [element]] },
        } as never),
      );
      document.catalog.set(name('StructTreeRoot'), root);
      document.catalog.set(name('MarkInfo'), context.obj({ Marked: true }));
      page.set(name('StructParents'), context.obj(0));
      const escaped = `#${word.charCodeAt(0).toString(16)}${word.slice(1)}`;
      content.push(`/My${word} <</MCID 0>> BDC EMC /${word} MP /${escaped} BMC EMC`);
    },
  },
  'resource names': {
    plant: ({ context, resources, content, word, line }) => {
      const form = context.register(
        context.flateStream('', { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 9, 9], Name: word } as never),
      );
      const spot = ['Separation', word, 'DeviceGray', { FunctionType: 2, Domain: [0, 1], N: 1, C0: [1], C1: [0] }];
      Object.assign(resources, {
        XObject: { [word]: form },
        ExtGState: { [word]: { LW: 1 } },
        ColorSpace: { [word]: spot },
        Properties: { [word]: { Type: 'OCG', Name: PDFString.of('layer') } },
      });
      resources.Font![word] = resources.Font!.H;
      content.push(`/${word} gs /${word} cs 0.5 scn /OC /${word} BDC /${word} Do EMC 0 g`);
      line(`/${word} 10 Tf (Named font) Tj`);
    },
  },
  'font names': {
    plant: async (planting) => {
      const { context, word, line } = planting;
      const { dict, shown } = await embedded(planting, 'Embedded');
      const [descendant] = dict.lookup(name('DescendantFonts'), PDFArray).asArray();
      const inner = context.lookup(descendant, PDFDict);
      const descriptor = inner.lookup(name('FontDescriptor'), PDFDict);
      for (const [owner, key] of [
        [dict, 'BaseFont'],
        [inner, 'BaseFont'],
        [descriptor, 'FontName'],
      ] as const)
        owner.set(name(key), name(`ABCDEF+${word}`));
      descriptor.set(name('FontFamily'), PDFString.of(word));
      inner.set(
        name('CIDSystemInfo'),
        context.obj({ Registry: PDFString.of(word), Ordering: PDFString.of(word), Supplement: 0 }),
      );
      const program = context.lookup(descriptor.get(name('FontFile2')));
      if (!(program instanceof PDFRawStream)) throw new Error('the font is not embedded');
      descriptor.set(name('FontFile2'), context.register(renamedProgram(context, program, word)));
      line(`/Arimo 10 Tf ${shown} Tj`);
    },
  },
  'pages outside of the page tree': {
    plant: ({ document, context, resources, word }) => {
      const content = context.register(context.flateStream(`BT /H 12 Tf 20 20 Td (${word}) Tj ET`));
      const lost = context.register(
        context.obj({ Type: 'Page', MediaBox: [0, 0, 99, 99], Contents: content, Resources: resources } as never),
      );
      document.catalog.set(name('Dests'), context.obj({ lost: [lost, 'Fit'] }));
    },
  },
  'the file identifier': {
    plant: ({ context, word }) => {
      context.trailerInfo.ID = context.obj([PDFString.of(word), PDFHexString.fromText(word)]);
    },
  },
  'inline images: entries': {
    plant: ({ content, word }) => {
      content.push(image(`/W 4 /H 3 /BPC 8 /CS /G /${word} /${word} /Note (${word})`, samples('')));
    },
  },
  'inline images: samples': {
    plant: ({ content, word }) => {
      content.push(image('/W 4 /H 3 /BPC 8 /CS /G', samples(word)));
    },
  },
  'inline images: filtered samples': {
    plant: ({ content, word }) => {
      content.push(
        image('/W 4 /H 3 /BPC 8 /CS /G /F /AHx', `${hexOf(samples(word))}>`),
        image(
          '/W 4 /H 3 /BPC 8 /CS /G /F [/AHx /Fl]',
          `${deflateSync(Buffer.from(samples(word), 'latin1')).toString('hex')}>`,
        ),
      );
    },
  },
  'private entries and unknown operators': {
    plant: ({ document, context, page, content, word }) => {
      page.set(name(`ACME_${word}`), context.obj({ [word]: word, Kind: name(word) }));
      document.catalog.set(name(word), PDFString.of('private'));
      content.push(`BX ${word} (${word}) ${word}Op EX % ${word}`);
    },
  },
};

/** Overwrites a part of the font's copyright with a word. */
function renamedProgram(context: PDFContext, program: PDFRawStream, word: string): PDFRawStream {
  const bytes = program.dict.has(name('Filter')) ? inflateSync(program.contents) : Buffer.from(program.contents);
  const at = bytes.indexOf(Buffer.from(utf16('Arimo'), 'hex'));
  Buffer.from(utf16(word), 'hex').copy(bytes, at);
  return context.flateStream(bytes, { Length1: bytes.length });
}

/** A document with a word in these carriers. */
export async function plantedPdf(word: string, plants: readonly Plant[]): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  const page = document.addPage([400, 300]).node;
  const helvetica = context.register(
    context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica', Encoding: 'WinAnsiEncoding' }),
  );
  const content = [`BT /H 12 Tf 20 270 Td (${STAYING}) Tj ET`];
  let y = 250;
  const planting: Planting = {
    document,
    context,
    page,
    resources: { Font: { H: helvetica } },
    content,
    word,
    line: (operators) => {
      y -= 18;
      content.push(`BT 20 ${y} Td ${operators} ET`);
    },
  };
  for (const plant of plants) await plant(planting);
  page.set(name('Resources'), context.obj(planting.resources as never));
  page.set(name('Contents'), context.register(context.flateStream(Buffer.from(content.join('\n'), 'latin1'))));
  return document.save({ useObjectStreams: false, updateFieldAppearances: false });
}
