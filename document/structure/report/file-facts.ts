import type { PDFContext, PDFDict, PDFRawStream } from 'pdf-lib';
import { isTooComplex } from '../../errors.js';
import { asDict, asText, entry, resolve } from '../../file/objects/index.js';
import type { Annotation } from '../annotations/index.js';
import { attachmentFacts, embeddedFile, listAttachments, shownName } from '../attachments/index.js';
import { decodeStream } from '../../file/reader/index.js';

/** An embedded file (ISO 32000-1, 7.11.4); members are undefined if not stated. */
export interface FileFacts {
  readonly name: string;
  readonly description: string | undefined;
  /** Declared size in bytes, else the decoded size. */
  readonly size: number | undefined;
  readonly mediaType: string | undefined;
  readonly created: Date | undefined;
  readonly modified: Date | undefined;
}

/** Most bytes that are decoded in all to find the undeclared sizes of files. */
const MAX_UNPACKED = 64 * 1024 * 1024;

/** Reports the files of one document. */
export class FileReport {
  #left = MAX_UNPACKED;

  constructor(private readonly context: PDFContext) {}

  /** Returns the files of the document's own list that are really embedded, however deep the list is nested. */
  embedded(): FileFacts[] {
    return listAttachments(this.context).map(({ name, spec, file }) => this.#facts(name, spec, file, undefined));
  }

  /**
   * Returns the file of a file attachment annotation (ISO 32000-1, 12.5.6.15); undefined for other annotations. The
   * annotation's text takes precedence as the description.
   */
  attached({ dict, kind }: Annotation): FileFacts | undefined {
    const { context } = this;
    if (kind !== 'FileAttachment') return undefined;
    const stored = entry(dict, 'FS');
    const spec = asDict(context, stored);
    const said = asText(context, entry(dict, 'Contents'));
    // A file specification may be only a name of an external file (ISO 32000-1, 7.11.2).
    if (spec === undefined)
      return {
        name: asText(context, stored) ?? '',
        description: said,
        size: undefined,
        mediaType: undefined,
        created: undefined,
        modified: undefined,
      };
    return this.#facts(shownName(context, spec, ''), spec, embeddedFile(context, spec), said);
  }

  #facts(name: string, spec: PDFDict, file: PDFRawStream | undefined, said: string | undefined): FileFacts {
    const { context } = this;
    if (file === undefined)
      return {
        name,
        description: said ?? asText(context, entry(spec, 'Desc')),
        size: undefined,
        mediaType: undefined,
        created: undefined,
        modified: undefined,
      };
    const { size, contentType, description, creationDate, modificationDate } = attachmentFacts(context, {
      name,
      spec,
      file,
      from: 'document',
    });
    const time = (iso: string | null): Date | undefined => (iso === null ? undefined : new Date(iso));
    return {
      name,
      description: said ?? description ?? undefined,
      size: size >= 0 ? size : this.#unpackedSize(file),
      mediaType: contentType ?? undefined,
      created: time(creationDate),
      modified: time(modificationDate),
    };
  }

  #unpackedSize(file: PDFRawStream): number | undefined {
    if (this.#left <= 0) return undefined;
    try {
      const size = decodeStream(file, (value) => resolve(this.context, value))?.length;
      this.#left -= size ?? 0;
      return size;
    } catch (error) {
      if (!isTooComplex(error)) throw error;
      this.#left = 0;
      return undefined;
    }
  }
}
