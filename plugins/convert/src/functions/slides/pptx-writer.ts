import { createHash } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { packageParts, relations } from './presentation-parts.js';
import { type SlideContent, slideXml } from './slide-xml.js';

/** One time for all entries, so that equal documents give equal files. */
const WHEN = new Date('2020-01-01T00:00:00Z');

/** How a presentation is laid out: slides in all, their size in EMU (1/914400 inch), its title. */
export interface PresentationFacts {
  readonly slides: number;
  readonly width: number;
  readonly height: number;
  readonly title: string;
}

/**
 * Writes a presentation (PPTX, ECMA-376) slide by slide into a file, so that only one is in memory. Equal pictures are
 * written once.
 */
export class PptxWriter {
  readonly #zip = new ZipFile();
  readonly #file: WriteStream;
  readonly #done: Promise<void>;
  readonly #media = new Map<string, string>();
  #slides = 0;

  /** `facts.slides` must be added, no more and no less. */
  constructor(target: string, facts: PresentationFacts) {
    this.#file = createWriteStream(target, { flags: 'wx', mode: 0o600 });
    this.#done = finished(this.#zip.outputStream.pipe(this.#file));
    // Awaited in `finish`; a run that ends before must not leave a rejection behind.
    this.#done.catch(() => undefined);
    for (const { name, xml } of packageParts(facts)) this.#add(name, Buffer.from(xml), true);
  }

  /** Adds the next slide. */
  add(content: SlideContent): void {
    const number = ++this.#slides;
    const { xml, relations: list } = slideXml(
      content,
      content.pictures.map(({ bytes, format }) => this.#picture(bytes, format)),
    );
    this.#add(`ppt/slides/slide${number}.xml`, Buffer.from(xml), true);
    this.#add(`ppt/slides/_rels/slide${number}.xml.rels`, Buffer.from(relations(list)), true);
  }

  /** Ends the file; resolves when it is whole on disk. */
  async finish(): Promise<void> {
    this.#zip.end();
    await this.#done;
  }

  /** Closes the incomplete file. */
  abandon(): void {
    this.#file.destroy();
  }

  #picture(bytes: Uint8Array, format: string): string {
    const hash = createHash('sha256').update(bytes).digest('hex');
    const known = this.#media.get(hash);
    if (known !== undefined) return known;
    const name = `picture${this.#media.size + 1}.${format}`;
    this.#media.set(hash, name);
    this.#add(`ppt/media/${name}`, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), false);
    return name;
  }

  #add(name: string, bytes: Buffer, compress: boolean): void {
    this.#zip.addBuffer(bytes, name, { mtime: WHEN, compress });
  }
}
