import { escapeXml } from '@quire/document/file/xml';
import { LinkifyIt } from 'linkify-it';

/** Quotes within quotes beyond this are shown as one. */
const MAX_QUOTES = 12;
/** Addresses are looked for in this much of a text. */
const MAX_SEARCHED = 4 * 1024 * 1024;

const linkify = new LinkifyIt({ fuzzyEmail: true, fuzzyLink: true });

/**
 * A plain body as HTML: lines as they were broken, quoted ones (`>`) set in, addresses of pages and people as links.
 */
export function textToHtml(text: string): string {
  const out: string[] = [];
  let depth = 0;
  let lines: string[] = [];
  const flush = (): void => {
    if (lines.length > 0) out.push(`<div class="mail-text" dir="auto">${withLinks(lines.join('\n'))}</div>`);
    lines = [];
  };
  for (const line of text.replace(/\r\n?/g, '\n').split('\n')) {
    const quoted = /^(?:> ?)+/.exec(line)?.[0] ?? '';
    const level = Math.min(MAX_QUOTES, quoted.split('>').length - 1);
    if (level !== depth) {
      flush();
      out.push(
        level > depth ? '<blockquote class="mail-quote">'.repeat(level - depth) : '</blockquote>'.repeat(depth - level),
      );
      depth = level;
    }
    lines.push(line.slice(quoted.length));
  }
  flush();
  return out.join('\n') + '</blockquote>'.repeat(depth);
}

function withLinks(text: string): string {
  const matches = text.length > MAX_SEARCHED ? null : linkify.match(text);
  let at = 0;
  let out = '';
  for (const { index, lastIndex, url, schema } of matches ?? []) {
    if (!/^(?:https?:|mailto:|\/\/|ftp:)?$/i.test(schema) || !/^(?:https?|ftp|mailto):/i.test(url)) continue;
    out +=
      `${escapeXml(text.slice(at, index))}<a ` +
      `href="${escapeXml(url)}">${escapeXml(text.slice(index, lastIndex))}</a>`;
    at = lastIndex;
  }
  return out + escapeXml(text.slice(at));
}
