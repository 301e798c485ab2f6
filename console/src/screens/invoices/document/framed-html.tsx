import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { WantedText } from '../../../viewer/index.ts';
import { isGiven } from '../answers.ts';

interface FramedHtmlProps {
  /** A whole document with its styles in itself. */
  readonly html: string;
  readonly title: string;
  /** A value to show in it; each new object is sought again. */
  readonly wanted: WantedText | undefined;
  readonly onWanted: (found: boolean) => void;
}

/** Marks the value that is sought. The paper of the frame is white in both themes. */
const FOUND = '[data-found] { outline: 2px solid #4f46e5; outline-offset: 3px; background: #eeedfe; }';

/**
 * HTML that the server has made of somebody's data, in a frame in which nothing runs. The policy of the page allows no
 * inline style, in frames neither: the styles of the document are given to the frame as a sheet.
 */
export function FramedHtml({ html, title, wanted, onWanted }: FramedHtmlProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [loaded, setLoaded] = useState(0);
  const { content, styles } = useMemo(() => partsOf(html), [html]);
  useEffect(() => {
    const shown = frame.current?.contentDocument;
    const own = frame.current?.contentWindow as (Window & typeof globalThis) | null | undefined;
    if (loaded === 0 || !isGiven(shown) || !isGiven(own)) return;
    const sheet = new own.CSSStyleSheet();
    sheet.replaceSync(`${styles}\n${FOUND}`);
    shown.adoptedStyleSheets = [sheet];
  }, [styles, loaded]);
  useEffect(() => {
    const shown = frame.current?.contentDocument;
    if (loaded === 0 || !isGiven(shown)) return;
    for (const element of shown.querySelectorAll('[data-found]')) element.removeAttribute('data-found');
    if (wanted === undefined) return;
    const found = elementWith(shown, wanted.forms);
    found?.setAttribute('data-found', '');
    found?.scrollIntoView({ block: 'center' });
    onWanted(found !== undefined);
  }, [wanted, loaded]);
  return (
    // Same origin only so that the page reaches in; without `allow-scripts` nothing reaches out.
    <iframe
      class="framed-html"
      ref={frame}
      sandbox="allow-same-origin"
      title={title}
      srcdoc={content}
      onLoad={() => setLoaded(loaded + 1)}
    />
  );
}

/** The innermost element whose text has one of these forms, the most likely form first. */
function elementWith({ body }: Document, forms: readonly string[]): Element | undefined {
  for (const form of forms) {
    const words = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT);
    for (let node = words.nextNode(); node !== null; node = words.nextNode())
      if (hasWord(node.nodeValue ?? '', form)) return node.parentElement ?? undefined;
  }
  return undefined;
}

/** Whether a text has this one, not as a part of a longer number or word. Spaces of all kinds are the same. */
function hasWord(text: string, word: string): boolean {
  const [whole, part] = [text, word].map((each) => each.replaceAll(/\s+/g, ' ').trim()) as [string, string];
  const at = part === '' ? -1 : whole.indexOf(part);
  return at >= 0 && !/[\p{L}\p{N}]/u.test(`${whole[at - 1] ?? ''}${whole[at + part.length] ?? ''}`);
}

/**
 * A document without what does not belong into a frame, and its styles. Nothing of it is loaded or run here; the styles
 * are taken out before it is parsed, because a parsed document has the policy of the page.
 */
function partsOf(html: string): { readonly content: string; readonly styles: string } {
  const sheets: string[] = [];
  const bare = html.replaceAll(/<style[^>]*>([\s\S]*?)<\/style>/gi, (_, sheet: string) => {
    sheets.push(sheet);
    return '';
  });
  const parsed = new DOMParser().parseFromString(bare, 'text/html');
  const unwanted = 'script, link, meta[http-equiv], base, iframe, frame, object, embed, form';
  for (const element of parsed.querySelectorAll(unwanted)) element.remove();
  return { content: `<!doctype html>${parsed.documentElement.outerHTML}`, styles: sheets.join('\n') };
}
