/** What every viewer shows: a file and its name. */
export interface ViewProps {
  readonly blob: Blob;
  readonly name: string;
  /** The file that it was made of; viewers that can show it beside it do. */
  readonly original?: File | undefined;
  /** The page that is shown first, 0-based. */
  readonly page?: number | undefined;
}
