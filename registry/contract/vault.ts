/**
 * Encrypts data that a plugin stores (AES-256-GCM, NIST SP 800-38D), with a key of the server that is kept outside the
 * store. Each plugin has its own vault: one plugin cannot open what another sealed. Available in the server only.
 */
export interface Vault {
  /** `purpose` is authenticated: data sealed for one record or use opens for no other. */
  seal(text: string, purpose: string): string;
  /**
   * Throws SERVICE_NOT_SET_UP when it does not open: the server's key changed, the data was modified, or it was sealed
   * for another purpose.
   */
  open(sealed: string, purpose: string): string;
}
