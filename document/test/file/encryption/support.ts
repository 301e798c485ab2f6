import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFString,
} from 'pdf-lib';
import { type ObjectCipher, type Security, stringBytes } from '../../../file/encryption/index.js';
import { type LazyDocument, openLazily } from '../../../file/reader/index.js';
import { TWO_PAGES, latin1, plain, streamText } from '../reader/support.js';

/** True when qpdf is installed. */
export const hasQpdf = spawnSync('qpdf', ['--version']).status === 0;

/** Larger than the cache for decrypted streams, with every byte value. */
export const ATTACHMENT = Uint8Array.from({ length: 40_000 }, (_, i) => (i * 7 + (i >> 8)) & 255);
export const XMP = '<x:xmpmeta xmlns:x="adobe:ns:meta/"><!-- to be seen --></x:xmpmeta>';

/** A document with every kind of string and stream that encryption treats differently. */
export function secretDocument(): PDFContext {
  const { context } = openLazily(
    latin1(
      plain({
        ...TWO_PAGES,
        1:
          '<</Type/Catalog/Pages 2 0 R/Metadata 5 0 R/Names<</EmbeddedFiles<</Names[(a.bin)7 0 R]>>>>' +
          '/Extra[6 0 R 9 0 R 10 0 R 11 0 R 12 3 R 13 0 R]>>',
        5: streamText('/Type/Metadata/Subtype/XML', latin1(XMP)),
        6: streamText('/Note(in a stream)/Deep[<</Note(deeper)>>]', latin1('0 0 m 100 100 l S')),
        7: '<</Type/Filespec/F(a\\)\\\\b.bin)/UF<FEFF00E4>/EF<</F 8 0 R>>>>',
        8: streamText('/Type/EmbeddedFile/Params<</CheckSum<00ff28295c0d0a>>>', ATTACHMENT),
        9: '[(one)()<>[(two (nested) \\\\ \\r\\n \\101)<</K(three)>>]<00ff28295c0d0a>]',
        10: '<</Type/Sig/Filter/Adobe.PPKLite/ByteRange[0 10 20 30]/Contents<30820102deadbeef00>/Reason(signed)>>',
        11: '(alone in its object)',
        13: streamText('', new Uint8Array(0)),
      }),
    ),
  );
  context.assign(PDFRef.of(12, 3), context.obj({ Generation: PDFString.of('three') }));
  context.trailerInfo.Info = context.obj({ Title: PDFString.of('direct in the trailer') });
  context.trailerInfo.Info = context.register(context.lookup(context.trailerInfo.Info) as PDFDict);
  return context;
}

/** Writes every object of a context with a table, encrypted object by object. */
export function writeFile(context: PDFContext, security?: Security): Uint8Array {
  const pieces: Buffer[] = [];
  let size = 0;
  const put = (piece: Uint8Array | string): void => {
    const bytes = typeof piece === 'string' ? Buffer.from(piece, 'latin1') : Buffer.from(piece);
    pieces.push(bytes);
    size += bytes.length;
  };
  put(`%PDF-${security?.pdfVersion ?? '1.7'}\n`);
  const lines = new Map<number, string>();
  const put1 = (ref: PDFRef, object: PDFObject): void => {
    lines.set(
      ref.objectNumber,
      `${String(size).padStart(10, '0')} ${String(ref.generationNumber).padStart(5, '0')} n \n`,
    );
    put(`${ref.objectNumber} ${ref.generationNumber} obj\n`);
    if (object instanceof PDFRawStream) {
      const { dict, contents } = object;
      dict.set(PDFName.of('Length'), context.obj(contents.length));
      put(`${dict.toString()}\nstream\n`);
      put(contents);
      put('\nendstream');
    } else put(object.toString());
    put('\nendobj\n');
  };
  for (const [ref, object] of context.enumerateIndirectObjects())
    put1(ref, security === undefined ? object : encryptObject(security.cipher, ref, object));
  let extra = '';
  if (security !== undefined) {
    const ref = context.nextRef();
    put1(ref, security.dict);
    const id = Buffer.from(security.id).toString('hex');
    extra = `/Encrypt ${ref.toString()}/ID[<${id}><${id}>]`;
  }
  const start = size;
  put(`xref\n0 1\n0000000000 65535 f \n${[...lines].map(([number, line]) => `${number} 1\n${line}`).join('')}`);
  const { Root, Info } = context.trailerInfo;
  put(
    `trailer\n<</Size ${context.largestObjectNumber + 1}/Root ${String(Root)}` +
      `${Info === undefined ? '' : `/Info ${Info.toString()}`}${extra}>>\nstartxref\n${start}\n%%EOF\n`,
  );
  return Buffer.concat(pieces);
}

