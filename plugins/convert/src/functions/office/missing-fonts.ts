/** Scripts of Unicode, by the names under which people look for their fonts. */
const scripts: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Japanese', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['Chinese or Japanese', /\p{Script=Han}/u],
  ['Korean', /\p{Script=Hangul}/u],
  ...[
    'Arabic Hebrew Thai Lao Khmer Myanmar Tibetan Devanagari Bengali Gurmukhi Gujarati Tamil Telugu Kannada',
    'Malayalam Sinhala Armenian Georgian Ethiopic Mongolian Syriac Thaana Cherokee Javanese Greek Cyrillic Latin',
  ]
    .flatMap((line) => line.split(' '))
    .map((name) => [name, new RegExp(`\\p{Script=${name}}`, 'u')] as const),
  ['Odia', /\p{Script=Oriya}/u],
  ['emoji', /\p{Extended_Pictographic}/u],
  ['symbols', /\p{S}/u],
];

/** The warning about characters that are printed as empty boxes; undefined if there are none. */
export function missingFontsWarning(characters: readonly string[]): string | undefined {
  if (characters.length === 0) return undefined;
  const found = new Map<string, string>();
  for (const character of characters) {
    const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
    const name = scripts.find(([, pattern]) => pattern.test(character))?.[0] ?? 'other scripts';
    if (!found.has(name)) found.set(name, code);
  }
  const named = [...found].map(([name, code]) => `${name} (such as ${code})`).join(', ');
  return (
    `No font of the server has some characters of the document, which are printed as empty boxes: ${named}. Install ` +
    'fonts for them on the server, for example with "sudo sh deploy/install-programs.sh --with-fonts".'
  );
}
