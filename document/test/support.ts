import { inflateSync } from 'node:zlib';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFOperator,
  PDFOperatorNames,
  PDFRawStream,
  PDFRef,
  PDFStream,
  PDFString,
  StandardFonts,
} from 'pdf-lib';

/** The folder of real PDFs, or undefined if it is missing. */
export const corpus = [process.env['QUIRE_CORPUS'], new URL('../../../shared/corpus', import.meta.url).pathname].find(
  (path) => path !== undefined && existsSync(path),
);

/** Reads a corpus file. */
export function corpusFile(name: string): Uint8Array {
  return readFileSync(join(corpus ?? '', name));
}

/** Opens a PDF with pdf-lib for inspection. */
export function look(bytes: Uint8Array): Promise<PDFDocument> {
  return PDFDocument.load(bytes, { updateMetadata: false });
}

/** Returns the references in a document to missing objects. */
export async function danglingReferences(bytes: Uint8Array): Promise<string[]> {
  const { context } = await look(bytes);
  const dangling: string[] = [];
  const visit = (object: PDFObject | undefined): void => {
    if (object instanceof PDFRef) {
      if (context.lookup(object) === undefined) dangling.push(object.toString());
    } else if (object instanceof PDFArray) {
      object.asArray().forEach(visit);
    } else if (object instanceof PDFDict) {
      object.values().forEach(visit);
    } else if (object instanceof PDFStream) {
      visit(object.dict);
    }
  };
  for (const [, object] of context.enumerateIndirectObjects()) visit(object);
  visit(context.trailerInfo.Root);
  visit(context.trailerInfo.Info);
  return dangling;
}

/**
 * Returns everything that a file says: its bytes, its decoded strings, and every decompressed stream, object streams
 * included.
 */
export async function everythingIn(bytes: Uint8Array): Promise<string> {
  const { context } = await look(bytes);
  const texts = [Buffer.from(bytes).toString('latin1')];
  const visit = (object: PDFObject | undefined): void => {
    if (object instanceof PDFString || object instanceof PDFHexString) texts.push(object.decodeText());
    else if (object instanceof PDFArray) object.asArray().forEach(visit);
    else if (object instanceof PDFDict) object.values().forEach(visit);
  };
  for (const [, object] of context.enumerateIndirectObjects()) {
    visit(object);
    if (!(object instanceof PDFRawStream)) continue;
    visit(object.dict);
    try {
      texts.push(inflateSync(object.contents).toString('latin1'));
    } catch {
      texts.push(Buffer.from(object.contents).toString('latin1'));
    }
  }
  return [...texts, ...objectStreams(bytes)].join('\n');
}

/** Object streams are read by pdf-lib, but not kept. */
function* objectStreams(bytes: Uint8Array): Iterable<string> {
  const file = Buffer.from(bytes);
  for (const { index, 0: head } of file.toString('latin1').matchAll(/\/ObjStm\b.{0,200}?stream\r?\n/gs)) {
    try {
      yield inflateSync(file.subarray(index + head.length)).toString('latin1');
    } catch {
      // Encrypted.
    }
  }
}

/** Returns true if the program can be run. */
export function hasProgram(name: string): boolean {
  return spawnSync(name, ['--version']).error === undefined;
}

/**
 * Runs a program on bytes in a private folder; `DIR` in the arguments is replaced by the folder's path. Returns exit
 * code, output, and the requested files.
 */
