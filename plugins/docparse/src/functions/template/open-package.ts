import { readFile } from 'node:fs/promises';
import { refuseArchive, unpackZip, writeZip, type ZipMember } from '@quire/document/file/zip';
import { decodeXml } from '@quire/document/file/xml';
import { elementsIn, parseXml, XmlFault } from '@quire/document/file/xml/dom';
import { InputError } from '@quire/registry/errors';
import { type Document, XMLSerializer } from '@xmldom/xmldom';

/** Kinds of documents that can be templates. */
export type TemplateKind = 'docx' | 'pptx' | 'odt' | 'odp';

/** All XML of a template together, in bytes. */
const MAX_XML = 32 * 1024 * 1024;
/** Elements within each other; documents that people made stay far below. */
const MAX_DEPTH = 500;
/** The part that makes a package what it is. */
const MAIN: Readonly<Record<TemplateKind, string>> = {
  docx: 'word/document.xml',
  pptx: 'ppt/presentation.xml',
  odt: 'content.xml',
  odp: 'content.xml',
};
const MACROS = /(?:^|\/)(?:vbaProject\.bin|vbaData\.xml|attachedToolbars\.bin)$|^Basic\/|^Scripts\/|(?:^|\/)activeX\//i;
const HYPERLINK = /\/hyperlink$/i;
const OWN_TEMPLATE = /\/attachedTemplate$/i;

/**
 * An office document in a zip (OOXML, ECMA-376-2; OpenDocument 1.3, part 2), its parts read when they are asked for.
 */
export class TemplatePackage {
  readonly #documents = new Map<string, Document>();
  readonly #added = new Map<string, string | Uint8Array>();
  #xmlBytes = 0;

  private constructor(
    readonly kind: TemplateKind,
    private readonly field: string,
    private readonly members: ReadonlyMap<string, { readonly path: string; readonly size: number }>,
  ) {}

  /**
   * Opens the document at `path` and unpacks its members into `folder`. Throws, naming `field`: ARCHIVE_UNSAFE for a
   * bad zip, an internal DTD, macros or external parts; INPUT_KIND for another type of document; OFFICE_ENCRYPTED.
   */
  static async open(
    path: string,
    kind: TemplateKind,
    { folder, field, signal }: { readonly folder: string; readonly field: string; readonly signal: AbortSignal },
  ): Promise<TemplatePackage> {
    const files = await unpackZip(path, folder, { field, signal });
    const members = new Map(files.map((file) => [file.name, file]));
    if (members.size < files.length) throw refuseArchive(field)('it holds a name twice');
    if (!members.has(MAIN[kind]))
      throw new InputError('INPUT_KIND', { field, found: `an archive without ${MAIN[kind]}`, allowed: kind });
    const opened = new TemplatePackage(kind, field, members);
    await opened.#refuseMacros();
    await opened.#refuseOutside();
    return opened;
  }

