import { createHash } from 'node:crypto';
import type { ZipMember } from '@quire/document/file/zip';
import { packageParts, relations } from './presentation-parts.js';
import { type SlideContent, slideXml } from './slide-xml.js';

/** How a presentation is laid out: slides in all, their size in EMU (1/914400 inch), its title. */
export interface PresentationFacts {
  readonly slides: number;
  readonly width: number;
  readonly height: number;
  readonly title: string;
}

/** Builds the members of a presentation (PPTX, ECMA-376) slide by slide. Equal images are written once. */
export class Presentation {
  readonly #media = new Map<string, string>();
  #slides = 0;

  /** `facts.slides` slides must be added. */
  constructor(private readonly facts: PresentationFacts) {}

  /** Returns the members that do not depend on a slide's content. */
  start(): ZipMember[] {
    return packageParts(this.facts).map(({ name, xml }) => ({ name, content: xml }));
  }

  /** Returns the members of the next slide. */
  slide(content: SlideContent): ZipMember[] {
    const number = ++this.#slides;
    const added: ZipMember[] = [];
    const { xml, relations: list } = slideXml(
      content,
      content.pictures.map(({ bytes, format }) => this.#image(bytes, format, added)),
    );
    return [
      ...added,
      { name: `ppt/slides/slide${number}.xml`, content: xml },
      { name: `ppt/slides/_rels/slide${number}.xml.rels`, content: relations(list) },
    ];
  }

  #image(bytes: Uint8Array, format: string, added: ZipMember[]): string {
    const hash = createHash('sha256').update(bytes).digest('hex');
    const known = this.#media.get(hash);
    if (known !== undefined) return known;
    const name = `picture${this.#media.size + 1}.${format}`;
    this.#media.set(hash, name);
    added.push({ name: `ppt/media/${name}`, content: bytes, stored: true });
    return name;
  }
}
