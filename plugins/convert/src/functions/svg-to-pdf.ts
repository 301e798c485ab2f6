import { DocumentError } from '@quire/document';
import { writeContext } from '@quire/document/file/open';
import { embedSvg } from '@quire/document/content/svg';
import { PDFDocument, PDFName } from 'pdf-lib';

/** The page of a drawing that gives no size, in points (docs/interface/convert.yml, svg/pdf). */
const PAGE = { width: 595, height: 842 } as const;

export interface DrawnSvgs {
  /** For each drawing in order: whether it has a page. */
  readonly drawn: readonly boolean[];
}

/**
 * Draws SVGs as vectors, a page of its size for each, into one document at `target`. A drawing that cannot be read is
 * left out where another one can. Errors: IMAGE_UNREADABLE and INPUT_TOO_COMPLEX of the first one when none can be
 * drawn.
 */
export async function svgsToPdf(
  drawings: readonly (() => Promise<Uint8Array>)[],
  target: string,
  signal: AbortSignal,
  progress: (done: number, total: number) => void,
): Promise<DrawnSvgs> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const drawn: boolean[] = [];
  let first: unknown;
  for (const [i, drawing] of drawings.entries()) {
    signal.throwIfAborted();
    try {
      const { form, width, height, scale } = await embedSvg(document, await drawing(), 'fileInput', PAGE);
      const page = document.addPage([width, height]);
      page.node.set(PDFName.of('Resources'), document.context.obj({ XObject: { Drawing: form } }));
      page.node.set(
        PDFName.of('Contents'),
        document.context.register(document.context.stream(`q ${scale} 0 0 ${scale} 0 0 cm /Drawing Do Q`)),
      );
      drawn.push(true);
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      first ??= error;
      drawn.push(false);
    }
    progress(i + 1, drawings.length);
  }
  if (!drawn.includes(true)) throw first;
  writeContext(document.context, target);
  return { drawn };
}
