import { Parser } from 'htmlparser2';
import { bookLimits } from './book.js';

/** What the root elements of a document say. */
export interface Head {
  readonly sheets: readonly ({ readonly href: string } | { readonly css: string })[];
  readonly root: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, string>>;
  readonly ids: readonly string[];
  readonly images: readonly string[];
  /** How much text there is. */
  readonly letters: number;
}

/** What has to be known of a document before it is cleaned. */
export function readHead(markup: string): Head {
  const [sheets, ids, images]: [({ href: string } | { css: string })[], string[], string[]] = [[], [], []];
  let [root, body]: [Record<string, string>, Record<string, string>] = [{}, {}];
  let css: string | undefined;
  let letters = 0;
  const parser = new Parser({
    onopentag(name, attribs) {
      const id = attribs['id'] ?? (name === 'a' ? attribs['name'] : undefined);
      if (id !== undefined && ids.length < bookLimits.entries * 10) ids.push(id);
      if (name === 'html') root = attribs;
      else if (name === 'body') body = attribs;
      else if (name === 'link' && /\bstylesheet\b/i.test(attribs['rel'] ?? '') && !/\balternate\b/i.test(attribs['rel'] ?? '')) sheets.push({ href: attribs['href'] ?? '' });
      else if (name === 'style') css = '';
      else if (name === 'img' || name === 'image') images.push(attribs['src'] ?? attribs['xlink:href'] ?? attribs['href'] ?? '');
    },
    ontext(text) {
      if (css !== undefined) css += text;
      else letters += text.trim().length;
    },
    onclosetag(name) {
      if (name !== 'style' || css === undefined) return;
      sheets.push({ css });
      css = undefined;
    },
  }, { recognizeSelfClosing: true, recognizeCDATA: true });
  parser.write(markup);
  parser.end();
  return { sheets, root, body, ids, images, letters };
}
