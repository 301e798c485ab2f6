/** What a tool is found by. */
export interface Searchable {
  readonly name: string;
  readonly title: string;
  /** The first sentence of the description. */
  readonly summary: string;
  readonly keywords: readonly string[];
  readonly path: string;
}

/** Words that say nothing about what to do. */
const EMPTY: ReadonlySet<string> = new Set(['a', 'an', 'the', 'to', 'of', 'in', 'into', 'for', 'and', 'my', 'from', 'with']);
/** Words that almost every tool is about. */
const COMMON: ReadonlySet<string> = new Set(['pdf', 'pdfs', 'file', 'document']);

/** Returns the tools that fit best, best first; those in which no word occurs are left out. */
export function searchTools(
  tools: readonly Searchable[],
  query: string,
  limit: number,
): { readonly name: string; readonly summary: string }[] {
  const words = [...new Set(wordsOf(query))].filter((word) => !EMPTY.has(word)).slice(0, 20);
  return tools
    .map((tool) => ({ tool, score: words.reduce((sum, word) => sum + scoreOf(tool, word), 0) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.tool.name < b.tool.name ? -1 : 1))
    .slice(0, limit)
    .map(({ tool: { name, summary } }) => ({ name, summary }));
}

function scoreOf({ name, title, summary, keywords, path }: Searchable, word: string): number {
  const weight = COMMON.has(word) ? 0.2 : 1;
  const in_ = (text: string): number => {
    const words = wordsOf(text);
    if (words.includes(word)) return 1;
    return word.length > 2 && words.some((each) => each.startsWith(word) || (each.length > 3 && word.startsWith(each)))
      ? 0.6
      : 0;
  };
  return weight * (4 * in_(name) + 3 * in_(keywords.join(' ')) + 2 * in_(`${title} ${path}`) + in_(summary));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}
