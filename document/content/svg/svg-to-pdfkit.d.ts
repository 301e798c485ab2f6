declare module 'pdfkit' {
  /** An indirect object that is being written. */
  export interface PdfkitReference {
    readonly id: number;
    end(): void;
  }
  /** The used part of pdfkit's document; its stream is the file. */
  export default class PDFDocument {
    constructor(options: {
      size: [number, number];
      margin: number;
      compress: boolean;
      font: null;
      pdfVersion?: string;
    });
    /** The font in use; not of the public interface, but what `svg-to-pdfkit` reads. */
    _font: unknown;
    font: (font: unknown) => this;
    openImage: (source: string) => unknown;
    ref(data: object): PdfkitReference;
    on(event: 'data', listener: (chunk: Uint8Array) => void): this;
    on(event: 'end', listener: () => void): this;
    on(event: 'error', listener: (error: unknown) => void): this;
    end(): void;
  }
}

declare module 'svg-to-pdfkit' {
  import type PDFDocument from 'pdfkit';

  /** The used options. */
  export interface SvgOptions {
    readonly width: number;
    readonly height: number;
    /** One user unit is one point. */
    readonly assumePt: true;
    readonly warningCallback: (text: string) => void;
    readonly fontCallback: (
      family: string,
      bold: boolean,
      italic: boolean,
      options: { fauxBold: boolean; fauxItalic: boolean },
    ) => unknown;
    readonly imageCallback: (link: string) => string;
  }
  export default function SVGtoPDF(document: PDFDocument, svg: string, x: number, y: number, options: SvgOptions): void;
}
