/** Where the client runs: what Node and a browser do differently. */
export interface Platform {
  /** An environment variable; undefined where there are none. */
  env(name: string): string | undefined;
  /** The address that is used if none is given. */
  readonly defaultUrl: string;
  /** Opens a file by its path, without reading it yet. Rejects in a browser. */
  open(path: string): Promise<{ readonly name: string; readonly blob: Blob }>;
  /** Saves a file and resolves to its path. In a browser it is downloaded under that name. */
  save(target: string, name: string, body: ReadableStream<Uint8Array>): Promise<string>;
}
