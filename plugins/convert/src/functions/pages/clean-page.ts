import sanitizeHtml, { type Attributes } from 'sanitize-html';
import { allowedAttributes, allowedTags } from '../clean-html.js';
import { drawing, moreTags, silent } from './page-markup.js';
import { mapStyleAddresses, type MapAddress } from './style-addresses.js';

/** Deeper elements lose their tags and keep their text; browsers draw no deeper ones either. */
const DEEPEST = 500;

export interface CleanPage {
  readonly html: string;
  /** The page's own title, if it has one. */
  readonly title: string | undefined;
}

/**
 * Cleans a page before a browser loads it: removes scripts, event handlers, forms, frames, objects, refreshes and base
 * addresses, and replaces every address of an image, font or style sheet by the result of `map`. Styles, drawings and
 * formulas stay, unlike in the interface's cleaning (docs/internals/adr/0034-printing-html.md). The result declares
 * UTF-8; a page without a doctype stays one.
 */
export function cleanPage(html: string, map: MapAddress): CleanPage {
  const clean = sanitizeHtml(html, {
    allowedTags: [...allowedTags, ...moreTags],
    // Style is not harmful here: its addresses are mapped, and no script runs.
    allowVulnerableTags: true,
    allowedAttributes: {
      ...Object.fromEntries(Object.entries(allowedAttributes).map(([tag, names]) => [tag, [...names]])),
      '*': [
        ...(allowedAttributes['*'] ?? []),
        ...drawing.filter((name) => !/href$/.test(name)),
        'role',
        'aria-*',
        'data-*',
        'background',
        'hidden',
        'open',
        'clear',
        'face',
        'size',
        'cite',
        'datetime',
        'start',
        'media',
        'border',
        'hspace',
        'vspace',
        'cellpadding',
        'cellspacing',
        'rules',
        'frame',
        'noshade',
        'text',
        'link',
        'vlink',
        'compact',
        'span',
      ],
      a: ['href', 'name', 'xlink:href'],
      use: ['href', 'xlink:href'],
      image: ['href', 'xlink:href'],
      linearGradient: ['href', 'xlink:href'],
      radialGradient: ['href', 'xlink:href'],
      pattern: ['href', 'xlink:href'],
      textPath: ['href', 'xlink:href'],
      img: ['src', 'alt', 'srcset', 'sizes'],
      source: ['srcset', 'sizes', 'media', 'type'],
      link: ['rel', 'href', 'media', 'type'],
    },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    // Addresses of resources are judged below; these are links to click.
    allowedSchemesByTag: { img: ['data'], image: ['data'], link: ['data'] },
    allowedSchemesAppliedToAttributes: ['href', 'xlink:href', 'cite'],
    allowProtocolRelative: true,
    nonTextTags: silent,
    nestingLimit: DEEPEST,
    parseStyleAttributes: false,
    transformTags: { '*': (tagName, attributes) => ({ tagName, attribs: cleanAttributes(tagName, attributes, map) }) },
    exclusiveFilter: ({ tag, attribs }) => tag === 'link' && attribs['href'] === undefined,
  });
  const styled = clean.replace(
    /(<style\b[^>]*>)([\s\S]*?)(<\/style>)/gi,
    (_whole, open: string, css: string, close: string) =>
      open + mapStyleAddresses(css.replace(/<!--|-->|<!\[CDATA\[|\]\]>/g, ' '), map) + close,
  );
  const title = /<title\b[^>]*>([^<]*)<\/title>/i.exec(styled.replace(/<svg[\s\S]*?<\/svg>/gi, ''))?.[1]?.trim();
  const head = html.slice(0, 10_000).replace(/<!--[\s\S]*?-->/g, '');
  return {
    html:
      `${/^[^<]*(<\?[^>]*>[^<]*)?<!doctype\b/i.test(head) ? '<!doctype html>\n' : ''}<meta ` +
      `charset="utf-8">\n${styled}`,
    title: title === '' ? undefined : title,
  };
}

function cleanAttributes(tag: string, attributes: Attributes, map: MapAddress): Attributes {
  const kept: Attributes = {};
  for (const [name, value] of Object.entries(attributes)) {
    const next = cleanAttribute(tag, name, value, attributes, map);
    if (next !== undefined) kept[name] = next;
  }
  // A printed page cannot be opened further.
  if (tag === 'details') kept['open'] = '';
  return kept;
}

function cleanAttribute(
  tag: string,
  name: string,
  value: string,
  attributes: Attributes,
  map: MapAddress,
): string | undefined {
  if (name === 'style') return mapStyleAddresses(value, map);
  if (name === 'src' || name === 'background') return map(value.trim(), 'picture');
  if (name === 'href' && (tag === 'a' || tag === 'area')) return map(value.trim(), 'link');
  if (name === 'srcset') return mapSourceSet(value, map);
  if (tag === 'link')
    return name !== 'href'
      ? value
      : /(^|\s)stylesheet(\s|$)/i.test(attributes['rel'] ?? '') && !/alternate/i.test(attributes['rel'] ?? '')
        ? map(value.trim(), 'style')
        : undefined;
  if (/href$/.test(name) && tag !== 'a')
    return value.trim().startsWith('#') ? value.trim() : tag === 'image' ? map(value.trim(), 'picture') : undefined;
  // Attributes of drawings may hold references as style does (`fill="url(#a)"`).
  return /url|image|src|\\/i.test(value) && drawing.includes(name) && !/href$/.test(name)
    ? mapStyleAddresses(value, map)
    : value;
}

/** Candidates are split as browsers do it: addresses may hold commas, not end in one (HTML, 4.8.4.3.1). */
function mapSourceSet(set: string, map: MapAddress): string | undefined {
  const found = [...set.matchAll(/([^\s,]\S*[^\s,]|[^\s,])(\s+[\d.]+[wxh])*\s*(?:,|$)/g)].flatMap(
    ([, address = '', size = '']) => {
      const next = map(address, 'picture');
      return next === undefined ? [] : [`${next.replace(/[\s,]/g, encodeURIComponent)}${size}`];
    },
  );
  return found.length === 0 ? undefined : found.join(', ');
}

const NOWHERE = 'http://document.invalid/';

/** Bytes in an address that show something. */
export function isOwnData(address: string): boolean {
  return /^data:(image\/|font\/|text\/css|application\/(x-)?font|application\/octet-stream)/i.test(address.trim());
}

/**
 * Maps addresses of a page whose files are in a folder: files in that folder and data URLs are allowed. Results are
 * relative to that folder; `at` is the page's path in it, with `/`.
 */
export function filesBeside(at: string): MapAddress {
  const base = new URL(at.split('/').map(encodeURIComponent).join('/'), NOWHERE);
  return (address, use) => {
    if (use === 'link' || address.startsWith('#') || isOwnData(address)) return address;
    if (!URL.canParse(address, base)) return undefined;
    const { origin, pathname, hash } = new URL(address, base);
    return origin === base.origin && !/^[\s/\\]*[/\\]{2}/.test(address) ? `.${pathname}${hash}` : undefined;
  };
}
