declare module 'bidi-js' {
  /** Embedding levels of a text, one per UTF-16 unit (UAX 9). */
  export interface EmbeddingLevels {
    readonly levels: Uint8Array;
    /** Paragraphs with the level of their base direction: even from the left, odd from the right. */
    readonly paragraphs: readonly { readonly start: number; readonly end: number; readonly level: number }[];
  }
  export interface Bidi {
    getEmbeddingLevels(text: string, direction?: 'ltr' | 'rtl' | 'auto'): EmbeddingLevels;
    getMirroredCharactersMap(text: string, levels: Uint8Array): Map<number, string>;
  }
  export default function createBidi(): Bidi;
}
