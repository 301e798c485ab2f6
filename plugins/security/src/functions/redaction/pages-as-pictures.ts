import { editFile } from '@quire/document/file/open';
import {
  type PicturePagesOptions,
  PictureStore,
  fittingDpi,
  picturePages,
  pixelSize,
} from '@quire/document/engines/rendering';

/** How pages become pictures. */
export interface PagesAsPicturesOptions extends Pick<PicturePagesOptions, 'signal' | 'progress'> {
  /** Resolution wanted; lowered where the pixel limits need it, since no caller chose it. */
  readonly dpi: number;
}

/**
 * Writes into a new file at `target` what the one at `source` shows, every page one picture; see `picturePages` for
 * what stays besides.
 */
export async function pagesAsPictures(
  source: string,
  target: string,
  { dpi, ...options }: PagesAsPicturesOptions,
): Promise<void> {
  const sizes: PicturePagesOptions['sizes'] = (pages) => {
    const fitting = fittingDpi(pages, dpi);
    return pages.map((page) => pixelSize(page, fitting));
  };
  await editFile(source, target, { mode: 'rewrite' }, (opened) =>
    picturePages(opened, { ...options, sizes, store: new PictureStore(`${target}.pictures`) }),
  );
}
