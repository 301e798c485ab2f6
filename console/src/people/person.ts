/** A user as people see them. */
export interface Person {
  readonly id: number;
  readonly username: string;
  /** Of a login provider: several people may have the same. */
  readonly displayName: string | null;
  /** Null: there is no picture. */
  readonly pictureVersion: string | null;
}

/** The name by which people know somebody. */
export function nameOf({ username, displayName }: Pick<Person, 'username' | 'displayName'>): string {
  return displayName ?? username;
}

/** First letters of the first and the last word; one where letters have no case, as they may join or be words. */
export function initialsOf({ username, displayName }: Pick<Person, 'username' | 'displayName'>): string {
  const words = (displayName ?? '').split(' ').filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const first = firstLetter(words[0] ?? username);
  return words.length < 2 || first === first.toLowerCase() ? first : first + firstLetter(words.at(-1) ?? '');
}

function firstLetter(word: string): string {
  const [letter] = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(word);
  return (letter?.segment ?? '').toUpperCase();
}
