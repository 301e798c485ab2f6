import { catalogOf, asText, entry } from '@quire/document/file/objects';
import { guardDocument, type OpenedPdf, withPdf } from '@quire/document/file/open';
import { acroFormOf, readFields } from '@quire/document/forms/fields';
import { type Annotation, readAnnotations } from '@quire/document/structure/annotations';
import { type OutlineNode, outlineTitle, readOutlines } from '@quire/document/structure/outlines';
import { type PlacedScript, readAllScripts } from '@quire/document/structure/actions';
import { readAttachments } from '@quire/document/structure/attachments';
import { readClaims, readXmp } from '@quire/document/structure/metadata';
import { readLayers } from '@quire/document/structure/layers';
import { breathe } from '@quire/document/engines/rendering';
import {
  type EncryptionFacts,
  encryptionFacts,
  fieldValues,
  type FileFacts,
  FileReport,
  infoFacts,
  leadsOutside,
  pageMode,
  PageResources,
  PageTexts,
  pdfVersion,
  type StructureElement,
  structureFacts,
  type TextCounts,
} from '@quire/document/structure/report';
import type { PDFContext } from 'pdf-lib';
import { complianceInfo, type DeclaredStandard } from './get-info-compliance.js';
import { type Json, type JsonObject, localTime, objectOf, Telling } from './get-info-json.js';
import { pageInfo, type ReadPage } from './get-info-page.js';

export interface InfoOptions {
  /** Size of the upload in bytes. */
  readonly size: number;
  /** How the document compares with the standards that it declares; undefined if that could not be checked. */
  readonly standards: Promise<readonly DeclaredStandard[] | undefined>;
  readonly signal?: AbortSignal;
  readonly progress?: (done: number, total: number) => void;
}

/** The result, and the names of sections that could not be read (`unread`) or are incomplete (`cut`). */
export interface DocumentInfo {
  readonly info: JsonObject;
  readonly facts: Readonly<Record<string, string>>;
}

/** Number of pages between two checks of the signal. */
const TURN = 16;
const NO_TEXT: TextCounts = { characters: 0, words: 0, lines: 0 };
const PERMISSIONS = [
  ['Document Assembly', 'assemble', 'document assembly'],
  ['Extracting Content', 'copy', 'content extraction'],
  ['Extracting for accessibility', 'accessibility', 'accessibility extraction'],
  ['Form Filling', 'fillForms', 'form filling'],
  ['Modifying', 'modify', 'modification'],
  ['Modifying annotations', 'annotate', 'annotation modification'],
  ['Printing', 'print', 'printing'],
] as const;
const PAGE_MODES = {
  UseNone: 'USE_NONE',
  UseOutlines: 'USE_OUTLINES',
  UseThumbs: 'USE_THUMBS',
  FullScreen: 'FULL_SCREEN',
  UseOC: 'USE_OPTIONAL_CONTENT',
  UseAttachments: 'USE_ATTACHMENTS',
} as const;

/**
 * Reads everything that `get-info-on-pdf` returns (`docs/interface/security.yml`), in one pass over the pages. A
 * section that cannot be read stays empty and does not affect the others. Throws the errors of `withPdf`.
 */
export function documentInfo(path: string, options: InfoOptions): Promise<DocumentInfo> {
  return withPdf({ path }, { repair: false }, (opened) => guardDocument('fileInput', () => tell(opened, options)));
}

