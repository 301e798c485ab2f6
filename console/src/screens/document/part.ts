import type { ComponentType } from 'preact';

/** A change of the document by one operation. */
export interface Change {
  /** What the history calls it, translated: `Bookmarks changed`. */
  readonly title: string;
  /** `category/operation`. */
  readonly operation: string;
  /** Form fields beside the file and its password, which the workbench adds; of several files, all under one name. */
  readonly fields: Readonly<Record<string, string | Blob | readonly Blob[]>>;
}

export interface Applied {
  /** The new version. */
  readonly file: File;
  /** `X-Warnings`, decoded. */
  readonly warnings: readonly string[];
  /** `X-Tool-Report`, parsed; undefined when the operation has none. */
  readonly report: unknown;
}

/** What a part of the workbench gets: the current version, and ways to ask about it and to change it. */
export interface PartProps {
  /** The current version; another object after each change, undo and redo. */
  readonly file: File;
  /** Runs the operation; its result becomes the current version, which undo takes back. Rejects with `Problem`. */
  readonly apply: (change: Change) => Promise<Applied>;
  /** The JSON answer of an operation to the current version; asked once for each version and set of fields. */
  readonly ask: <T>(operation: string, fields?: Readonly<Record<string, string>>) => Promise<T>;
  /** Tells whether the part holds edits that are not applied: leaving it then asks first. */
  readonly setEdited: (edited: boolean) => void;
}

export interface Part {
  readonly id: string;
  /** English; a text of this screen's catalogue. */
  readonly title: string;
  readonly icon: string;
  readonly load: () => Promise<{ readonly Part: ComponentType<PartProps> }>;
}
