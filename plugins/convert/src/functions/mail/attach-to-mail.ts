import { packFile } from '@quire/document/structure/attachments';
import {
  asDict,
  asNumber,
  asText,
  catalogOf,
  dictOf,
  entry,
  readNameTree,
  readNumberTree,
  setEntry,
} from '@quire/document/file/objects';
import { editFile } from '@quire/document/file/open';
import { addAttachments, type NewAttachment } from '@quire/document/structure/attachments';
import { distinctNames } from '@quire/document/structure/names';
import { readAnnotations } from '@quire/document/structure/annotations';
import { type PDFContext, type PDFDict, PDFHexString, PDFName, PDFNumber, type PDFObject, type PDFRef } from 'pdf-lib';
import { ATTACHMENT_LINK } from './mail-page.js';

/** A file of a mail that goes into the PDF. */
export interface FileOfMail {
  /** Its place in the printed list. */
  readonly index: number;
  readonly name: string;
  readonly path: string;
  readonly mediaType: string;
}

/**
 * Embeds the files of a mail in its printed page, written to `target`: they are in the document's list, which is shown
 * when it is opened, and an annotation (ISO 32000-1, 12.5.6.15) lies over each entry in the page. Errors: those of
 * `editFile`.
 */
export function attachToMail(
  source: string,
  target: string,
  files: readonly FileOfMail[],
  { now, scratch, signal }: { readonly now: Date; readonly scratch: string; readonly signal: AbortSignal },
): Promise<void> {
  return editFile(source, target, { mode: 'rewrite', modified: now }, async ({ document: { context }, pages }) => {
    const nameFor = distinctNames();
    const names = new Map<number, string>();
    const added: NewAttachment[] = [];
    for (const file of files) {
      signal.throwIfAborted();
      const { stream, size, checksum } = await packFile(context, file.path, `${scratch}/packed-${file.index}`, signal);
      const name = nameFor(file.name);
      names.set(file.index, name);
      added.push({
        name,
        file: stream,
        mediaType: /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(file.mediaType)
          ? file.mediaType
          : 'application/octet-stream',
        size,
        checksum,
        modified: now,
      });
    }
    addAttachments(context, pages, added);
    const specs = specifications(context);
    const elementsOf = structureParents(context);
    const blank = context.register(
      context.stream(new Uint8Array(0), { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 1, 1] }),
    );
    for (const { dict: page } of pages) {
      for (const { dict } of readAnnotations(context, page)) {
        const index = indexOf(context, dict);
        const name = index === undefined ? undefined : names.get(index);
        const spec = name === undefined ? undefined : specs.get(name);
        if (name !== undefined && spec !== undefined) turn(context, dict, name, spec, blank, elementsOf);
      }
    }
  });
}

/** The entry that a link of the printed list belongs to. */
function indexOf(context: PDFContext, link: PDFDict): number | undefined {
  const uri = asText(context, entry(asDict(context, entry(link, 'A')) ?? link, 'URI'));
  return uri?.startsWith(ATTACHMENT_LINK) === true ? Number(uri.slice(ATTACHMENT_LINK.length)) : undefined;
}

/**
 * Turns a link annotation into a file attachment annotation without an appearance, because the entry is already on the
 * page.
 */
function turn(
  context: PDFContext,
  dict: PDFDict,
  name: string,
  spec: PDFObject,
  blank: PDFRef,
  elementsOf: ReadonlyMap<number, PDFDict>,
): void {
  for (const key of ['A', 'Border', 'H']) setEntry(dict, key, undefined);
  for (const [key, value] of Object.entries({
    Subtype: PDFName.of('FileAttachment'),
    FS: spec,
    Name: PDFName.of('Paperclip'),
    Contents: PDFHexString.fromText(name),
    F: PDFNumber.of(4),
    AP: dictOf(context, { N: blank }),
  }))
    setEntry(dict, key, value);
  const element = elementsOf.get(asNumber(context, entry(dict, 'StructParent')) ?? -1);
  // ISO 32000-1, table 338: annotations other than links are Annot elements.
  if (element !== undefined) setEntry(element, 'S', PDFName.of('Annot'));
}

/** The document's list by the names that are shown. */
function specifications(context: PDFContext): Map<string, PDFObject> {
  const catalog = catalogOf(context);
  const tree = asDict(context, catalog === undefined ? undefined : entry(catalog, 'Names'));
  const found = new Map<string, PDFObject>();
  for (const [, value] of readNameTree(context, tree === undefined ? undefined : entry(tree, 'EmbeddedFiles'))) {
    const name = asText(context, entry(asDict(context, value) ?? dictOf(context, {}), 'UF'));
    if (name !== undefined) found.set(name, value);
  }
  return found;
}

/** Structure elements by the numbers under which annotations name them (ISO 32000-1, 14.7.4.4). */
function structureParents(context: PDFContext): Map<number, PDFDict> {
  const catalog = catalogOf(context);
  const root = asDict(context, catalog === undefined ? undefined : entry(catalog, 'StructTreeRoot'));
  const found = new Map<number, PDFDict>();
  for (const [key, value] of readNumberTree(context, root === undefined ? undefined : entry(root, 'ParentTree'))) {
    const element = asDict(context, value);
    if (element !== undefined) found.set(key, element);
  }
  return found;
}
