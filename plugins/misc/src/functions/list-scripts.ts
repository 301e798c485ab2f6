import { guardDocument, withPdf } from '@quire/document/file/open';
import { type PlacedScript, readAllScripts } from '@quire/document/structure/actions';

/** Reads the scripts of a document. Throws the errors of `withPdf`. */
export function readScripts(path: string): Promise<PlacedScript[]> {
  return withPdf({ path }, { repair: false }, ({ document: { context }, pages }) =>
    guardDocument('fileInput', () => readAllScripts(context, pages)),
  );
}

/**
 * Returns scripts as one text: for each a comment line with file and script, then the script and a line end; one
 * sentence if there are none (docs/interface/misc.yml, show-javascript).
 */
export function scriptsText(fileName: string, scripts: readonly PlacedScript[]): string {
  if (scripts.length === 0) return `PDF '${fileName}' does not contain Javascript`;
  return scripts
    .map(({ place, script }) => `// File: ${oneLine(fileName)}, Script: ${oneLine(place)}\n${script}\n`)
    .join('');
}

/** A comment ends with its line, so the text must not contain a line break. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, 500);
}
