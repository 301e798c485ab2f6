// oxlint-disable-next-line typescript/triple-slash-reference -- tests do not see it otherwise
/// <reference path="./markdown-it-plugins.d.ts" />
import type { LanguageFn } from 'highlight.js';
import { parse } from 'yaml';

/** Markdown as a page. */
export interface MarkdownPage {
  /** Not cleaned yet: Markdown may hold HTML. */
  readonly html: string;
  readonly title: string | undefined;
}

const MAX_METADATA = 64 * 1024;
/** Languages that are coloured; others are printed plain. */
const languages = [
  'bash',
  'c',
  'cpp',
  'csharp',
  'css',
  'diff',
  'go',
  'ini',
  'java',
  'javascript',
  'json',
  'kotlin',
  'makefile',
  'markdown',
  'php',
  'python',
  'ruby',
  'rust',
  'scss',
  'shell',
  'sql',
  'swift',
  'typescript',
  'xml',
  'yaml',
];
/** Longer code is printed plain. */
const MAX_CODE = 200_000;

/**
 * Reads Markdown: CommonMark 0.31 with tables, footnotes, task lists, struck out text and addresses as links; metadata
 * in front gives the title.
 */
export async function markdownPage(text: string, style: string): Promise<MarkdownPage> {
  const [{ default: MarkdownIt }, { default: footnotes }, { default: taskLists }, { default: highlighter }] =
    await Promise.all([
      import('markdown-it'),
      import('markdown-it-footnote'),
      import('markdown-it-task-lists'),
      import('highlight.js/lib/core'),
    ]);
  const { body, title } = splitMetadata(text.replace(/^\uFEFF/, ''));
  const md = new MarkdownIt({
    html: true,
    linkify: true,
    highlight: (code, name) => {
      if (!highlighter.getLanguage(name) || code.length > MAX_CODE) return '';
      return highlighter.highlight(code, { language: name, ignoreIllegals: true }).value;
    },
  })
    .use(footnotes)
    .use(taskLists);
  for (const language of languages) {
    if (!body.includes('```') && !body.includes('~~~')) break;
    const { default: rules } = (await import(`highlight.js/lib/languages/${language}`)) as { default: LanguageFn };
    if (highlighter.getLanguage(language) === undefined) highlighter.registerLanguage(language, rules);
  }
  // The classes that existing style sheets know (contract, markdown/pdf).
  md.renderer.rules['table_open'] = () => '<table class="table table-striped">\n';
  md.core.ruler.push('heading_ids', ({ tokens }) => {
    const used = new Map<string, number>();
    tokens.forEach((token, i) => {
      if (token.type !== 'heading_open') return;
      const base = slug(
        (tokens[i + 1]?.children ?? [])
          .filter(({ type }) => type === 'text' || type === 'code_inline')
          .map(({ content }) => content)
          .join(''),
      );
      const count = used.get(base) ?? 0;
      used.set(base, count + 1);
      token.attrSet('id', count === 0 ? base : `${base}-${count}`);
    });
  });
  return {
    html: `<!doctype html>\n<style>${style}</style>\n<main class="markdown">\n${md.render(body)}</main>\n`,
    title,
  };
}

/** The name by which a heading is linked to: small letters, hyphens for blanks, without punctuation. */
function slug(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replace(/ /g, '-');
}

/** Splits off metadata at the beginning, between lines of three hyphens. */
function splitMetadata(text: string): { readonly body: string; readonly title: string | undefined } {
  const found = /^---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(text.slice(0, MAX_METADATA));
  if (found === null) return { body: text, title: undefined };
  try {
    const values = parse(found[1] ?? '', { maxAliasCount: 10 }) as unknown;
    // A rule, text, and another rule: no metadata.
    if (typeof values !== 'object' || values === null || Array.isArray(values)) return { body: text, title: undefined };
    const { title } = values as { title?: unknown };
    return {
      body: text.slice(found[0].length),
      title: typeof title === 'string' || typeof title === 'number' ? String(title).slice(0, 1000) : undefined,
    };
  } catch {
    return { body: text, title: undefined };
  }
}
