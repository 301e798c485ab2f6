/** The `Content-Disposition` of an attachment (RFC 6266) with an ASCII name and, for every name, the UTF-8 form (RFC 8187). */
export function contentDisposition(name: string): string {
  const ascii = name.normalize('NFKD').replace(/[\u0300-\u036f]/g, '').replace(/[^\x20-\x7e]/g, '_').replace(/["\\%;]/g, '_');
  const encoded = encodeURIComponent(name).replace(/['()*!]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** Any text as a safe header value: visible ASCII, the rest as JSON escapes. */
export function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).slice(0, 4096);
}
