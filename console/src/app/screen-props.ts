/** Parameters of a screen's address, by the names in its path. */
export type Params = Readonly<Record<string, string>>;
export interface ScreenProps {
  readonly params: Params;
}

/** A part of a screen that has an address of its own, as the search shows it. */
export interface Section {
  readonly to: string;
  /** In the language of the page. */
  readonly title: string;
  /** Other words by which it is found, in any language. */
  readonly words: readonly string[];
}
