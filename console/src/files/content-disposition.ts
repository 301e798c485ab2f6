/** Returns the file name of a Content-Disposition header (RFC 6266); the encoded form takes precedence. */
export function fileNameOf(header: string | null): string | undefined {
  if (header === null) return undefined;
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1];
  if (encoded !== undefined) {
    try {
      return decodeURIComponent(encoded);
    } catch {
      // Not encoded as it should be: the other form.
    }
  }
  return /filename="((?:[^"\\]|\\.)*)"/i.exec(header)?.[1]?.replaceAll(/\\(.)/g, '$1');
}
