import { createHash } from 'node:crypto';

/**
 * Ids of saved signatures: letters, digits, `_`, `-` and `.`, at most 100; no `..`, and none that would make one with
 * an extension (`docs/interface/signing.yml`; reliability.md, S12).
 */
export const imageId = /^(?!.*\.\.)(?!.*\.$)[A-Za-z0-9._-]{1,100}$/;
/** Names of image files, and what else may be asked for: an id, a dot and an extension. */
export const imageFileName = /^(?!.*\.\.)(?!.*\.$)[A-Za-z0-9._-]{1,105}$/;

/** The folder of what everybody sees. */
export const SHARED_FOLDER = 'ALL_USERS';

/** File extensions of images, with the dot. */
const imageExtension = /\.(?:png|jpe?g)$/i;
/** Names that some systems keep for devices. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
const plainName = /^[A-Za-z0-9!#$&'+=^_~@-][A-Za-z0-9!#$&'+=^_~@.-]*$/;
/** Most systems take 255 bytes. */
const LONGEST = 200;

/**
 * The id that an image file belongs to; undefined when its name is not that of an image, or no id can be made of it.
 */
export function idOfImage(fileName: string): string | undefined {
  const id = fileName.replace(imageExtension, '');
  return id !== fileName && imageId.test(id) ? id : undefined;
}

/**
 * Folder of a user in `customFiles/signatures/`: the name itself if it is a safe file name, as account names are;
 * otherwise percent-encoded, or a digest if that is too long. `%` is not in plain names, so no two users share a
 * folder, and nobody has the shared one.
 */
export function folderOfUser(name: string): string {
  const key = name.trim();
  if (
    key.length <= LONGEST &&
    plainName.test(key) &&
    !key.endsWith('.') &&
    key.toUpperCase() !== SHARED_FOLDER &&
    !device.test(key)
  )
    return key;
  const bytes = Buffer.from(key.toLowerCase(), 'utf8');
  const encoded = [...bytes]
    .map((byte, index) =>
      /[a-z0-9_@-]/.test(String.fromCharCode(byte)) && byte < 128 && index > 0
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('');
  return encoded.length <= LONGEST ? encoded : `%${createHash('sha256').update(bytes).digest('hex')}`;
}

/** Key of a folder that ignores case, as account names do. */
export function folderKey(folder: string): string {
  return folder.toLowerCase();
}
