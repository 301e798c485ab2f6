const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** The entities that XML predefines (XML 1.0, 4.6). */
const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Escapes text for content and for attribute values in double quotes, of XML and HTML. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

/** Replaces character references and predefined entities; others stay as they are (XML 1.0, 4.1). */
export function unescapeXml(text: string): string {
  return text.replace(
    /&(?:#[xX]([\da-fA-F]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/g,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return CHARACTERS[name] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
