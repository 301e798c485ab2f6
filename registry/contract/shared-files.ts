/** An entry in a list of shared files. */
export interface SharedFile {
  /** Name without its folder. */
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
  /** Modification time in milliseconds since 1970, by the clock of the server that wrote it. */
  readonly time: number;
}

/**
 * Small files (at most 16 MiB) of the server and its users, shared by all servers on one store. Files are addressed by
 * their path in the base folder, such as `configs/server-certificate.p12`; folder names ignore letter case. They are in
 * the store, encrypted with the servers' secret. Available in the server only. Every method rejects with STORE_DOWN or
 * STORAGE_FULL.
 */
export interface SharedFiles {
  /** False for a server with its own store: its files are in its base folder, and nothing must be stored here. */
  readonly shared: boolean;
  /** The files directly in a folder, by name. */
  list(folder: string): Promise<readonly SharedFile[]>;
  read(path: string): Promise<Uint8Array | undefined>;
  /** Writes a file completely or not at all, replacing the one at this path. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** Creates a file if there is none; false when it exists, even if another server creates it at the same moment. */
  create(path: string, bytes: Uint8Array): Promise<boolean>;
  /** Removes a file; false when there was none. */
  remove(path: string): Promise<boolean>;
}