async function tell(opened: OpenedPdf, { size, standards, signal, progress }: InfoOptions): Promise<DocumentInfo> {
  const { context } = opened.document;
  const telling = new Telling(signal);
  const texts = new PageTexts(context, { tagged: isTagged(context) });
  const resources = new PageResources(context);
  const text = { characters: 0, words: 0, lines: 0 };
  const pages: ReadPage[] = [];
  for (const [i, page] of opened.pages.entries()) {
    if (i % TURN === 0) {
      await breathe(signal);
      progress?.(i, opened.pages.length);
    }
    const counts = telling.section('Text', NO_TEXT, () => texts.read(page));
    text.characters += counts.characters;
    text.words += counts.words;
    text.lines += counts.lines;
    pages.push({
      page,
      characters: counts.characters,
      annotations: telling.section('Annotations', [], () => readAnnotations(context, page.dict)),
      resources: telling.section(
        'Fonts and images',
        { fonts: [], images: [], xobjects: { image: 0, form: 0, other: 0 } },
        () => resources.of(page),
      ),
    });
  }
  const encryption = encryptionFacts(opened);
  const fields = telling.section('FormFields', [], () =>
    [...fieldValues(context)].map(([name, value]) => [telling.text(name), telling.text(value)] as const),
  );
  const scripts = telling.section('JavaScript', [], () => readAllScripts(context, opened.pages));
  const other = otherInfo(context, { pages, texts, scripts }, telling);
  const perPage = objectOf(
    pages.map((page, i) => [
      `Page ${i + 1}`,
      telling.section('PerPageInfo', {}, () => pageInfo(context, page, telling)),
    ]),
  );
  const secure = telling.section('IsPDF/SECCompliant', undefined, () => isSecure(opened, pages, scripts, telling));
  const { compliancy, summary } = complianceInfo({
    standards: await standards,
    declaresPdfE: telling.section('XMPMetadata', false, () => readClaims(context).has('PDF/E')),
    secure,
  });
  const info: JsonObject = {
    Metadata: telling.section('Metadata', {}, () => metadata(context, telling)),
    BasicInfo: basicInfo(context, size, text, pages, telling),
    DocumentInfo: telling.section('DocumentInfo', {}, () => documentSection(context, telling)),
    Compliancy: compliancy,
    Encryption: encryptionInfo(encryption),
    Permissions: objectOf(
      PERMISSIONS.map(([key, name]) => [key, encryption.permissions[name] ? 'Allowed' : 'Not Allowed']),
    ),
    FormFields: objectOf(fields),
    Other: other,
    PerPageInfo: perPage,
    SummaryData: summaryData(encryption, summary),
  };
  return { info, facts: telling.facts() };
}

function isTagged(context: PDFContext): boolean {
  const catalog = catalogOf(context);
  return catalog !== undefined && entry(catalog, 'StructTreeRoot') !== undefined;
}

function metadata(context: PDFContext, telling: Telling): JsonObject {
  const { texts, created, modified, custom } = infoFacts(context);
  const dates = [
    ['CreationDate', created],
    ['ModificationDate', modified],
  ] as const;
  const told = ([key, value]: readonly [string, string]): [string, Json] => [telling.text(key), telling.text(value)];
  // The standard entries come last: a custom entry must not replace them.
  return objectOf([
    ...texts.map(told),
    ...custom.map(told),
    ...dates.map(([key, date]) => [key, date === undefined ? undefined : localTime(new Date(date))] as const),
  ]);
}

function basicInfo(
  context: PDFContext,
  size: number,
  text: TextCounts,
  pages: readonly ReadPage[],
  telling: Telling,
): JsonObject {
  const catalog = catalogOf(context);
  const language = telling.section('Language', undefined, () =>
    catalog === undefined ? undefined : asText(context, entry(catalog, 'Lang')),
  );
  const images = pages.flatMap(({ resources }) => resources?.images ?? []);
  const distinct = new Set(
    images.map(
      ({ image: { width, height, bitsPerComponent, suffix } }) => `${width}x${height}x${bitsPerComponent}.${suffix}`,
    ),
  );
  return objectOf([
    ['FileSizeInBytes', size],
    ['WordCount', text.words],
    ['ParagraphCount', text.lines],
    ['CharacterCount', text.characters],
    ['Language', language === undefined ? undefined : telling.text(language)],
    ['Number of pages', pages.length],
    ['TotalImages', images.length],
    ['UniqueImages', distinct.size],
  ]);
}

function documentSection(context: PDFContext, telling: Telling): JsonObject {
  const { trapped } = infoFacts(context);
  return {
    'PDF version': pdfVersion(context),
    Trapped: trapped === undefined ? null : telling.text(trapped),
    'Page Mode': PAGE_MODES[pageMode(context)],
  };
}

function encryptionInfo({ encrypted, handler }: EncryptionFacts): JsonObject {
  return objectOf([
    ['IsEncrypted', encrypted],
    ['EncryptionAlgorithm', handler?.filter],
    ['KeyLength', handler?.keyBits],
    ['Version', handler?.version],
    ['Revision', handler?.revision],
  ]);
}

interface Gathered {
  readonly pages: readonly ReadPage[];
  readonly texts: PageTexts;
  readonly scripts: readonly PlacedScript[];
}