export function runOn(
  bytes: Uint8Array,
  program: string,
  args: readonly string[],
  wanted: readonly string[] = [],
): { code: number | null; text: string; files: Buffer[] } {
  const folder = mkdtempSync(join(tmpdir(), 'quire-test-'));
  try {
    writeFileSync(join(folder, 'in.pdf'), bytes);
    const run = spawnSync(
      program,
      args.map((arg) => arg.replace('DIR', folder)),
      { encoding: 'utf8' },
    );
    return {
      code: run.status,
      text: run.stdout + run.stderr,
      files: wanted.map((name) => readFileSync(join(folder, name))),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Creates a document with one of every feature, with names that conflict between two such documents: nested bookmarks,
 * both kinds of named destinations, links, a form with a field on two pages, page labels, a layer, tags, an attachment
 * and a script.
 */
export async function makeRichPdf(mark: string, pages = 3): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context, catalog } = document;
  const font = await document.embedFont(StandardFonts.Helvetica);
  document.setTitle(`Title ${mark}`);
  const leaves = Array.from({ length: pages }, (_unused, i) => {
    const page = document.addPage([200, 200]);
    page.drawText(`${mark} secret ${i + 1}`, { x: 20, y: 150, size: 12, font });
    return page;
  });
  const ref = (i: number): PDFRef => (leaves[i] ?? leaves[0])!.ref;
  const set = (key: string, value: PDFObject): void => catalog.set(PDFName.of(key), value);

  const root = context.nextRef();
  const [chapter, section, last] = [context.nextRef(), context.nextRef(), context.nextRef()];
  context.assign(root, context.obj({ Type: 'Outlines', First: chapter, Last: last, Count: 3 }));
  context.assign(
    chapter,
    context.obj({
      Title: PDFString.of(`${mark} chapter 1`),
      Parent: root,
      Next: last,
      First: section,
      Last: section,
      Count: 1,
      Dest: [ref(0), 'Fit'],
    }),
  );
  context.assign(
    section,
    context.obj({ Title: PDFString.of(`${mark} section 2`), Parent: chapter, Dest: PDFString.of('target') }),
  );
  context.assign(
    last,
    context.obj({
      Title: PDFString.of(`${mark} chapter 3`),
      Parent: root,
      Prev: chapter,
      A: { S: 'GoTo', D: PDFName.of('old') },
    }),
  );
  set('Outlines', root);
  set('Dests', context.obj({ old: [ref(pages - 1), 'Fit'] }));
  const scriptText = PDFString.of(`app.alert("${mark}")`);
  const file = context.register(context.stream(`${mark} attachment`, { Type: 'EmbeddedFile' }));
  set(
    'Names',
    context.obj({
      Dests: { Names: [PDFString.of('target'), { D: [ref(1), 'Fit'] }] },
      EmbeddedFiles: {
        Names: [PDFString.of('data.txt'), { Type: 'Filespec', F: PDFString.of('data.txt'), EF: { F: file } }],
      },
      JavaScript: { Names: [PDFString.of('init'), { S: 'JavaScript', JS: scriptText }] },
    }),
  );
  set('PageLabels', context.obj({ Nums: [0, { S: 'r' }, 1, { S: 'D', P: PDFString.of(`${mark}-`) }] }));

  const layer = context.register(context.obj({ Type: 'OCG', Name: PDFString.of(`${mark} layer`) }));
  set('OCProperties', context.obj({ OCGs: [layer], D: { Order: [layer], OFF: [layer] } }));
  leaves[0]!.node.Resources()!.set(PDFName.of('Properties'), context.obj({ MC0: layer }));
  leaves[0]!.pushOperators(
    PDFOperator.of(PDFOperatorNames.BeginMarkedContentSequence, [PDFName.of('OC'), PDFName.of('MC0')]),
    PDFOperator.of(PDFOperatorNames.EndMarkedContent),
  );

  const tree = context.nextRef();
  const part = context.nextRef();
  const elements = leaves.map((page, i) => {
    page.node.set(PDFName.of('StructParents'), context.obj(i));
    return context.register(
      context.obj({
        Type: 'StructElem',
        S: 'P',
        P: part,
        Pg: page.ref,
        K: 0,
        ActualText: PDFString.of(`${mark} spoken ${i + 1}`),
      }),
    );
  });
  context.assign(
    part,
    context.obj({ Type: 'StructElem', S: 'Text', P: tree, K: elements, Alt: PDFString.of(`${mark} whole text`) }),
  );
  context.assign(
    tree,
    context.obj({
      Type: 'StructTreeRoot',
      K: [part],
      RoleMap: { Text: mark === 'A' ? 'Sect' : 'Div' },
      ParentTree: { Nums: elements.flatMap((element, i) => [i, [element]]) },
      ParentTreeNextKey: pages,
    }),
  );
  set('StructTreeRoot', tree);
  set('MarkInfo', context.obj({ Marked: true }));

  const form = document.getForm();
  const field = form.createTextField('person.name');
  field.setText(`${mark} value`);
  for (const page of leaves.slice(0, 2)) field.addToPage(page, { x: 20, y: 80, width: 80, height: 20, font });
  form.createTextField('note').addToPage(leaves[pages - 1]!, { x: 20, y: 50, width: 80, height: 20, font });
  form.updateFieldAppearances(font);

  const link = (dest: PDFObject): PDFRef =>
    context.register(context.obj({ Type: 'Annot', Subtype: 'Link', Rect: [0, 0, 10, 10], Dest: dest }));
  leaves[0]!.node.addAnnot(link(PDFString.of('target')));
  leaves[0]!.node.addAnnot(link(context.obj([ref(pages - 1), 'Fit'])));
  return document.save({ useObjectStreams: false, updateFieldAppearances: false });
}
