import sanitizeHtml, { type Attributes, type Tag } from 'sanitize-html';
import { allowedAttributes, allowedTags } from '../clean-html.js';
import { cleanStyleAttribute } from '../clean-styles.js';
import { drawingTags, drawingAttributes, formulaAttributes, formulaTags } from '../markup-names.js';

/** Where the references of a document lead from now on. */
export interface BookReferences {
  /** Address of a picture or font, undefined for what is not in the book. */
  readonly file: (reference: string) => string | undefined;
  /** Address of a link, undefined for one that leads nowhere. */
  readonly link: (reference: string) => string | undefined;
  /** Name of a place in this document. */
  readonly id: (id: string) => string | undefined;
}

const svgTags = [...drawingTags, 'title'];
const mathTags = [...formulaTags, 'menclose', 'none'];

const formula = [
  ...formulaAttributes,
  'form',
  'accentunder',
  'open',
  'close',
  'notation',
  'movablelimits',
  'largeop',
  'symmetric',
  'minsize',
  'maxsize',
  'depth',
  'voffset',
];

const tagSet = [
  ...allowedTags.filter((tag) => !['html', 'head', 'body', 'title'].includes(tag)),
  ...svgTags,
  ...mathTags,
];
const attributeSet = {
  ...Object.fromEntries(Object.entries(allowedAttributes).map(([tag, names]) => [tag, [...names]])),
  '*': [...(allowedAttributes['*'] ?? []), 'xml:lang'],
  ...Object.fromEntries(svgTags.map((tag) => [tag, drawingAttributes])),
  ...Object.fromEntries(mathTags.map((tag) => [tag, formula])),
};

/**
 * Cleans a document of a book before it becomes part of one page: removes scripts, forms, audio, video and style sheets
 * (collected before), rewrites the addresses of images and links with `references`; keeps drawings and formulas.
 * Nothing that is allowed beside HTML can load or run anything.
 */
export function cleanBookMarkup(markup: string, references: BookReferences): string {
  return sanitizeHtml(markup, {
    allowedTags: tagSet,
    nonTextTags: [
      'script',
      'style',
      'textarea',
      'option',
      'noscript',
      'annotation',
      'annotation-xml',
      'epub:case',
      'foreignobject',
      'foreignObject',
    ],
    allowedAttributes: attributeSet,
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['data'], image: ['data'] },
    allowedSchemesAppliedToAttributes: ['href', 'src', 'xlink:href'],
    allowProtocolRelative: false,
    parseStyleAttributes: false,
    nestingLimit: 300,
    parser: { recognizeSelfClosing: true, recognizeCDATA: true },
    transformTags: { '*': (tagName, attributes) => cleanElement(tagName, attributes, references) },
  });
}

function cleanElement(tagName: string, attributes: Attributes, { file, link, id }: BookReferences): Tag {
  const kept: Attributes = {};
  for (const [name, value] of Object.entries(attributes)) {
    // Drawings refer to their own parts by name, and to nothing else.
    if (!/url\s*\(|\\/i.test(value) || name === 'style') kept[name] = value;
    else if (/^\s*url\(\s*["']?#[\w.:-]+["']?\s*\)\s*$/i.test(value))
      kept[name] = value.replace(/#([\w.:-]+)/, (_match, own: string) => `#${id(own) ?? own}`);
  }
  const style = cleanStyleAttribute(kept['style'] ?? '', { url: file });
  if (style === '') delete kept['style'];
  else kept['style'] = style;
  const name = kept['id'] ?? (tagName === 'a' ? kept['name'] : undefined);
  delete kept['name'];
  delete kept['id'];
  const own = name === undefined ? undefined : id(name);
  if (own !== undefined) kept['id'] = own;
  if (kept['xml:lang'] !== undefined) kept['lang'] ??= kept['xml:lang'];
  delete kept['xml:lang'];
  const reference = kept['xlink:href'] ?? kept['href'];
  if (reference !== undefined) {
    delete kept['xlink:href'];
    delete kept['href'];
    const next =
      tagName === 'a'
        ? link(reference)
        : tagName === 'image'
          ? file(reference)
          : reference.startsWith('#')
            ? `#${id(reference.slice(1)) ?? reference.slice(1)}`
            : undefined;
    if (next !== undefined) kept['href'] = next;
  }
  if (tagName !== 'img') return { tagName, attribs: kept };
  const source = file(kept['src'] ?? '');
  delete kept['src'];
  return { tagName, attribs: source === undefined ? kept : { ...kept, src: source } };
}
