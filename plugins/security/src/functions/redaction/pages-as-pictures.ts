import { editFile } from '@quire/document/file/open';
import {
  type PicturePagesOptions,
  PictureStore,
  fittingDpi,
  picturePages,
  pixelSize,
} from '@quire/document/engines/rendering';

export interface PagesAsPicturesOptions extends Pick<PicturePagesOptions, 'signal' | 'progress'> {
  /** The resolution wanted; lowered where the pixel limits require it, because no caller chose it. */
  readonly dpi: number;
}

/**
 * Writes a copy of `source` to `target` in which every page is one image of what it shows; `picturePages` describes
 * what else is kept.
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
