/** What a recognition process is asked to do: read one picture. Paths are absolute. */
export interface RecognitionJob {
  readonly id: number;
  readonly picture: string;
  readonly words: string;
  readonly layer?: string;
  readonly dpi: number;
}

/** What a recognition process is started with. */
export interface RecognitionSetup {
  readonly folder: string;
  readonly languages: readonly string[];
}

/** What it says. */
export type FromRecognition =
  | { readonly kind: 'done'; readonly id: number }
  | { readonly kind: 'failed'; readonly id: number; readonly detail: string };
