import { deflateSync } from 'node:zlib';
import { type PDFContext, PDFDict, PDFName, PDFRawStream, PDFRef } from 'pdf-lib';
import { type ContentReader, type ContentVisitor, type Frame, splice } from '@quire/document/content';
import { asDict, entry, resolve, setEntry } from '@quire/document/file/objects';

/** An appearance stream of an annotation. */
export interface AppearanceStream {
  readonly ref: PDFRef;
  readonly stream: PDFRawStream;
}

/** Edits the content of annotation appearances, each stream once, including the forms that it draws. */
export class AppearanceEditor {
  readonly #done = new Set<PDFRawStream>();

  constructor(
    private readonly context: PDFContext,
    private readonly reader: ContentReader,
  ) {}

  /** Lists an annotation's appearances in all states (ISO 32000-1, 12.5.5), except those already returned. */
  *streams(annotation: PDFDict): Generator<AppearanceStream> {
    const appearances = asDict(this.context, entry(annotation, 'AP'));
    for (const key of ['N', 'R', 'D']) {
      const value = appearances === undefined ? undefined : entry(appearances, key);
      const states = resolve(this.context, value);
      for (const ref of states instanceof PDFDict ? states.values() : [value]) {
        const stream = resolve(this.context, ref);
        if (!(ref instanceof PDFRef) || !(stream instanceof PDFRawStream) || this.#done.has(stream)) continue;
        this.#done.add(stream);
        yield { ref, stream };
      }
    }
  }

  /** Walks an appearance with a visitor. */
  walk({ stream }: AppearanceStream, visitor: ContentVisitor): Frame {
    return this.reader.stream(stream, undefined, visitor);
  }

  /** Writes the edits recorded on an appearance's frames to its streams. */
  write({ ref, stream }: AppearanceStream, frame: Frame): void {
    for (const child of frame.children) {
      const { use } = child;
      if (use?.ref === undefined || this.#done.has(use.stream)) continue;
      this.#done.add(use.stream);
      this.write({ ref: use.ref, stream: use.stream }, child);
    }
    const bytes = splice(frame.bytes, frame.splices);
    if (bytes !== frame.bytes) this.assign({ ref, stream }, bytes);
  }

  /** Replaces the content of a stream. */
  assign({ ref, stream }: AppearanceStream, bytes: Uint8Array): void {
    const dict = PDFDict.fromMapWithContext(new Map(stream.dict.entries()), this.context);
    for (const key of ['DecodeParms', 'DP', 'F', 'FFilter', 'FDecodeParms', 'DL']) setEntry(dict, key, undefined);
    setEntry(dict, 'Filter', PDFName.of('FlateDecode'));
    const written = PDFRawStream.of(dict, deflateSync(bytes));
    this.#done.add(written);
    this.context.assign(ref, written);
  }
}
