import { DocumentError } from '@quire/document';
import {
  type ColourMode,
  type Picture,
  type PictureKind,
  embedPicture,
  placePicture,
  readPictures,
} from '@quire/document/images';
import { writeContext } from '@quire/document/file/open';
import { MAX_JOB_PIXELS, PictureStore } from '@quire/document/engines/rendering';
import { PDFDocument, PDFName } from 'pdf-lib';

/** One picture file. */
export interface PictureFile {
  readonly kind: PictureKind;
  bytes(): Promise<Uint8Array>;
}

/** How pictures are put on pages. */
export interface ImagesToPdfOptions {
  /**
   * `fillPage` stretches to the paper, `maintainAspectRatio` scales and centres on it, `fitDocumentToImage` makes a
   * page of as many points as pixels.
   */
  readonly fitOption: 'fillPage' | 'maintainAspectRatio' | 'fitDocumentToImage';
  /** Paper of the pages; A4 if it is not given. */
  readonly pageSize?: 'A4' | 'LETTER';
  readonly colorType: ColourMode;
  /** Lays the paper on its side for pictures wider than high. */
  readonly autoRotate: boolean;
  /** Told of a picture that cannot be read, by its place in the list; without it such a picture refuses them all. */
  readonly skip?: (index: number) => void;
  readonly signal?: AbortSignal;
  readonly progress?: (done: number, total: number) => void;
}

/** In points. */
const PAPER = { A4: [595.276, 841.89], LETTER: [612, 792] } as const;
const MAX_FRAMES = 10_000;

/**
 * Puts pictures on pages, one each, a TIFF's frames one after the other, in the order given, and writes the document to
 * `target`; one picture is in memory at a time, the others wait in a file beside `target`. JPEGs keep their bytes,
 * others are kept without loss; EXIF orientation is applied. Gives the number of pages; with none, nothing is written.
 * Errors: IMAGE_UNREADABLE, IMAGE_TOO_LARGE, INPUT_TOO_MANY_PAGES.
 */
export async function imagesToPdf(
  files: readonly PictureFile[],
  target: string,
  options: ImagesToPdfOptions,
): Promise<number> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const store = new PictureStore(`${target}.pictures`);
  let pixels = 0;
  for (const [i, file] of files.entries()) {
    options.signal?.throwIfAborted();
    try {
      for await (const picture of readPictures(await file.bytes(), file.kind, {
        field: 'fileInput',
        colour: options.colorType,
      })) {
        options.signal?.throwIfAborted();
        // A JPEG that keeps its bytes is not decoded in full.
        if (!('jpeg' in picture.content)) pixels += picture.width * picture.height;
        if (pixels > MAX_JOB_PIXELS)
          throw new DocumentError('IMAGE_TOO_LARGE', { found: pixels, limit: MAX_JOB_PIXELS });
        if (document.getPageCount() >= MAX_FRAMES)
          throw new DocumentError('INPUT_TOO_MANY_PAGES', { found: document.getPageCount() + 1, limit: MAX_FRAMES });
        addPicturePage(document, picture, store, options);
      }
    } catch (error) {
      if (options.skip === undefined || !(error instanceof DocumentError && error.code === 'IMAGE_UNREADABLE'))
        throw error;
      options.skip(i);
    }
    options.progress?.(i + 1, files.length);
  }
  const pages = document.getPageCount();
  if (pages > 0) writeContext(document.context, target, { objectStreams: false });
  return pages;
}

function addPicturePage(
  document: PDFDocument,
  picture: Picture,
  store: PictureStore,
  options: ImagesToPdfOptions,
): void {
  const { context } = document;
  const [width, height] = pageSize(picture, options);
  const page = document.addPage([width, height]);
  const scale =
    options.fitOption === 'maintainAspectRatio' ? Math.min(width / picture.width, height / picture.height) : undefined;
  const [w, h] = scale === undefined ? [width, height] : [picture.width * scale, picture.height * scale];
  const place = placePicture(picture, { x: (width - w) / 2, y: (height - h) / 2, width: w, height: h });
  const embedded = embedPicture(context, picture, (data, entries) => store.add(entries, data));
  page.node.set(PDFName.of('Resources'), context.obj({ XObject: { Picture: embedded } }));
  page.node.set(PDFName.of('Contents'), context.register(context.stream(`q ${place} /Picture Do Q`)));
}

function pageSize(
  picture: Picture,
  { fitOption, pageSize: paper = 'A4', autoRotate }: ImagesToPdfOptions,
): [number, number] {
  if (fitOption === 'fitDocumentToImage') return [picture.width, picture.height];
  const [width, height] = PAPER[paper];
  return autoRotate && picture.width > picture.height ? [height, width] : [width, height];
}
