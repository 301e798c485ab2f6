import { InputError } from '@quire/registry/errors';
import { imageKind, imageShape } from './signature-image-shape.js';

/** Bytes of one image, also of one that was copied in (spec, 8). */
export const MAX_IMAGE_BYTES = 2_000_000;
/** Characters of a data URL (`docs/interface/signing.yml`). */
export const MAX_URL_LENGTH = 4_000_000;
/** Pixels of one image: two megabytes may unpack to far more than a signature has. */
const MAX_IMAGE_PIXELS = 25_000_000;

/** An image from a data URL, checked and re-encoded. */
export interface SignatureImage {
  /** As the URL writes it, without a dot: `jpeg` stays `jpeg`. */
  readonly extension: string;
  readonly bytes: Uint8Array;
}

const url = /^data:image\/([^;,]*)(?:;[^,]*)?,/i;
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** True for a file within the limits that hold for every image. */
export function isWithinLimits(bytes: Uint8Array): boolean {
  const shape = bytes.length > MAX_IMAGE_BYTES ? undefined : imageShape(bytes);
  return shape !== undefined && shape.width * shape.height <= MAX_IMAGE_PIXELS;
}

/**
 * Reads `data:image/<png|jpg|jpeg>;base64,…`: decodes the whole image and re-encodes it in the format of its content.
 * Undefined for a text that is not a `data:image/` URL. Throws, all naming `dataUrl`: INPUT_INVALID for another type,
 * invalid base64, and beyond `MAX_IMAGE_BYTES`; IMAGE_UNREADABLE, IMAGE_TOO_LARGE.
 */
export async function readSignatureImage(dataUrl: string): Promise<SignatureImage | undefined> {
  const [prefix = '', type = ''] = url.exec(dataUrl.slice(0, 200)) ?? [];
  if (prefix === '') {
    if (/^data:image\//i.test(dataUrl)) throw refused('is a data URL without data');
    return undefined;
  }
  const extension = type.toLowerCase();
  if (!['png', 'jpg', 'jpeg'].includes(extension))
    throw refused(`is of the type image/${type.slice(0, 40)}; allowed are image/png, image/jpg and image/jpeg`);
  if (!/;base64,$/i.test(prefix)) throw refused('is not in base64');
  const text = dataUrl.slice(prefix.length);
  if (text.length === 0 || !base64.test(text)) throw refused('has data that is not base64');
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length > MAX_IMAGE_BYTES) throw refused(`holds ${bytes.length} bytes; allowed are ${MAX_IMAGE_BYTES}`);
  const kind = imageKind(bytes);
  if (kind === undefined) throw refused('holds no PNG and no JPEG');
  const { recodePicture } = await import('@quire/document/images');
  return {
    extension,
    bytes: await recodePicture(bytes, kind, {
      field: 'dataUrl',
      maxPixels: MAX_IMAGE_PIXELS,
      maxBytes: MAX_IMAGE_BYTES,
    }),
  };
}

function refused(detail: string): InputError {
  return new InputError('INPUT_INVALID', { detail: `dataUrl ${detail}` }, [{ pointer: '/dataUrl', detail }]);
}
