import { Parser } from 'htmlparser2';
import { bookLimits } from './book.js';

const MAX_TITLE = 500;

export interface Head {
  readonly sheets: readonly ({ readonly href: string } | { readonly css: string })[];
  readonly root: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, string>>;
  readonly ids: readonly string[];
  readonly images: readonly string[];
  /** The first heading, otherwise the title. */
  readonly title: string;
  /** How much text there is. */
  readonly letters: number;
}

/** Reads the facts that are needed before a document is cleaned. */
export function readHead(markup: string): Head {
  const [sheets, ids, images]: [({ href: string } | { css: string })[], string[], string[]] = [[], [], []];
  let [root, body]: [Record<string, string>, Record<string, string>] = [{}, {}];
  let css: string | undefined;
  let letters = 0;
  const titles: Record<'title' | 'heading', string> = { title: '', heading: '' };
  let naming: { readonly name: string; readonly kind: 'title' | 'heading' } | undefined;
  const parser = new Parser(
    {
      onopentag(name, attribs) {
        const id = attribs['id'] ?? (name === 'a' ? attribs['name'] : undefined);
        if (id !== undefined && ids.length < bookLimits.entries * 10) ids.push(id);
        if (name === 'html') root = attribs;
        else if (name === 'body') body = attribs;
        else if (
          name === 'link' &&
          /\bstylesheet\b/i.test(attribs['rel'] ?? '') &&
          !/\balternate\b/i.test(attribs['rel'] ?? '')
        )
          sheets.push({ href: attribs['href'] ?? '' });
        else if (name === 'style') css = '';
        else if (/^(?:title|h[1-3])$/.test(name)) naming ??= namingOf(name, titles);
        else if (name === 'img' || name === 'image')
          images.push(attribs['src'] ?? attribs['xlink:href'] ?? attribs['href'] ?? '');
      },
      ontext(text) {
        if (css !== undefined) css += text;
        else letters += text.trim().length;
        if (naming !== undefined && titles[naming.kind].length < MAX_TITLE) titles[naming.kind] += text;
      },
      onclosetag(name) {
        if (name === naming?.name) naming = undefined;
        if (name !== 'style' || css === undefined) return;
        sheets.push({ css });
        css = undefined;
      },
    },
    { recognizeSelfClosing: true, recognizeCDATA: true },
  );
  parser.write(markup);
  parser.end();
  const title =
    [titles.heading, titles.title]
      .map((each) => each.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE))
      .find((each) => each !== '') ?? '';
  return { sheets, root, body, ids, images, title, letters };
}

function namingOf(
  name: string,
  titles: Readonly<Record<'title' | 'heading', string>>,
): { name: string; kind: 'title' | 'heading' } | undefined {
  const kind = name === 'title' ? 'title' : 'heading';
  return titles[kind].trim() === '' ? { name, kind } : undefined;
}
