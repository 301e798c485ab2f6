/** Removes white space of XML (2.3) from both ends. Others, such as a no-break space, are text. */
export function trimXml(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return end - start === text.length ? text : text.slice(start, end);
}

/** Blank, tab, line feed or carriage return. */
function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x9 || code === 0xa || code === 0xd;
}

/** Line ends as every reader of XML sees them (XML 1.0, 2.11). */
export function normaliseLineEnds(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
}
