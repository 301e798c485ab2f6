// Bidirectional controls, zero-width characters and line separators can make a name look like another one.
const INVISIBLE = /[\p{Cc}\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;
const LONGEST = 120;

/**
 * The name of an edited document: of what the caller asks for, else of its title; no folders, no controls, nothing that
 * a file system refuses.
 */
export function resultName(asked: unknown, title: string | null): string {
  for (const wanted of [typeof asked === 'string' ? asked : '', title ?? '']) {
    const last = wanted.normalize('NFC').split(/[/\\]/).pop() ?? '';
    const base = last
      .replace(INVISIBLE, '')
      .replace(/[<>:"|?*]/g, '_')
      .trim()
      .replace(/\.pdf$/i, '')
      .replace(/^\.+|\.+$/g, '')
      .trim();
    if (base !== '') return `${[...base].slice(0, LONGEST).join('')}.pdf`;
  }
  return 'document.pdf';
}
