/** What the three ways of signing have in common. */
export interface PadProps {
  readonly colour: string;
  readonly onPng: (png: Blob | undefined) => void;
}
