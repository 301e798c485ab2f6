/** A file that servers share, as a listing gives it. */
export interface SharedFile {
  /** Name without its folder. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970, by the clock of the server that wrote it. */
  readonly time: number;
}

/**
 * Small files (at most 16 MiB) that a server keeps for itself and its users, and that all servers on one store share:
 * by their path below the base folder, as `configs/server-certificate.p12`; folders are told apart without regard to
 * case. They lie in the store, encrypted with the servers' secret. Of the server alone. Every method rejects with
 * STORE_DOWN or STORAGE_FULL.
 */
export interface SharedFiles {
  /** False for a server with a store of its own: its files lie in its base folder, and nothing is to be kept here. */
  readonly shared: boolean;
  /** The files right in a folder, by name. */
  list(folder: string): Promise<readonly SharedFile[]>;
  read(path: string): Promise<Uint8Array | undefined>;
  /** Puts a file there, whole or not at all, in place of what has this path. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** Puts a file there when there is none; false when there is one, also one of another server at the same moment. */
  create(path: string, bytes: Uint8Array): Promise<boolean>;
  /** False when there was none. */
  remove(path: string): Promise<boolean>;
}
