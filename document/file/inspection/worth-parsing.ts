/**
 * False for input that would send a forgiving parser astray: no header in the first 1024 bytes (ISO 32000-1, Annex H.3,
 * note 13), or a cross-reference section that claims more entries than the file can hold, for which libpdf would
 * allocate memory.
 */
export function isWorthParsing(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!buffer.subarray(0, 1024 + 5).includes('%PDF-')) return false;
  for (let at = buffer.indexOf('xref'); at >= 0; at = buffer.indexOf('xref', at + 4)) {
    const claim = /^xref\s+\d+\s+(\d+)/.exec(buffer.toString('latin1', at, at + 60))?.[1];
    if (claim !== undefined && Number(claim) > bytes.length) return false;
  }
  return true;
}
