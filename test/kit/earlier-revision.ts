import { inflateSync, constants } from 'node:zlib';
import { PDFDict, PDFDocument, PDFHexString, PDFName, type PDFObject, PDFRef, PDFString } from 'pdf-lib';

/**
 * Returns the same document with a history: one revision whose catalog and an additional object contain `mark`, and a
 * last one without it (two incremental updates, ISO 32000-1, 7.5.6). The additional object stays in the file,
 * unreferenced.
 */
export async function withEarlierRevision(bytes: Uint8Array, mark: string): Promise<Uint8Array> {
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
  const plain = Buffer.from(
    await pdf.save({ useObjectStreams: false, addDefaultPage: false, updateFieldAppearances: false }),
  );
  const { catalog, context } = pdf;
  const root = context.trailerInfo.Root;
  if (!(root instanceof PDFRef)) throw new Error('The trailer of the document has no catalog');
  const orphan = PDFRef.of(context.largestObjectNumber + 1);
  const marked = PDFDict.withContext(context);
  for (const [key, value] of catalog.entries()) marked.set(key, value);
  marked.set(PDFName.of('QuireMark'), PDFString.of(mark));
  marked.set(PDFName.of('QuireObject'), orphan);
  const note = PDFDict.withContext(context);
  note.set(PDFName.of('Text'), PDFString.of(mark));
  note.set(PDFName.of('Hex'), PDFHexString.fromText(mark));
  const first = update(
    plain,
    [
      [root, marked],
      [orphan, note],
    ],
    trailer(pdf, root, orphan),
  );
  return update(first, [[root, catalog]], trailer(pdf, root, orphan));
}

function trailer({ context }: PDFDocument, root: PDFRef, last: PDFRef): string {
  const { Info, ID } = context.trailerInfo;
  return (
    `/Size ${last.objectNumber + 1}/Root ${root.toString()}` +
    `${Info === undefined ? '' : `/Info ${Info.toString()}`}${ID === undefined ? '' : `/ID ${ID.toString()}`}`
  );
}

function update(before: Buffer, objects: readonly (readonly [PDFRef, PDFObject])[], entries: string): Buffer {
  const previous = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(
    before.toString('latin1', Math.max(0, before.length - 1024)),
  )?.[1];
  if (previous === undefined) throw new Error('The document has no startxref');
  const pieces: Buffer[] = [before, Buffer.from('\n')];
  let at = before.length + 1;
  const lines: string[] = [];
  for (const [ref, object] of objects) {
    const body = new Uint8Array(object.sizeInBytes());
    object.copyBytesInto(body, 0);
    const piece = Buffer.concat([
      Buffer.from(`${ref.objectNumber} ${ref.generationNumber} obj\n`),
      body,
      Buffer.from('\nendobj\n'),
    ]);
    lines.push(
      `${ref.objectNumber} 1\n${String(at).padStart(10, '0')} ${String(ref.generationNumber).padStart(5, '0')} n \n`,
    );
    pieces.push(piece);
    at += piece.length;
  }
  pieces.push(
    Buffer.from(`xref\n${lines.join('')}trailer\n<<${entries}/Prev ${previous}>>\nstartxref\n${at}\n%%EOF\n`, 'latin1'),
  );
  return Buffer.concat(pieces);
}

/** Returns whether a file contains a text: in its bytes, as a hexadecimal string, or in a compressed stream. */
export function holdsText(bytes: Uint8Array, text: string): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const forms = [
    Buffer.from(text, 'latin1'),
    ...['latin1', 'utf16le'].flatMap((encoding) => {
      const coded = Buffer.from(text, encoding as BufferEncoding);
      const hex = (encoding === 'utf16le' ? coded.swap16() : coded).toString('hex');
      return [Buffer.from(hex), Buffer.from(hex.toUpperCase())];
    }),
  ];
  const found = (data: Buffer): boolean => forms.some((form) => data.includes(form));
  if (found(file)) return true;
  for (let at = file.indexOf('stream'); at >= 0; at = file.indexOf('stream', at + 6)) {
    if (file.toString('latin1', Math.max(0, at - 3), at) === 'end') continue;
    const start = at + 6 + (file[at + 6] === 13 ? 1 : 0) + 1;
    try {
      if (
        found(
          inflateSync(file.subarray(start), {
            finishFlush: constants.Z_SYNC_FLUSH,
            maxOutputLength: 256 * 1024 * 1024,
          }),
        )
      )
        return true;
    } catch {
      // Not compressed, or in another way: its bytes were searched above.
    }
  }
  return false;
}
