/**
 * Constants of BM25 as they are usually set: how soon more of a word counts no more, and how much long pages are held
 * back.
 */
const [K1, B] = [1.2, 0.75];
/** Words from this length on also count by their beginning, so that inflected forms are found. */
const INFLECTED = 6;
const STEM = 5;

/** Words of a question that count; each is compared with every page. */
const MOST_TERMS = 400;

/**
 * Ranks texts by what a question asks for (Okapi BM25, without a model): indexes of those that share a word with it,
 * the best first.
 */
export function rankTexts(texts: readonly string[], question: string): number[] {
  const wanted = new Set([...termsOf(question)].slice(0, MOST_TERMS));
  const counts = texts.map((text) => {
    const found = new Map<string, number>();
    let length = 0;
    for (const term of termsOf(text)) {
      length++;
      if (wanted.has(term)) found.set(term, (found.get(term) ?? 0) + 1);
    }
    return { found, length };
  });
  const average = counts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length);
  const rarity = new Map(
    [...wanted].map((term) => {
      const holding = counts.filter(({ found }) => found.has(term)).length;
      return [term, Math.log(1 + (texts.length - holding + 0.5) / (holding + 0.5)) * (term.endsWith('*') ? 0.5 : 1)];
    }),
  );
  const scores = counts.map(({ found, length }) =>
    [...found].reduce(
      (sum, [term, count]) =>
        sum +
        ((rarity.get(term) ?? 0) * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / Math.max(1, average))),
      0,
    ),
  );
  return scores
    .map((score, index) => ({ score, index }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .map(({ index }) => index);
}

/** Words in one form; of scripts without blanks each pair of signs. */
function* termsOf(text: string): Generator<string> {
  for (const [word] of text
    .normalize('NFKC')
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}]+/gu)) {
    if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word)) {
      const signs = [...word];
      for (let i = 0; i < Math.max(1, signs.length - 1); i++) yield signs.slice(i, i + 2).join('');
      continue;
    }
    yield word;
    if (word.length >= INFLECTED) yield `${word.slice(0, STEM)}*`;
  }
}
