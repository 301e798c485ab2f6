/** Returns the `Content-Disposition` of an attachment (RFC 6266) with an ASCII name and the UTF-8 form (RFC 8187). */
export function contentDisposition(name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^\x20-\x7e]/g, '_')
    .replace(/["\\%;]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

const HEADER_LENGTH = 4096;

/** Returns text as a safe header value: visible ASCII, everything else as JSON escapes. */
export function headerText(text: string, longest = HEADER_LENGTH): string {
  return escapeText(text).slice(0, longest);
}

/**
 * Returns a list for a JSON header value: as many items as fit, and the total as `<name>Count` if some are left out.
 */
export function headerList(
  name: string,
  items: readonly unknown[],
  rest: Readonly<Record<string, unknown>> = {},
): string {
  for (let shown = items.length; ; shown = Math.floor(shown / 2)) {
    const cut = shown < items.length ? { [`${name}Count`]: items.length } : {};
    const text = escapeText(JSON.stringify({ ...rest, [name]: items.slice(0, shown), ...cut }));
    if (text.length <= HEADER_LENGTH || shown === 0) return text;
  }
}

/** Returns text in visible ASCII, everything else as JSON escapes. */
export function escapeText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
