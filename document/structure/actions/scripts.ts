import { type PDFContext, type PDFDict, PDFHexString, type PDFObject, PDFRawStream } from 'pdf-lib';
import { asDict, asText, catalogOf, dictOf, entry, readNameTree, resolve } from '../../file/objects/index.js';
import { streamText } from '../../file/objects/text-streams.js';

/** A document-level script, which runs when the document is opened (ISO 32000-1, 12.6.4.16). */
export interface DocumentScript {
  readonly name: string;
  readonly action: PDFDict;
  readonly script: string;
}

/** In UTF-16 code units. Longer scripts are written as streams. */
const MAX_STRING = 32_000;

/** Reads the scripts of a document's name tree, in the order in which they run. */
export function readDocumentScripts(context: PDFContext): DocumentScript[] {
  const catalog = catalogOf(context);
  const names = asDict(context, catalog === undefined ? undefined : entry(catalog, 'Names'));
  return readNameTree(context, names === undefined ? undefined : entry(names, 'JavaScript')).flatMap(
    ([name, value]) => {
      const action = asDict(context, value);
      const script = action === undefined ? undefined : readScript(context, action);
      return action === undefined || script === undefined ? [] : [{ name, action, script }];
    },
  );
}

/** Returns the script of an action, or undefined. */
export function readScript(context: PDFContext, action: PDFDict): string | undefined {
  const value = resolve(context, entry(action, 'JS'));
  return value instanceof PDFRawStream ? streamText(context, value) : asText(context, value);
}

/** Creates the /JS value for a script: a string, or a stream for a long script. */
export function scriptText(context: PDFContext, script: string): PDFObject {
  const text = PDFHexString.fromText(script);
  return script.length <= MAX_STRING ? text : context.register(PDFRawStream.of(dictOf(context, {}), text.asBytes()));
}
