import sanitizeHtml, { type Attributes, type Tag } from 'sanitize-html';
import { allowedAttributes, allowedTags } from '../clean-html.js';
import { cleanStyleAttribute, cleanStyleSheet, type StyleRules } from '../clean-styles.js';
import type { MailAttachment } from './mail.js';

/** A body that can be shown, and the attachments that it shows. */
export interface CleanBody {
  readonly html: string;
  /** Style of the body, confined to the element with this class. */
  readonly style: string;
  readonly shown: ReadonlySet<MailAttachment>;
}

/** Class of the element that holds the body. */
export const BODY_CLASS = 'mail-body';

/** Pictures that browsers show. */
const picture = /^image\/(?:png|jpeg|jpg|pjpeg|gif|webp|bmp|x-ms-bmp|svg\+xml|avif|x-icon)$/;
/** An image that is shown several times is inlined as often. */
const MAX_INLINE = 40 * 1024 * 1024;

/**
 * Cleans the HTML of a mail: scripts, forms and frames go, and everything that would be fetched; pictures of the mail
 * itself (RFC 2392, RFC 2557) become part of the page, for others stands what they are called. Boxes stay in the flow
 * of text.
 */
export function cleanMail(html: string, attachments: readonly MailAttachment[]): CleanBody {
  const files = new Map<string, MailAttachment>();
  for (const attachment of attachments) {
    if (!picture.test(attachment.mediaType)) continue;
    for (const key of [
      attachment.contentId === undefined ? '' : `cid:${attachment.contentId.toLowerCase()}`,
      attachment.location ?? '',
    ])
      if (key !== '' && !files.has(key)) files.set(key, attachment);
  }
  const shown = new Set<MailAttachment>();
  const uris = new Map<MailAttachment, string>();
  let inlined = 0;
  const uriOf = (reference: string): string | undefined => {
    if (/^data:image\/(?!svg)[a-z+.-]+[;,]/i.test(reference)) return reference;
    const file = files.get(/^cid:/i.test(reference) ? `cid:${decode(reference.slice(4)).toLowerCase()}` : reference);
    if (file === undefined || (inlined += file.content.length) > MAX_INLINE) return undefined;
    shown.add(file);
    const uri = uris.get(file) ?? `data:${file.mediaType};base64,${Buffer.from(file.content).toString('base64')}`;
    uris.set(file, uri);
    return uri;
  };
  const rules: StyleRules = { url: uriOf, flowOnly: true };
  const sheets: string[] = [];
  // Outlook's conditional content is removed first; its style is meant for Outlook alone.
  const body = withoutParts(
    withoutParts(html, /<!--\[if/gi, /<!\[endif\]-->/gi),
    /<style\b/gi,
    /<\/style\b[^>]{0,100}>/gi,
    (part) => {
      sheets.push(cleanStyleSheet(part.slice(part.indexOf('>') + 1), `.${BODY_CLASS}`, rules));
    },
  );
  const clean = sanitizeHtml(body, {
    allowedTags: [...allowedTags].filter((tag) => !['html', 'head', 'title', 'body'].includes(tag)),
    nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'title'],
    parseStyleAttributes: false,
    allowedAttributes: {
      ...Object.fromEntries(Object.entries(allowedAttributes).map(([tag, names]) => [tag, [...names]])),
      img: ['src', 'alt', 'width', 'height', 'border', 'hspace', 'vspace'],
      table: ['border', 'cellpadding', 'cellspacing', 'rules', 'frame'],
    },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['data'] },
    allowedSchemesAppliedToAttributes: ['href', 'src'],
    allowProtocolRelative: false,
    nestingLimit: 200,
    transformTags: { '*': (tagName, attributes) => cleanElement(tagName, attributes, rules, uriOf) },
  });
  // The cleaner puts no text into elements of its own.
  const worded = clean.replace(
    /<span class="mail-absent" title="([^"<]*)"><\/span>/g,
    '<span class="mail-absent">$1</span>',
  );
  return { html: worded, style: sheets.join('\n'), shown };
}

/**
 * Removes every part between two marks in one pass; `found` gets each part without its closing mark. An unclosed part
 * extends to the end of the text.
 */
function withoutParts(
  text: string,
  open: RegExp,
  close: RegExp,
  found: (part: string) => void = () => undefined,
): string {
  const out: string[] = [];
  let at = 0;
  for (let match = open.exec(text); match !== null; match = open.exec(text)) {
    close.lastIndex = match.index;
    const end = close.exec(text);
    out.push(text.slice(at, match.index));
    found(text.slice(match.index, end?.index ?? text.length));
    at = end === null ? text.length : close.lastIndex;
    if (end === null) break;
    open.lastIndex = at;
  }
  return out.join('') + text.slice(at);
}

function cleanElement(
  tagName: string,
  attributes: Attributes,
  rules: StyleRules,
  uriOf: (reference: string) => string | undefined,
): Tag {
  const kept: Attributes = { ...attributes };
  const background = kept['background'] === undefined ? undefined : uriOf(kept['background'].trim());
  const style = [
    cleanStyleAttribute(kept['style'] ?? '', rules),
    background === undefined ? '' : `background-image: url("${background}")`,
  ]
    .filter((each) => each !== '')
    .join('; ');
  if (style === '') delete kept['style'];
  else kept['style'] = style;
  // Links within the page would meet names of our own.
  if (kept['id'] !== undefined) kept['id'] = `mail-${kept['id']}`;
  if (kept['name'] !== undefined) kept['name'] = `mail-${kept['name']}`;
  if (tagName === 'a' && kept['href']?.startsWith('#') === true) kept['href'] = `#mail-${kept['href'].slice(1)}`;
  if (tagName === 'body') return { tagName: 'div', attribs: kept };
  if (tagName !== 'img') return { tagName, attribs: kept };
  const source = uriOf((kept['src'] ?? '').trim());
  if (source !== undefined) return { tagName, attribs: { ...kept, src: source } };
  const words = (kept['alt'] ?? '').trim();
  const tiny = [kept['width'], kept['height']].some((size) => size !== undefined && Number.parseInt(size, 10) <= 3);
  // Tracking pixels have neither an alternative text nor a size.
  return tiny || words === ''
    ? { tagName: 'span', attribs: {} }
    : { tagName: 'span', attribs: { class: 'mail-absent', title: words } };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
