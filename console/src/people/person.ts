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

/** The first letters of the first and the last word; of a user name its first letter. */
export function initialsOf({ username, displayName }: Pick<Person, 'username' | 'displayName'>): string {
  const words = (displayName ?? '').split(' ').filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const [first = username, last] = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return [first, ...(last === undefined ? [] : [last])].map(firstLetter).join('');
}

function firstLetter(word: string): string {
  const [letter] = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(word);
  return (letter?.segment ?? '').toLocaleUpperCase();
}
