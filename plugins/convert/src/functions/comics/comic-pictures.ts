import { unpackZip, type UnpackedFile } from '@quire/document/file/zip';
import type { PictureKind } from '@quire/document/images';
import { fileHead } from '@quire/document/file/source';
import { isRar, unpackRar } from './read-rar.js';

/** Extensions that pages of a comic have (docs/interface/convert.yml, cbz/pdf). */
const PICTURE = /\.(?:jpe?g|png|gif|bmp|webp)$/i;
/** Left behind by the Finder; they bear the names of pictures and hold none. */
const RESOURCE_FORK = /(?:^|\/)(?:__MACOSX\/|\._)/;

/** A page of a comic. */
export interface ComicPicture extends UnpackedFile {
  readonly kind: PictureKind;
}

/**
 * The pictures of a comic archive, zip or RAR whatever it is called, in the order in which they are read: by their
 * whole names, runs of digits by value, else character by character. Their kinds are those of their first bytes. Throws
 * ARCHIVE_UNSAFE.
 */
export async function comicPictures(path: string, folder: string, signal: AbortSignal): Promise<ComicPicture[]> {
  const unpack = (await isRar(path)) ? unpackRar : unpackZip;
  const files = await unpack(path, folder, {
    field: 'fileInput',
    signal,
    wanted: (name) => PICTURE.test(name) && !RESOURCE_FORK.test(name),
  });
  files.sort((a, b) => naturally(a.name, b.name));
  const pictures: ComicPicture[] = [];
  for (const file of files) pictures.push({ ...file, kind: await kindOf(file) });
  return pictures;
}

/** Orders names as a person would. */
export function naturally(a: string, b: string): number {
  const [left, right] = [a.split(/(\d+)/), b.split(/(\d+)/)];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const [x, y] = [left[i] ?? '', right[i] ?? ''];
    if (x === y) continue;
    // Odd parts are runs of digits: the longer one without its leading zeros is the larger number.
    if (i % 2 === 0) return x < y ? -1 : 1;
    const [m, n] = [x.replace(/^0+/, ''), y.replace(/^0+/, '')];
    if (m.length !== n.length) return m.length - n.length;
    if (m !== n) return m < n ? -1 : 1;
    return x.length - y.length;
  }
  return left.length - right.length;
}

async function kindOf({ path }: UnpackedFile): Promise<PictureKind> {
  const head = await fileHead(path, 12);
  const hex = head.toString('hex');
  if (hex.startsWith('ffd8ff')) return 'jpeg';
  if (hex.startsWith('47494638')) return 'gif';
  if (hex.startsWith('424d')) return 'bmp';
  return head.subarray(8).toString('latin1') === 'WEBP' ? 'webp' : 'png';
}
