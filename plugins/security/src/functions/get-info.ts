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
import { type Json, type JsonObject, localTime, objectOf, InfoWriter } from './get-info-json.js';
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
const PAGES_PER_ABORT_CHECK = 16;
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
  const writer = new InfoWriter(signal);
  const texts = new PageTexts(context, { tagged: isTagged(context) });
  const resources = new PageResources(context);
  const text = { characters: 0, words: 0, lines: 0 };
  const pages: ReadPage[] = [];
  for (const [i, page] of opened.pages.entries()) {
    if (i % PAGES_PER_ABORT_CHECK === 0) {
      await breathe(signal);
      progress?.(i, opened.pages.length);
    }
    const counts = writer.section('Text', NO_TEXT, () => texts.read(page));
    text.characters += counts.characters;
    text.words += counts.words;
    text.lines += counts.lines;
    pages.push({
      page,
      characters: counts.characters,
      annotations: writer.section('Annotations', [], () => readAnnotations(context, page.dict)),
      resources: writer.section(
        'Fonts and images',
        { fonts: [], images: [], xobjects: { image: 0, form: 0, other: 0 } },
        () => resources.of(page),
      ),
    });
  }
  const encryption = encryptionFacts(opened);
  const fields = writer.section('FormFields', [], () =>
    [...fieldValues(context)].map(([name, value]) => [writer.text(name), writer.text(value)] as const),
  );
  const scripts = writer.section('JavaScript', [], () => readAllScripts(context, opened.pages));
  const other = otherInfo(context, { pages, texts, scripts }, writer);
  const perPage = objectOf(
    pages.map((page, i) => [`Page ${i + 1}`, writer.section('PerPageInfo', {}, () => pageInfo(context, page, writer))]),
  );
  const secure = writer.section('IsPDF/SECCompliant', undefined, () => isSecure(opened, pages, scripts, writer));
  const { compliancy, summary } = complianceInfo({
    standards: await standards,
    declaresPdfE: writer.section('XMPMetadata', false, () => readClaims(context).has('PDF/E')),
    secure,
  });
  const info: JsonObject = {
    Metadata: writer.section('Metadata', {}, () => metadata(context, writer)),
    BasicInfo: basicInfo(context, size, text, pages, writer),
    DocumentInfo: writer.section('DocumentInfo', {}, () => documentSection(context, writer)),
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
  return { info, facts: writer.facts() };
}

function isTagged(context: PDFContext): boolean {
  const catalog = catalogOf(context);
  return catalog !== undefined && entry(catalog, 'StructTreeRoot') !== undefined;
}

function metadata(context: PDFContext, writer: InfoWriter): JsonObject {
  const { texts, created, modified, custom } = infoFacts(context);
  const dates = [
    ['CreationDate', created],
    ['ModificationDate', modified],
  ] as const;
  const asText = ([key, value]: readonly [string, string]): [string, Json] => [writer.text(key), writer.text(value)];
  // The standard entries come last: a custom entry must not replace them.
  return objectOf([
    ...texts.map(asText),
    ...custom.map(asText),
    ...dates.map(([key, date]) => [key, date === undefined ? undefined : localTime(new Date(date))] as const),
  ]);
}

function basicInfo(
  context: PDFContext,
  size: number,
  text: TextCounts,
  pages: readonly ReadPage[],
  writer: InfoWriter,
): JsonObject {
  const catalog = catalogOf(context);
  const language = writer.section('Language', undefined, () =>
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
    ['Language', language === undefined ? undefined : writer.text(language)],
    ['Number of pages', pages.length],
    ['TotalImages', images.length],
    ['UniqueImages', distinct.size],
  ]);
}

function documentSection(context: PDFContext, writer: InfoWriter): JsonObject {
  const { trapped } = infoFacts(context);
  return {
    'PDF version': pdfVersion(context),
    Trapped: trapped === undefined ? null : writer.text(trapped),
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

function otherInfo(context: PDFContext, { pages, texts, scripts }: Gathered, writer: InfoWriter): JsonObject {
  const files = new FileReport(context);
  const list = (name: string, read: () => JsonObject[]): JsonObject[] => writer.section(name, [], read);
  const structure = writer.section('StructureTree', undefined, () => {
    const tree = structureFacts(context, texts);
    if (tree?.cut === true) writer.cut('StructureTree');
    return tree?.elements.map((element) => elementInfo(element, writer));
  });
  return objectOf([
    ['EmbeddedFiles', list('EmbeddedFiles', () => files.embedded().map((file) => embeddedInfo(file, writer)))],
    [
      'Attachments',
      list('Attachments', () =>
        pages.flatMap(({ annotations }) =>
          annotations.flatMap((annotation) => attachmentInfo(files.attached(annotation), writer)),
        ),
      ),
    ],
    [
      'JavaScript',
      list('JavaScript', () =>
        scripts.map(({ place, script }) => ({ 'JS Name': writer.text(place), 'JS Script Length': script.length })),
      ),
    ],
    ['Layers', list('Layers', () => readLayers(context).map(({ name }) => ({ Name: writer.text(name) })))],
    [
      'Bookmarks/Outline/TOC',
      list('Bookmarks', () =>
        [...flat(readOutlines(context))].map((node) => ({ Title: writer.text(outlineTitle(context, node)) })),
      ),
    ],
    [
      'XMPMetadata',
      writer.section('XMPMetadata', null, () => {
        const xmp = readXmp(context);
        return xmp === undefined ? null : writer.text(xmp);
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

function embeddedInfo({ name, size, mediaType, created, modified }: FileFacts, writer: InfoWriter): JsonObject {
  const time = (date: Date | undefined): Json => (date === undefined ? null : localTime(date));
  return {
    Name: writer.text(name),
    FileSize: size ?? null,
    MimeType: mediaType === undefined ? null : writer.text(mediaType),
    CreationDate: time(created),
    ModificationDate: time(modified),
  };
}

function attachmentInfo(file: FileFacts | undefined, writer: InfoWriter): JsonObject[] {
  if (file === undefined) return [];
  return [
    objectOf([
      ['Name', writer.text(file.name)],
      ['Description', file.description === undefined ? null : writer.text(file.description)],
      ['FileSize', file.size],
    ]),
  ];
}

function elementInfo({ type, content, children }: StructureElement, writer: InfoWriter): JsonObject {
  const below = children.map((child) => elementInfo(child, writer));
  return { Type: writer.text(type), Content: writer.text(content), ...(below.length > 0 ? { Children: below } : {}) };
}

/**
 * Whether the document is free of content that keeps it from being archived safely; undefined if that could not be
 * read.
 */
function isSecure(
  { decrypted, document: { context }, pages: places }: OpenedPdf,
  pages: readonly ReadPage[],
  scripts: readonly PlacedScript[],
  writer: InfoWriter,
): boolean | undefined {
  if (!writer.wasRead('Annotations', 'JavaScript', 'FormFields')) return undefined;
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
