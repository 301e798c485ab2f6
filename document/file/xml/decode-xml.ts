import { decodeWindows1252 } from '../charsets/index.js';

/** Creates the error for an XML document that cannot be trusted. */
export type Refuse = (detail: string) => Error;

/** The root element of a part must begin within this many bytes. */
const PROLOGUE = 64 * 1024;

/**
 * Decodes XML by its own encoding (XML 1.0, 4.3.3 and appendix F), which is named UTF-8 afterwards, and removes its
 * document type. Entities give access to files and to exponential growth, and no office format needs them (ECMA-376-2,
 * 8.2.5.2): a document type with declarations is rejected, and so are encodings that hide text.
 */
export function decodeXml(data: Buffer, refuse: Refuse): string {
  const text = decodeXmlText(data, refuse);
  const head = text.slice(0, PROLOGUE);
  const [prologue = ''] = /^(?:\s+|\uFEFF|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!DOCTYPE[^>[]*>)*/i.exec(head) ?? [];
  if (/^<!/.test(text.slice(prologue.length))) throw refuse('an XML part has a document type with declarations');
  if (!/^<[^\s!?]/.test(text.slice(prologue.length, prologue.length + 2)))
    throw refuse('an XML part has no root element');
  return (
    prologue.replace(/<!DOCTYPE[^>[]*>/i, '').replace(/^(\s*<\?xml\b[^>]*?\bencoding\s*=\s*["'])[^"']*/i, '$1UTF-8') +
    text.slice(prologue.length)
  );
}

/** Decodes XML by its own encoding (XML 1.0, 4.3.3 and appendix F); a document type stays in the text. */
export function decodeXmlText(data: Buffer, refuse: Refuse): string {
  if (data[0] === 0xff && data[1] === 0xfe) return new TextDecoder('utf-16le').decode(data);
  if (data[0] === 0xfe && data[1] === 0xff) return new TextDecoder('utf-16be').decode(data);
  if (data[0] === 0x3c && data[1] === 0) return new TextDecoder('utf-16le').decode(data);
  if (data[0] === 0 && data[1] === 0x3c) return new TextDecoder('utf-16be').decode(data);
  const [, label = 'utf-8'] =
    /^(?:\u00ef\u00bb\u00bf)?\s*<\?xml\b[^>]{0,200}?\bencoding\s*=\s*["']([^"'<>]{1,40})["']/.exec(
      data.toString('latin1', 0, 400),
    ) ?? [];
  try {
    const decoder = new TextDecoder(label);
    // A declaration that was readable byte by byte cannot be in UTF-16 or UTF-32.
    return decoder.encoding.startsWith('utf-16')
      ? data.toString('utf8')
      : decoder.encoding === 'windows-1252'
        ? decodeWindows1252(data)
        : decoder.decode(data);
  } catch {
    throw refuse('an XML part is in an unknown encoding');
  }
}
