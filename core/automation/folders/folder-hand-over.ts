/** A watched folder of which an automation is to be made. */
export interface FolderHandOver {
  /** Absolute. */
  readonly path: string;
  /** The pipeline file: its name and its text. */
  readonly definition: { readonly file: string; readonly json: string };
  /** Absolute path of the folder that its results go to. */
  readonly results: string;
  /** What becomes of files that were processed. */
  readonly originals: 'keep' | 'delete';
  /**
   * Moves the pipeline file out of the way, so that nothing more is taken from the folder; returns its new path, from
   * where it can be put back. Throws AUTOMATION_CONFLICT, with everything as it was, while runs are open.
   */
  setAside(): Promise<string>;
}
