import { readFile } from 'node:fs/promises';
import {
  type BuildOptions,
  buildDocument,
  exportDocument,
  type ExportOptions,
  readJsonDocument,
} from '@quire/document/content/editor';
import { guardDocument, withPdf, writeContext } from '@quire/document/file/open';

/** Writes a PDF as an editable JSON document into a new file. Errors: those of opening it, INPUT_TOO_COMPLEX. */
export function documentToJson(source: string, target: string, options: ExportOptions): Promise<void> {
  return withPdf({ path: source }, {}, (opened) =>
    guardDocument('fileInput', () => exportDocument(opened, target, options)),
  );
}

/** Writes the PDF that an editable JSON document says into a new file. Errors: those of `buildDocument`. */
export async function jsonToDocument(
  source: string,
  target: string,
  options: BuildOptions & { readonly modified: Date },
): Promise<void> {
  const document = await guardDocument('fileInput', async () =>
    buildDocument(readJsonDocument(await readFile(source)), options),
  );
  writeContext(document.context, target, { modified: options.modified, objectStreams: true });
}
