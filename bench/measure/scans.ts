import { PDFDocument } from 'pdf-lib';
import sharp from 'sharp';
import { cached, hash, photograph } from './inputs.js';

/** A4 at 300 dpi. */
const [WIDTH, HEIGHT] = [2480, 3508];
const LINES = 42;
const WORDS =
  `about above account across after again against agree almost always amount animal answer around arrive because
  become before begin behind believe between beyond bottle bread bridge bright bring brother building business carry
  castle catch center certain chair chance change charge cheap child choose circle city clean clear clock close cloud
  coffee cold color common company corner cotton country course cover create cross dance danger daughter decide deep
  depend desert detail direct discover doctor double dream drive during early earth either electric energy engine
  enough enter evening every example exercise experience family famous farmer father feather field figure finger
  finish flower follow forest forget forward friend garden general gentle glass ground group happen harbor health
  heart heavy history honest horse hospital hundred husband imagine important include industry insect inside island
  journey judge kitchen knowledge ladder language large later laugh leader learn leather letter library listen little
  machine market material measure member memory method middle minute mirror modern moment money month morning mother
  mountain music narrow nation nature neighbor network never north number object ocean offer office orange order
  paper parent party people perhaps person picture plant platform pleasure pocket point position possible pretty
  problem produce promise proper public purpose quality question quick quiet railway rather reason receive record
  regular remember report result return river rough round school science season second sentence service several
  shoulder silver simple sister smooth society soldier solid special spring square station stone story straight
  strange street strong student sudden sugar summer support surface system table teacher thought thousand through
  together tomorrow travel trouble uncle under until value village visit voice water weather whether window winter
  without woman wonder world yellow yesterday young`.split(/\s+/);

/** A kind of scanned page. */
export interface ScanKind {
  readonly name: string;
  readonly what: string;
  readonly paper: string;
  readonly ink: string;
  /** Height of the letters in pixels. */
  readonly size: number;
  readonly grey?: boolean;
  /** How strongly the paper's fibres show, and by how much the light falls off towards an edge. */
  readonly grain: number;
  readonly shade: number;
  /** Drawn over the text, as SVG. */
  readonly extras?: string;
  /** A photograph takes the lower third. */
  readonly photo?: boolean;
}

const letterhead =
  '<rect x="0" y="0" width="2480" height="150" fill="#1d4f91"/>' +
  '<text x="200" y="105" font-size="80" font-family="sans-serif" fill="#ffffff">Harbor and Sons</text>' +
  '<g fill="none" stroke="#c02030" stroke-width="9"><circle cx="2020" cy="3060" r="170"/>' +
  '<circle cx="2020" cy="3060" r="140"/></g>' +
  '<text x="1925" y="3085" font-size="80" font-family="sans-serif" fill="#c02030">PAID</text>' +
  '<path d="M300 3140 c120 -220 170 180 260 20 s 90 -140 150 -20 s 140 60 260 -60" fill="none" stroke="#20309a" ' +
  'stroke-width="8"/>';

/** The kinds of scans that are measured. */
export const scanKinds: readonly ScanKind[] = [
  {
    name: 'office',
    what: 'office copies, grey',
    paper: '#f4f4f4',
    ink: '#202020',
    size: 42,
    grey: true,
    grain: 10,
    shade: 0,
  },
  {
    name: 'letter',
    what: 'letters with letterhead, stamp and signature',
    paper: '#f6f4ef',
    ink: '#1c1c20',
    size: 44,
    grain: 10,
    shade: 12,
    extras: letterhead,
  },
  { name: 'book', what: 'pages of an old book', paper: '#e3d3ae', ink: '#3a2c20', size: 46, grain: 18, shade: 40 },
  {
    name: 'magazine',
    what: 'magazine pages with a photograph',
    paper: '#f8f8f6',
    ink: '#151515',
    size: 38,
    grain: 8,
    shade: 6,
    photo: true,
  },
];

/** The text of a page, line by line. */
export function scanText(kind: ScanKind, n: number): string[] {
  const lines = kind.photo === true ? Math.round(LINES * 0.6) : LINES;
  const words = Math.round((2080 / kind.size) * 0.235);
  return Array.from({ length: lines }, (_, line) =>
    Array.from(
      { length: words },
      (_unused, k) => WORDS[Math.floor(hash(kind.size * 7 + n * 3191 + line * 57 + k) * WORDS.length)],
    ).join(' '),
  );
}

/** Creates a document of scanned pages, JPEGs of quality 85 as scanners write them. Returns its path. */
export function scansPdf(kind: ScanKind, pages = 2): Promise<string> {
  return cached(`scans-${kind.name}-${pages}.pdf`, async () => {
    const document = await PDFDocument.create();
    for (let n = 0; n < pages; n++) {
      const image = await document.embedJpg(await scanOf(kind, n));
      document.addPage([595, 842]).drawImage(image, { x: 0, y: 0, width: 595, height: 842 });
    }
    return document.save();
  });
}

/** Draws the page, softens it as a lens does, and adds light, fibres and noise. */
async function scanOf(kind: ScanKind, n: number): Promise<Buffer> {
  const lines = scanText(kind, n).map(
    (line, i) =>
      `<text x="200" y="${300 + i * 66}" font-size="${kind.size}" font-family="serif" fill="${kind.ink}">` +
      `${line}</text>`,
  );
  const page = sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><rect width="100%" height="100%" ` +
        `fill="${kind.paper}"/><g transform="rotate(0.3)">${lines.join('')}</g>${kind.extras ?? ''}</svg>`,
    ),
  ).removeAlpha();
  const photo = kind.photo === true ? await (await photograph(2080, 1000, n * 17 + 3)).png().toBuffer() : undefined;
  const printed = photo === undefined ? page : page.composite([{ input: photo, left: 200, top: 2200 }]);
  const sheet = await printed.png({ compressionLevel: 1 }).toBuffer();
  const { data } = await sharp(sheet).blur(0.8).raw().toBuffer({ resolveWithObject: true });
  for (let at = 0, pixel = 0; at < data.length; at += 3, pixel++) {
    const [x, y] = [pixel % WIDTH, Math.floor(pixel / WIDTH)];
    const fibre = (hash((x >> 2) * 7 + (y >> 3) * 1013 + n) + hash((x >> 4) * 3 + (y >> 1) * 517 + n) - 1) * kind.grain;
    const light = 1 - (kind.shade / 255) * (x / WIDTH) ** 2;
    const noise = (hash(pixel + n) + hash(pixel * 3 + n) - 1) * 8;
    for (let c = 0; c < 3; c++) data[at + c] = Math.min(255, Math.max(0, data[at + c]! * light + fibre + noise));
  }
  const scan = sharp(data, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } });
  return (kind.grey === true ? scan.greyscale().toColourspace('b-w') : scan).jpeg({ quality: 85 }).toBuffer();
}
