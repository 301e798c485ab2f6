import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentInfo, type DocumentInfo } from '../../src/functions/get-info.js';

/** Writes a PDF of numbered objects, one byte per character; object 1 is the catalog. */
export function pdfOf(objects: readonly string[], { version = '1.4', trailer = '' } = {}): Uint8Array {
  let text = `%PDF-${version}\n`;
  const places = objects.map((object, i) => {
    const at = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const rows = places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const start = text.length;
  return Buffer.from(
    `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer <</Size ${objects.length + 1}` +
      `/Root 1 0 R${trailer}>>\nstartxref\n${start}\n%%EOF\n`,
    'latin1',
  );
}

/** A stream object. */
export const streamOf = (entries: string, data: string): string =>
  `<<${entries}/Length ${data.length}>>stream\n${data}\nendstream`;

/** The information about bytes, as a client receives it; a document without declarations counts as checked. */
export async function infoOf(
  bytes: Uint8Array,
): Promise<{ readonly info: InfoResult; readonly facts: DocumentInfo['facts'] }> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-info-'));
  try {
    const path = join(folder, 'in.pdf');
    await writeFile(path, bytes);
    return await infoOfFile(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The same for a file. */
export async function infoOfFile(
  path: string,
): Promise<{ readonly info: InfoResult; readonly facts: DocumentInfo['facts'] }> {
  const standards = Promise.resolve([{ standard: 'not-pdfa', compliant: false, complianceSummary: 'Not PDF/A' }]);
  const { info, facts } = await documentInfo(path, { size: (await stat(path)).size, standards });
  return { info: JSON.parse(JSON.stringify(info)) as InfoResult, facts };
}

/** The members of the result that tests examine. */
export interface InfoResult {
  readonly Metadata: Readonly<Record<string, string>>;
  readonly BasicInfo: Readonly<Record<string, number | string>>;
  readonly DocumentInfo: Readonly<Record<string, unknown>>;
  readonly Compliancy: Readonly<Record<string, unknown>>;
  readonly Encryption: Readonly<Record<string, unknown>>;
  readonly Permissions: Readonly<Record<string, string>>;
  readonly FormFields: Readonly<Record<string, string>>;
  readonly Other: {
    readonly EmbeddedFiles: readonly unknown[];
    readonly Attachments: readonly unknown[];
    readonly JavaScript: readonly unknown[];
    readonly Layers: readonly unknown[];
    readonly 'Bookmarks/Outline/TOC': readonly unknown[];
    readonly XMPMetadata: string | null;
    readonly StructureTree?: readonly ToldElement[];
  };
  readonly PerPageInfo: Readonly<Record<string, ToldPage>>;
  readonly SummaryData: Readonly<Record<string, unknown>>;
}

export interface ToldElement {
  readonly Type: string;
  readonly Content: string;
  readonly Children?: readonly ToldElement[];
}

export interface ToldPage {
  readonly [key: string]: unknown;
  readonly Size: Readonly<Record<string, string>>;
  readonly Rotation: number;
  readonly Fonts?: readonly {
    readonly [key: string]: unknown;
    readonly Name: string;
    readonly IsEmbedded: boolean;
    readonly Count: number;
  }[];
  readonly Images?: readonly unknown[];
  readonly Links?: readonly { readonly URI: string }[];
}

/** One page with these resources and this content. */
export function onePage({
  resources = '',
  content = '',
  page = '',
  catalog = '',
  more = [] as readonly string[],
  trailer = '',
}): Uint8Array {
  return pdfOf(
    [
      `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<<${resources}>>/Contents 4 0 R${page}>>`,
      streamOf('', content),
      ...more,
    ],
    { trailer },
  );
}
