/** A private key of a keystore, still sealed. */
export interface KeystoreEntry {
  readonly alias: string;
  /** DER of the certificates that may be its own, the likeliest first, and those of its chain. */
  readonly certificates: readonly Uint8Array[];
  /**
   * PrivateKeyInfo in DER (RFC 5958); undefined when the password does not open it. Throws Unreadable for what cannot
   * be opened.
   */
  unseal(): Promise<Uint8Array | undefined>;
}

/** A keystore whose password was right. */
export interface OpenedKeystore {
  readonly entries: readonly KeystoreEntry[];
  /** DER of all certificates in it. */
  readonly certificates: readonly Uint8Array[];
}
