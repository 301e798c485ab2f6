/** What a tool is found by. */
export interface Searchable {
  readonly name: string;
  readonly title: string;
  /** The first sentence of the description. */
  readonly summary: string;
  readonly keywords: readonly string[];
  readonly path: string;
}

/**
 * Returns the tools that fit best, best first; those in which no word occurs are left out. A word counts the more, the
 * fewer tools it fits: `page` says little, `rotate` says all.
 */
export function searchTools(
  tools: readonly Searchable[],
  query: string,
  limit: number,
): { readonly name: string; readonly summary: string }[] {
  const entries = tools.map((tool) => ({ tool, fields: fieldsOf(tool), score: 0 }));
  for (const word of [...new Set(wordsOf(query))].slice(0, MOST_WORDS)) {
    const fits = entries.map(({ fields }) => scoreOf(fields, word));
    const found = fits.filter((fit) => fit > 0).length;
    const weight = Math.log((tools.length + 1) / (found + 0.5));
    for (const [at, entry] of entries.entries()) entry.score += weight * (fits[at] ?? 0);
  }
  return entries
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.tool.name < b.tool.name ? -1 : 1))
    .slice(0, limit)
    .map(({ tool: { name, summary } }) => ({ name, summary }));
}

const MOST_WORDS = 20;
/** Shortest beginning that two forms of a word share: `rotation` and `rotate`. */
const LEAST_STEM = 4;
/** Longest ending that is not compared: `ing` of `compressing`. */
const ENDING = 3;

interface Fields {
  readonly weight: number;
  readonly words: readonly string[];
}

function fieldsOf({ name, title, summary, keywords, path }: Searchable): readonly Fields[] {
  return [
    { weight: 3, words: wordsOf(name) },
    { weight: 3, words: wordsOf(keywords.join(' ')) },
    { weight: 2, words: wordsOf(`${title} ${path}`) },
    { weight: 1, words: wordsOf(summary) },
  ];
}

function scoreOf(fields: readonly Fields[], word: string): number {
  return fields.reduce((sum, { weight, words }) => sum + weight * fitOf(words, word), 0);
}

function fitOf(words: readonly string[], word: string): number {
  if (words.includes(word)) return 1;
  if (word.length < LEAST_STEM) return 0;
  const stem = word.slice(0, Math.max(LEAST_STEM, word.length - ENDING));
  return words.some((each) => each.startsWith(stem)) ? 0.6 : 0;
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
