/** A task of a recognition process: read one image. Paths are absolute. */
export interface RecognitionJob {
  readonly id: number;
  readonly picture: string;
  readonly words: string;
  readonly layer?: string;
  readonly dpi: number;
}

/** Start parameters of a recognition process. */
export interface RecognitionSetup {
  /** Folder of the language data. */
  readonly folder: string;
  readonly languages: readonly string[];
  /** The files of the language data. */
  readonly data: readonly string[];
}

/** Messages of a recognition process. */
export type FromRecognition =
  | { readonly kind: 'done'; readonly id: number }
  | { readonly kind: 'failed'; readonly id: number; readonly detail: string };
