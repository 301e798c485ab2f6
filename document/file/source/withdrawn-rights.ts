let withdrawn = false;

/**
 * Records that a document lost its usage rights (`open/usage-rights.ts`), for the report of the run that wrote it. A
 * process works on one run at a time.
 */
export function noteWithdrawnRights(): void {
  withdrawn = true;
}

/** True when a document lost usage rights since the last call. Kept in this file because it loads no PDF library. */
export function takeWithdrawnRights(): boolean {
  const was = withdrawn;
  withdrawn = false;
  return was;
}
