import { type PDFContext, type PDFDict, type PDFObject, PDFRawStream, PDFRef } from 'pdf-lib';
import { DocumentError } from '../errors.js';
import { asDict, asName, elements, entry, resolve } from '../file/objects/index.js';
import { boxOf, decodedContent } from '../structure/pages/index.js';
import { FontBook } from '../fonts/pdf-fonts/index.js';
import { Frame } from './frame.js';
import { type Box, boxAround, identity, intersect, multiply, type Quad, quadOf } from './geometry.js';
import type { Matrix, Operator } from './operands.js';

/** Forms within each other. */
const MAX_DEPTH = 40;
/** Decoded forms kept because they may be drawn again, in bytes. */
const KEPT_BYTES = 32 * 1024 * 1024;

/** Limits for reading one document's content. */
export interface ContentLimits {
  /** Operators walked in all, those of a form counted each time it is drawn. Default 40 million. */
  readonly operators?: number;
  /** Uses of forms in all. Default 400 000. */
  readonly forms?: number;
  /**
   * True to read also what glyphs show where their font contradicts itself, and what the glyph procedures of Type 3
   * fonts draw as text (`FontGlyph.drawn`).
   */
  readonly bothReadings?: boolean;
}

/** Fonts, forms and resources of one document's content, and how much of it may still be read. */
export abstract class ContentResources {
  readonly fonts: FontBook;
  readonly #decoded = new Map<PDFRawStream, Uint8Array>();
  #keptBytes = 0;
  #operators: number;
  #forms: number;

  constructor(
    readonly context: PDFContext,
    limits: ContentLimits = {},
  ) {
    this.fonts = new FontBook(
      context,
      limits.bothReadings === true ? (procedure, resources) => this.procedureText(procedure, resources) : undefined,
    );
    this.#operators = limits.operators ?? 40_000_000;
    this.#forms = limits.forms ?? 400_000;
  }

  /** The text that a glyph procedure draws; empty if it draws none. */
  protected abstract procedureText(procedure: PDFRawStream, resources: PDFDict | undefined): string;

  /** Counts one operator against the limit. */
  spend(): void {
    if (--this.#operators < 0)
      throw new DocumentError('INPUT_TOO_COMPLEX', { resource: 'content operators', limit: 40_000_000 });
  }

  /** The entry of a resource dictionary by kind and name. */
  resource(frame: Frame, kind: string, name: string | undefined): PDFObject | undefined {
    if (name === undefined || frame.resources === undefined) return undefined;
    const dict = asDict(this.context, entry(frame.resources, kind));
    return dict === undefined ? undefined : entry(dict, name);
  }

  /** A form's /Matrix. */
  matrix(dict: PDFDict): Matrix {
    const numbers = elements(this.context, entry(dict, 'Matrix')).map((value) =>
      Number(resolve(this.context, value)?.toString()),
    );
    return numbers.length === 6 && numbers.every((value) => Number.isFinite(value))
      ? (numbers as unknown as Matrix)
      : identity;
  }

  /**
   * The frame of a form XObject about to be drawn; undefined for one that draws itself, lies too deep or cannot be
   * decoded.
   */
  formFrame(
    parent: Frame,
    operator: Operator,
    name: string,
    value: PDFObject | undefined,
    stream: PDFRawStream,
    ctm: Matrix,
  ): Frame | undefined {
    let depth = 0;
    for (let above: Frame | undefined = parent; above !== undefined; above = above.parent) {
      if (++depth > MAX_DEPTH || above.use?.stream === stream) return undefined;
    }
    if (--this.#forms < 0)
      throw new DocumentError('INPUT_TOO_COMPLEX', { resource: 'uses of form XObjects', limit: 400_000 });
    const bytes = this.#content(stream);
    if (bytes === undefined) return undefined;
    const resources = asDict(this.context, entry(stream.dict, 'Resources')) ?? parent.resources;
    return new Frame(
      bytes,
      resources,
      parent,
      { operator, name, stream, ref: value instanceof PDFRef ? value : undefined },
      multiply(this.matrix(stream.dict), ctm),
    );
  }

  /** Kind of an XObject with its stream. */
  xobject(
    value: PDFObject | undefined,
  ): { readonly stream: PDFRawStream; readonly subtype: string | undefined } | undefined {
    const stream = resolve(this.context, value);
    return stream instanceof PDFRawStream
      ? { stream, subtype: asName(this.context, entry(stream.dict, 'Subtype')) }
      : undefined;
  }

  /** The clip within a form's /BBox. */
  clipOf(frame: Frame, dict: PDFDict, clip: Box): { readonly quad: Quad; readonly clip: Box } {
    const box = boxOf(this.context, entry(dict, 'BBox')) ?? [0, 0, 0, 0];
    const quad = quadOf(frame.ctm ?? identity, box);
    return { quad, clip: intersect(clip, boxAround(quad)) };
  }

  #content(stream: PDFRawStream): Uint8Array | undefined {
    const known = this.#decoded.get(stream);
    if (known !== undefined) return known;
    const bytes = decodedContent(this.context, stream);
    if (bytes === undefined) return undefined;
    if (this.#keptBytes + bytes.length > KEPT_BYTES) {
      this.#decoded.clear();
      this.#keptBytes = 0;
    }
    this.#decoded.set(stream, bytes);
    this.#keptBytes += bytes.length;
    return bytes;
  }
}
