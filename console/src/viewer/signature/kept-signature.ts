import { user } from '../../api/index.ts';

/** Larger ones would take much of what browsers give to a site (5 MB), and fail anyway. */
const MOST_BYTES = 1024 * 1024;
const PREFIX = 'data:image/png;base64,';

/** Of the account: several people may use a browser. */
function place(): string {
  const name = user.value?.username;
  return name === undefined ? 'quire.signature' : `quire.signature.${name}`;
}

/** The signature that somebody asked to keep in this browser. */
export function keptSignature(): Blob | undefined {
  try {
    const text = localStorage.getItem(place());
    if (text === null || !text.startsWith(PREFIX)) return undefined;
    const bytes = Uint8Array.from(atob(text.slice(PREFIX.length)), (each) => each.charCodeAt(0));
    return new Blob([bytes], { type: 'image/png' });
  } catch {
    return undefined;
  }
}

/** Keeps a signature in this browser; returns whether there was room for it. */
export async function keepSignature(png: Blob): Promise<boolean> {
  if (png.size > MOST_BYTES) return false;
  const bytes = new Uint8Array(await png.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  try {
    localStorage.setItem(place(), PREFIX + btoa(text));
    return true;
  } catch {
    return false;
  }
}

export function forgetSignature(): void {
  localStorage.removeItem(place());
}