function otherInfo(context: PDFContext, { pages, texts, scripts }: Gathered, telling: Telling): JsonObject {
  const files = new FileReport(context);
  const list = (name: string, read: () => JsonObject[]): JsonObject[] => telling.section(name, [], read);
  const structure = telling.section('StructureTree', undefined, () => {
    const tree = structureFacts(context, texts);
    if (tree?.cut === true) telling.cut('StructureTree');
    return tree?.elements.map((element) => elementInfo(element, telling));
  });
  return objectOf([
    ['EmbeddedFiles', list('EmbeddedFiles', () => files.embedded().map((file) => embeddedInfo(file, telling)))],
    [
      'Attachments',
      list('Attachments', () =>
        pages.flatMap(({ annotations }) =>
          annotations.flatMap((annotation) => attachmentInfo(files.attached(annotation), telling)),
        ),
      ),
    ],
    [
      'JavaScript',
      list('JavaScript', () =>
        scripts.map(({ place, script }) => ({ 'JS Name': telling.text(place), 'JS Script Length': script.length })),
      ),
    ],
    ['Layers', list('Layers', () => readLayers(context).map(({ name }) => ({ Name: telling.text(name) })))],
    [
      'Bookmarks/Outline/TOC',
      list('Bookmarks', () =>
        [...flat(readOutlines(context))].map((node) => ({ Title: telling.text(outlineTitle(context, node)) })),
      ),
    ],
    [
      'XMPMetadata',
      telling.section('XMPMetadata', null, () => {
        const xmp = readXmp(context);
        return xmp === undefined ? null : telling.text(xmp);
      }),
    ],
    ['StructureTree', structure],
  ]);
}

function* flat(nodes: readonly OutlineNode[]): Generator<OutlineNode> {
  for (const node of nodes) {
    yield node;
    yield* flat(node.children);
  }
}

function embeddedInfo({ name, size, mediaType, created, modified }: FileFacts, telling: Telling): JsonObject {
  const time = (date: Date | undefined): Json => (date === undefined ? null : localTime(date));
  return {
    Name: telling.text(name),
    FileSize: size ?? null,
    MimeType: mediaType === undefined ? null : telling.text(mediaType),
    CreationDate: time(created),
    ModificationDate: time(modified),
  };
}

function attachmentInfo(file: FileFacts | undefined, telling: Telling): JsonObject[] {
  if (file === undefined) return [];
  return [
    objectOf([
      ['Name', telling.text(file.name)],
      ['Description', file.description === undefined ? null : telling.text(file.description)],
      ['FileSize', file.size],
    ]),
  ];
}

function elementInfo({ type, content, children }: StructureElement, telling: Telling): JsonObject {
  const below = children.map((child) => elementInfo(child, telling));
  return { Type: telling.text(type), Content: telling.text(content), ...(below.length > 0 ? { Children: below } : {}) };
}

/**
 * Whether the document is free of content that keeps it from being archived safely; undefined if that could not be
 * read.
 */
function isSecure(
  { decrypted, document: { context }, pages: places }: OpenedPdf,
  pages: readonly ReadPage[],
  scripts: readonly PlacedScript[],
  telling: Telling,
): boolean | undefined {
  if (!telling.wasRead('Annotations', 'JavaScript', 'FormFields')) return undefined;
  const form = acroFormOf(context);
  if (decrypted || (form !== undefined && (entry(form, 'XFA') !== undefined || readFields(context).length > 0)))
    return false;
  if (scripts.length > 0 || readAttachments(context, places).some(({ file }) => file !== undefined)) return false;
  return !pages.some(({ annotations }) =>
    annotations.some((annotation: Annotation) => leadsOutside(context, annotation)),
  );
}

function summaryData({ encrypted, permissions }: EncryptionFacts, compliance: JsonObject[] | undefined): JsonObject {
  const restricted = PERMISSIONS.flatMap(([, name, words]) => (permissions[name] ? [] : [words]));
  return objectOf([
    ['encrypted', encrypted || undefined],
    ['restrictedPermissions', restricted.length > 0 ? restricted : undefined],
    ['restrictedPermissionsCount', restricted.length > 0 ? restricted.length : undefined],
    ['Compliance', compliance],
  ]);
}
