/** What every viewer shows: a file and its name. */
export interface ViewProps {
  readonly blob: Blob;
  readonly name: string;
}
