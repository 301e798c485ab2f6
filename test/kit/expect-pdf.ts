import { expect } from 'chai';
import { withDocument } from '@quire/document/engines/pdfium';

/** The facts that a second PDF reader found in a file. */
export interface PdfFacts {
  readonly pages: number;
  /** Text of each page in reading order. */
  readonly text: readonly string[];
  readonly sizes: readonly { readonly width: number; readonly height: number; readonly rotation: number }[];
}

/**
 * Reads a PDF with PDFium: page count, text and size of each page. Rejects with the document codes of
 * `@quire/document`.
 */
export async function readPdf(bytes: Uint8Array, password?: string): Promise<PdfFacts> {
  return withDocument(bytes, password === undefined ? {} : { password }, (document) => {
    const indexes = Array.from({ length: document.pageCount }, (_, i) => i);
    return {
      pages: document.pageCount,
      text: indexes.map((i) => document.pageText(i)),
      sizes: indexes.map((i) => document.pageGeometry(i)),
    };
  });
}

/** Assertions on a PDF; they run in order when the value is awaited. */
export class PdfExpectation implements PromiseLike<PdfFacts> {
  readonly #checks: ((facts: PdfFacts) => void)[] = [];

  constructor(
    private readonly bytes: Uint8Array,
    private readonly password?: string,
  ) {}

  /** Expects this many pages. */
  pages(count: number): this {
    return this.#add((facts) => expect(facts.pages, 'page count').to.equal(count));
  }

  /** Expects that the text of a page (1-based) matches, or contains the given words. */
  text(page: number, wanted: RegExp | string): this {
    return this.#add((facts) => {
      const text = facts.text[page - 1];
      if (text === undefined) expect.fail(`there is no page ${page}; the document has ${facts.pages}`);
      if (typeof wanted === 'string') expect(text, `text of page ${page}`).to.include(wanted);
      else expect(text, `text of page ${page}`).to.match(wanted);
    });
  }

  /** Expects that no page contains this text. */
  noText(unwanted: RegExp): this {
    return this.#add((facts) =>
      facts.text.forEach((text, i) => expect(text, `text of page ${i + 1}`).not.to.match(unwanted)),
    );
  }

  /** Expects the displayed size of a page (1-based) in points, after its rotation, with a tolerance of half a point. */
  size(page: number, width: number, height: number): this {
    return this.#add((facts) => {
      expect(facts.sizes[page - 1]?.width, `width of page ${page}`).to.be.closeTo(width, 0.5);
      expect(facts.sizes[page - 1]?.height, `height of page ${page}`).to.be.closeTo(height, 0.5);
    });
  }

  /** Expects the clockwise rotation of a page (1-based) in degrees. */
  rotation(page: number, degrees: number): this {
    return this.#add((facts) => expect(facts.sizes[page - 1]?.rotation, `rotation of page ${page}`).to.equal(degrees));
  }

  /** Reads the document and runs every check. Returns the facts. */
  async run(): Promise<PdfFacts> {
    const facts = await readPdf(this.bytes, this.password);
    for (const check of this.#checks) check(facts);
    return facts;
  }

  then<A = PdfFacts, B = never>(
    done?: ((facts: PdfFacts) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.run().then(done, failed);
  }

  #add(check: (facts: PdfFacts) => void): this {
    this.#checks.push(check);
    return this;
  }
}

/** Starts assertions on a PDF: `await expectPdf(bytes).pages(3).text(1, /Total/)`. Pages are 1-based. */
export function expectPdf(bytes: Uint8Array, password?: string): PdfExpectation {
  return new PdfExpectation(bytes, password);
}
