import { decodeWindows1252 } from '@quire/document/file/charsets';
import sanitizeHtml from 'sanitize-html';

/** Allowed elements: formatting, blocks, links, tables and images (`docs/interface/convert.yml`, common rules). */
export const allowedTags: readonly string[] = [
  'html',
  'head',
  'title',
  'body',
  'address',
  'article',
  'aside',
  'footer',
  'header',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'hgroup',
  'main',
  'nav',
  'section',
  'blockquote',
  'dd',
  'div',
  'dl',
  'dt',
  'figcaption',
  'figure',
  'hr',
  'li',
  'ol',
  'p',
  'pre',
  'ul',
  'a',
  'abbr',
  'b',
  'bdi',
  'bdo',
  'big',
  'br',
  'cite',
  'code',
  'del',
  'dfn',
  'em',
  'font',
  'i',
  'ins',
  'kbd',
  'mark',
  'q',
  'rb',
  'rp',
  'rt',
  'rtc',
  'ruby',
  's',
  'samp',
  'small',
  'span',
  'strike',
  'strong',
  'sub',
  'sup',
  'time',
  'tt',
  'u',
  'var',
  'wbr',
  'caption',
  'col',
  'colgroup',
  'table',
  'tbody',
  'td',
  'tfoot',
  'th',
  'thead',
  'tr',
  'img',
  'center',
];

/** Attributes that stay, by tag. */
export const allowedAttributes: Readonly<Record<string, readonly string[]>> = {
  '*': ['style', 'class', 'id', 'dir', 'lang', 'title', 'align', 'valign', 'width', 'height', 'bgcolor', 'color'],
  a: ['href', 'name'],
  img: ['src', 'alt'],
  td: ['colspan', 'rowspan', 'nowrap'],
  th: ['colspan', 'rowspan', 'scope', 'nowrap'],
  table: ['border', 'cellpadding', 'cellspacing'],
  col: ['span'],
  colgroup: ['span'],
  ol: ['start', 'type', 'reversed'],
  li: ['value'],
  font: ['face', 'size'],
};

/** A style that can fetch something or run something is dropped whole. */
const reaches = /url\s*\(|@import|expression\s*\(|image-set\s*\(|\\/i;

/**
 * Cleans HTML before a renderer sees it: scripts, forms, frames, page style sheets and everything that would fetch from
 * elsewhere or read a local file go; pictures stay when they carry their own bytes (`data:`).
 */
export function cleanHtml(bytes: Uint8Array): Uint8Array {
  const html = sanitizeHtml(decodeHtml(bytes), {
    allowedTags: [...allowedTags],
    allowedAttributes: Object.fromEntries(Object.entries(allowedAttributes).map(([tag, names]) => [tag, [...names]])),
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['data'] },
    allowedSchemesAppliedToAttributes: ['href', 'src'],
    allowProtocolRelative: false,
    transformTags: {
      '*': (tagName, attributes) => {
        const kept = { ...attributes };
        if (kept['style'] !== undefined && reaches.test(kept['style'])) delete kept['style'];
        // A path without a scheme would be read from the server's own disk.
        if (tagName === 'img' && !/^data:image\//i.test(kept['src'] ?? '')) delete kept['src'];
        return { tagName, attribs: kept };
      },
    },
  });
  return new TextEncoder().encode(`<!doctype html>\n<meta charset="utf-8">\n${html}`);
}

/**
 * Text in the page's own encoding: byte order mark, then `<meta charset>`, then UTF-8, then windows-1252 (WHATWG HTML,
 * 13.2.3).
 */
export function decodeHtml(bytes: Uint8Array): string {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 2048));
  const named = head.startsWith('\u00ff\u00fe')
    ? 'utf-16le'
    : head.startsWith('\u00fe\u00ff')
      ? 'utf-16be'
      : /<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w.:-]{2,40})/i.exec(head)?.[1];
  for (const [encoding, fatal] of [
    [named ?? 'utf-8', named === undefined],
    ['windows-1252', false],
  ] as const) {
    try {
      const decoder = new TextDecoder(encoding, { fatal });
      return decoder.encoding === 'windows-1252' ? decodeWindows1252(bytes) : decoder.decode(bytes);
    } catch {
      continue;
    }
  }
  return head;
}