/** Encrypts an object as a writer does. */
function encryptObject(cipher: ObjectCipher, ref: PDFRef, object: PDFObject): PDFObject {
  const encrypted = (value: PDFObject, inSignature = false): PDFObject => {
    if (inSignature && value instanceof PDFHexString) return value;
    if (value instanceof PDFHexString)
      return PDFHexString.of(Buffer.from(cipher.encryptString(ref, stringBytes(value))).toString('hex'));
    if (value instanceof PDFString)
      return PDFString.of(
        Buffer.from(cipher.encryptString(ref, stringBytes(value)))
          .toString('latin1')
          .replaceAll(/[\\()\r]/g, (special) => `\\${special.charCodeAt(0).toString(8).padStart(3, '0')}`),
      );
    if (value instanceof PDFArray) {
      const copy = value.clone();
      for (let i = 0; i < copy.size(); i++) copy.set(i, encrypted(copy.get(i)));
      return copy;
    }
    if (!(value instanceof PDFDict)) return value;
    const copy = value.clone();
    for (const [key, each] of value.entries())
      copy.set(key, encrypted(each, value.has(PDFName.of('ByteRange')) && key === PDFName.of('Contents')));
    return copy;
  };
  return object instanceof PDFRawStream
    ? PDFRawStream.of(encrypted(object.dict) as PDFDict, cipher.encryptStream(ref, object.dict, object.contents))
    : encrypted(object);
}

/**
 * Every string and stream of a document, regardless of object numbers: the expected result of decryption. Metadata is
 * decompressed, as qpdf does.
 */
export function secretsOf(document: LazyDocument): string[] {
  const found: string[] = [];
  const collect = (value: PDFObject | undefined): void => {
    if (value instanceof PDFString || value instanceof PDFHexString)
      found.push(`string ${Buffer.from(stringBytes(value)).toString('hex')}`);
    else if (value instanceof PDFArray) value.asArray().forEach(collect);
    else if (value instanceof PDFDict) {
      // qpdf keeps an encryption dictionary that nothing refers to.
      if (!value.has(PDFName.of('O')) || !value.has(PDFName.of('U'))) value.values().forEach(collect);
    } else if (value instanceof PDFRawStream) {
      const type = value.dict.get(PDFName.of('Type'));
      if (type === PDFName.of('XRef') || type === PDFName.of('ObjStm')) return;
      const packed =
        type === PDFName.of('Metadata') && value.dict.get(PDFName.of('Filter')) === PDFName.of('FlateDecode');
      const data = packed ? inflateSync(value.contents) : value.contents;
      found.push(`stream ${createHash('sha1').update(data).digest('hex')} ${data.length}`);
      collect(value.dict);
    }
  };
  for (const ref of document.references()) collect(document.lookup(ref));
  return found.sort();
}

/** A folder that is deleted after the work. */
function inFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'quire-encryption-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs qpdf on bytes and returns the file that it writes; warnings are ignored. */
export function qpdf(bytes: Uint8Array, before: readonly string[], after: readonly string[] = []): Uint8Array {
  return inFolder((folder) => {
    const [input, output] = [join(folder, 'in.pdf'), join(folder, 'out.pdf')];
    writeFileSync(input, bytes);
    const { status, stderr } = spawnSync('qpdf', [...before, input, output, ...after], { encoding: 'utf8' });
    if (status !== 0 && status !== 3) throw new Error(stderr);
    return readFileSync(output);
  });
}

/** Returns qpdf's output about a file; throws when it finds a fault. */
export function qpdfSays(bytes: Uint8Array, ...options: readonly string[]): string {
  return inFolder((folder) => {
    const input = join(folder, 'in.pdf');
    writeFileSync(input, bytes);
    return execFileSync('qpdf', [...options, input], {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  });
}
