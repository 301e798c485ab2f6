/**
 * Encrypts what a plugin keeps and nobody may read at rest (AES-256-GCM, NIST SP 800-38D), under a key of the server's
 * own that lies outside the store. Each plugin has its own: what one sealed, no other opens. Of the server alone: it
 * does not reach workers.
 */
export interface Vault {
  /** `purpose` is bound in: what was sealed for one record or use opens for no other. */
  seal(text: string, purpose: string): string;
  /**
   * Throws SERVICE_NOT_SET_UP when it does not open: the server's key is another, or the seal was changed or is for
   * another purpose.
   */
  open(sealed: string, purpose: string): string;
}