  get names(): readonly string[] {
    return [...this.members.keys(), ...[...this.#added.keys()].filter((name) => !this.members.has(name))];
  }

  /** The document of an XML part; changes of it are written. */
  async xml(name: string): Promise<Document> {
    const known = this.#documents.get(name);
    if (known !== undefined) return known;
    const document = parse(await this.#text(name), () =>
      refuseArchive(this.field)(`its part ${name} is not well-formed XML`),
    );
    this.#documents.set(name, document);
    return document;
  }

  /** Adds a part, or replaces one that was not read as XML. */
  add(name: string, content: string | Uint8Array): void {
    this.#added.set(name, content);
  }

  /** Adds an XML part unless it is there, and gives its document. */
  async xmlOr(name: string, content: string): Promise<Document> {
    if (!this.members.has(name) && !this.#documents.has(name))
      this.#documents.set(
        name,
        parse(content, () => new Error(`${name} is not XML`)),
      );
    return this.xml(name);
  }

  /** Writes the package to `target`, the parts in the order in which they came. */
  async write(target: string, signal: AbortSignal): Promise<void> {
    const serializer = new XMLSerializer();
    const names = [...new Set([...this.members.keys(), ...this.#documents.keys(), ...this.#added.keys()])];
    const members = names.map((name): ZipMember => {
      const stored = name === 'mimetype' || /\.(?:png|jpe?g|gif)$/i.test(name) ? { stored: true as const } : {};
      const document = this.#documents.get(name);
      if (document !== undefined) return { name, content: serializer.serializeToString(document) };
      const added = this.#added.get(name);
      if (added !== undefined) return { name, content: added, ...stored };
      return { name, path: this.members.get(name)?.path ?? '', ...stored };
    });
    // The first member of an OpenDocument package is its media type (part 2, 3.3).
    await writeZip(
      members.sort((a, b) => Number(b.name === 'mimetype') - Number(a.name === 'mimetype')),
      target,
      signal,
    );
  }

  async #text(name: string): Promise<string> {
    const refuse = refuseArchive(this.field);
    const member = this.members.get(name);
    if (member === undefined) throw refuse(`it has no part ${name}`);
    this.#xmlBytes += member.size;
    if (this.#xmlBytes > MAX_XML) throw refuse(`its text takes more than ${MAX_XML} bytes of XML`);
    return decodeXml(await readFile(member.path), refuse);
  }

  async #refuseMacros(): Promise<void> {
    const refuse = refuseArchive(this.field);
    if (this.names.some((name) => MACROS.test(name))) throw refuse('it holds macros');
    if (
      this.members.has('[Content_Types].xml') &&
      /macroEnabled|vbaProject/i.test(await this.#text('[Content_Types].xml'))
    )
      throw refuse('it is made to hold macros');
    if (
      this.members.has('META-INF/manifest.xml') &&
      /<(?:[\w-]+:)?encryption-data\b/.test(await this.#text('META-INF/manifest.xml'))
    )
      throw new InputError('OFFICE_ENCRYPTED', { field: this.field });
  }

  /**
   * Clickable links may lead out; every other part must be in the package, so that opening the result loads nothing.
   */
  async #refuseOutside(): Promise<void> {
    const refuse = refuseArchive(this.field);
    for (const name of this.names.filter((one) => /\.rels$/i.test(one))) {
      const document = await this.xml(name);
      for (const relation of elementsIn(document.documentElement, 'Relationship')) {
        const type = relation.getAttribute('Type') ?? '';
        if (!/^external$/i.test((relation.getAttribute('TargetMode') ?? '').trim()) || HYPERLINK.test(type)) continue;
        // Where the author's own template lay: Word writes it into nearly every document, and it means nothing
        // elsewhere.
        if (!OWN_TEMPLATE.test(type))
          throw refuse(
            `${name} names a part that lies elsewhere ` +
              `(${type.slice(type.lastIndexOf('/') + 1, type.lastIndexOf('/') + 40)})`,
          );
        await this.#dropOwnTemplate(name);
        relation.parentNode?.removeChild(relation);
      }
    }
    if (this.kind !== 'odt' && this.kind !== 'odp') return;
    for (const name of ['content.xml', 'styles.xml'].filter((one) => this.members.has(one))) {
      for (const element of elementsIn((await this.xml(name)).documentElement)) {
        if (element.localName === 'a' || element.localName === 'event-listener') continue;
        const href = element.getAttribute('xlink:href') ?? '';
        if (/^\s*(?:[a-z][a-z0-9+.-]*:|[/\\]|\.\.)/i.test(href))
          throw refuse(`${name} names a part that lies elsewhere (${element.nodeName})`);
      }
    }
  }

  async #dropOwnTemplate(relations: string): Promise<void> {
    const part = relations.replace(/(^|\/)_rels\/([^/]*)\.rels$/i, '$1$2');
    if (!this.members.has(part)) return;
    for (const element of elementsIn((await this.xml(part)).documentElement, 'attachedTemplate'))
      element.parentNode?.removeChild(element);
  }
}

function parse(text: string, fault: () => Error): Document {
  try {
    return parseXml(text, { maxDepth: MAX_DEPTH }).document;
  } catch (error) {
    throw error instanceof XmlFault ? fault() : error;
  }
}
