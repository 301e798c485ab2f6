/**
 * The file name that a Content-Disposition gives (RFC 6266, 4.3; RFC 8187): the extended form wins. Undefined where it
 * gives none; not cleaned.
 */
export function dispositionName(header: string | undefined): string | undefined {
  if (header === undefined || header.length > 4000) return undefined;
  const extended = /filename\*\s*=\s*([\w-]+)'[\w-]*'([^;\s]+)/i.exec(header);
  if (extended !== null) {
    try {
      if (/^utf-8$/i.test(extended[1] ?? '')) return decodeURIComponent(extended[2] ?? '');
    } catch {
      // Not encoded as it says; the plain form may do.
    }
  }
  const quoted = /filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(header)?.[1]?.replace(/\\(.)/g, '$1');
  const name = quoted ?? /filename\s*=\s*([^;\s"]+)/i.exec(header)?.[1];
  // Headers are bytes; most servers write UTF-8 in them.
  return name === undefined || name === ''
    ? undefined
    : Buffer.from(name, 'latin1').toString('utf8').includes('\ufffd')
      ? name
      : Buffer.from(name, 'latin1').toString('utf8');
}
