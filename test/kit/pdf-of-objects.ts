/**
 * Writes a PDF with a classic cross-reference table (ISO 32000-1, 7.5.4). Objects are numbered from 1; the first is the
 * catalog. Each character is one byte (Latin-1); `trailer` holds more entries of the trailer dictionary.
 */
export function pdfOfObjects(objects: readonly string[], trailer = ''): Buffer<ArrayBuffer> {
  let text = '%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n';
  const offsets = objects.map((object, i) => {
    const offset = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  return Buffer.from(
    `${text}xref\n0 ${size}\n0000000000 65535 f \n${rows}` +
      `trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${text.length}\n%%EOF\n`,
    'latin1',
  );
}
