/** Languages of labels, in the order in which a `Label` gives them. */
export const languages = ['de', 'en', 'fr'] as const;
/** One of `languages`. */
export type Language = (typeof languages)[number];

/** One text in German, English and French. */
export type Label = readonly [de: string, en: string, fr: string];

/** The text of a label in one language. */
export function inLanguage(label: Label, language: Language): string {
  return label[languages.indexOf(language)] ?? label[1];
}
