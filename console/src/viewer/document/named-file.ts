/** A PDF with its file name, and its password where that is known. */
export interface NamedFile {
  readonly file: Blob;
  readonly name: string;
  readonly password?: string | undefined;
  /** Leads to the field that has its password. Without it, views of a locked file ask for the password themselves. */
  readonly onLocked?: (() => void) | undefined;
}
