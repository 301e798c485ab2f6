import type { ConcreteKind } from '@quire/registry';
import { kindInfo } from '@quire/registry';
import { standardSecurity } from './encrypt-fixture.js';
import { pdfOfObjects } from './pdf-of-objects.js';

/** A file that an operation must handle without failing. */
export interface HostileFile {
  /** The defect, as a noun. */
  readonly title: string;
  readonly name: string;
  readonly bytes: Uint8Array;
  /** True where a good reader may succeed; false where every operation that reads its input must refuse. */
  readonly mayWork: boolean;
}

/** The user password of the encrypted fixture. */
export const lockedPassword = 'open sesame';

/**
 * Damaged, misleading and encrypted PDFs, built in memory; every operation that accepts PDFs must answer each with a
 * refusal or a correct result, in time.
 */
export function hostileFiles(): readonly HostileFile[] {
  const good = pdfOfObjects(onePage());
  return [
    { title: 'an empty file', name: 'empty.pdf', bytes: new Uint8Array(), mayWork: false },
    {
      title: 'a truncated file',
      name: 'truncated.pdf',
      bytes: good.subarray(0, Math.floor(good.length * 0.6)),
      mayWork: true,
    },
    { title: 'a header and nothing else', name: 'header.pdf', bytes: latin('%PDF-1.7\n'), mayWork: false },
    { title: 'an encrypted document', name: 'locked.pdf', bytes: lockedPdf(), mayWork: false },
    {
      title: 'a document without pages',
      name: 'no-pages.pdf',
      bytes: pdfOfObjects(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 0 >>']),
      mayWork: false,
    },
    {
      title: 'a web page with the extension of a document',
      name: 'page.pdf',
      bytes: latin('<!doctype html><title>Sign in</title><p>Your session has ended.'),
      mayWork: false,
    },
    { title: 'a document with another extension', name: 'letter.docx', bytes: good, mayWork: true },
    {
      title: 'a page tree that contains itself',
      name: 'cycle.pdf',
      bytes: pdfOfObjects(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [2 0 R] /Count 1 >>']),
      mayWork: true,
    },
    { title: 'a deeply nested page tree', name: 'deep.pdf', bytes: pdfOfObjects(deepTree(5000)), mayWork: true },
    {
      title: 'a deeply nested array',
      name: 'brackets.pdf',
      bytes: pdfOfObjects([...onePage(), `${'['.repeat(50_000)}${']'.repeat(50_000)}`]),
      mayWork: true,
    },
    {
      title: 'a wrong page count',
      name: 'lying-count.pdf',
      bytes: pdfOfObjects([
        '<< /Type /Catalog /Pages 2 0 R >>',
        '<< /Type /Pages /Kids [3 0 R] /Count 2000000000 >>',
        page(2, 4),
        content,
      ]),
      mayWork: true,
    },
    {
      title: 'a page of one form that draws itself',
      name: 'form-loop.pdf',
      bytes: pdfOfObjects(loopingForm()),
      mayWork: true,
    },
    { title: 'an endless chain of cross-reference tables', name: 'xref-loop.pdf', bytes: loopingXref(), mayWork: true },
  ];
}

/** Damaged files of another type: empty, truncated after the signature, and a web page with its extension. */
export function hostileFilesOf(kind: ConcreteKind): readonly HostileFile[] {
  if (kind === 'pdf') return hostileFiles();
  const info = kindInfo(kind);
  const extension = info.extensions[0] ?? 'bin';
  const files: HostileFile[] = [
    { title: 'an empty file', name: `empty.${extension}`, bytes: new Uint8Array(), mayWork: false },
  ];
  const magic = info.magic?.[0];
  if (magic !== undefined) {
    const head = Buffer.concat([Buffer.alloc(magic.at), Buffer.from(magic.hex, 'hex'), Buffer.alloc(40, 7)]);
    files.push({
      title: 'a signature and garbage',
      name: `garbage.${extension}`,
      bytes: new Uint8Array(head),
      mayWork: true,
    });
    files.push({
      title: 'a web page with its extension',
      name: `page.${extension}`,
      bytes: latin('<!doctype html><title>Sign in</title>'),
      mayWork: true,
    });
  }
  return files;
}

const content = stream('BT /F1 24 Tf 72 720 Td (Hello) Tj ET');

function onePage(): string[] {
  return ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [3 0 R] /Count 1 >>', page(2, 4), content];
}

function page(parent: number, contents: number): string {
  return (
    `<< /Type /Page /Parent ${parent} 0 R /MediaBox [0 0 595 842] /Contents ${contents} 0 R /Resources << /Font ` +
    '<< /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>'
  );
}

function stream(data: string): string {
  return `<< /Length ${data.length} >>\nstream\n${data}\nendstream`;
}

/** A page that draws only a form XObject whose content draws that same form (ISO 32000-1, 8.10). */
function loopingForm(): string[] {
  const loop = 'BT /F1 24 Tf 72 720 Td (Hello) Tj ET /X Do';
  const resources =
    '<< /XObject << /X 5 0 R >> /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>';
  return [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources ${resources} >>`,
    stream('/X Do'),
    `<< /Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources ${resources} /Length ${loop.length} >>\n` +
      `stream\n${loop}\nendstream`,
  ];
}

function deepTree(depth: number): string[] {
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>'];
  for (let i = 0; i < depth; i++) {
    const parent = i === 0 ? '' : ` /Parent ${i + 1} 0 R`;
    objects.push(`<< /Type /Pages${parent} /Kids [${i + 3} 0 R] /Count 1 >>`);
  }
  return [...objects, page(depth + 1, depth + 3), content];
}

function lockedPdf(): Uint8Array {
  const id = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
  const security = standardSecurity(lockedPassword, id);
  const secret = security.encrypt(4, latin('BT /F1 24 Tf 72 720 Td (Secret) Tj ET')).toString('latin1');
  const objects = [
    ...onePage().slice(0, 3),
    stream(secret),
    `<< /Filter /Standard /V 1 /R 2 /O <${security.owner}> /U <${security.user}> /P ${security.permissions} >>`,
  ];
  const hex = id.toString('hex');
  return pdfOfObjects(objects, `/Encrypt 5 0 R /ID [<${hex}> <${hex}>]`);
}

/** A cross-reference table whose /Prev points to itself (ISO 32000-1, 7.5.5). */
function loopingXref(): Uint8Array {
  const text = Buffer.from(pdfOfObjects(onePage())).toString('latin1');
  const start = /startxref\n(\d+)/.exec(text)?.[1] ?? '0';
  return latin(text.replace('/Root 1 0 R', `/Root 1 0 R /Prev ${start}`));
}

function latin(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'latin1'));
}
