import type { PDFDict, PDFObject, PDFRawStream, PDFRef } from 'pdf-lib';
import { asDict, entry } from '../file/objects/index.js';
import type { Matrix, Operator } from './operands.js';
import type { Splice } from './writer.js';

/** One use of a form XObject: the `Do` that draws it. */
export interface FormUse {
  readonly operator: Operator;
  /** Its name in the resources of the frame that draws it. */
  readonly name: string;
  readonly stream: PDFRawStream;
  readonly ref: PDFRef | undefined;
}

/** A resource that new content of a frame needs. */
export interface Addition {
  readonly kind: string;
  readonly name: string;
  readonly value: PDFObject;
}

/**
 * One piece of content during a walk: that of a page, or of a form each time it is drawn. A form drawn twice has two
 * frames, because it may be at two positions. `replace` records a replacement; `ContentEditor.commit` writes it.
 */
export class Frame {
  readonly children: Frame[] = [];
  readonly splices: Splice[] = [];
  readonly additions: Addition[] = [];

  constructor(
    /** The decoded content. */
    readonly bytes: Uint8Array,
    /** Its own resources, or those of the enclosing frame (ISO 32000-1, 7.8.3). */
    readonly resources: PDFDict | undefined,
    readonly parent?: Frame,
    readonly use?: FormUse,
    /** From the form's space to default user space of the page. */
    readonly ctm?: Matrix,
  ) {
    parent?.children.push(this);
  }

  /**
   * Puts content in place of an operator and its operands, or of any stretch; empty removes it. Stretches must not
   * overlap.
   */
  replace(stretch: { readonly start: number; readonly end: number }, put: string | Uint8Array): void {
    this.splices.push({ start: stretch.start, end: stretch.end, with: put });
  }

  /**
   * The name by which new content of this frame can use a resource; it is entered when the frame is written. `stem`
   * begins names that are made.
   */
  resourceName(kind: string, value: PDFObject, stem: string): string {
    const known = this.additions.find((one) => one.kind === kind && one.value === value);
    if (known !== undefined) return known.name;
    const names =
      this.resources === undefined ? undefined : asDict(this.resources.context, entry(this.resources, kind));
    let number = 1;
    while (
      (names !== undefined && entry(names, `${stem}${number}`) !== undefined) ||
      this.additions.some((one) => one.kind === kind && one.name === `${stem}${number}`)
    )
      number++;
    const name = `${stem}${number}`;
    this.additions.push({ kind, name, value });
    return name;
  }
}
