let withdrawn = false;

/**
 * Notes that a document lost its usage rights (`open/usage-rights.ts`), for the report of the run that wrote it: a
 * process works on one run at a time.
 */
export function noteWithdrawnRights(): void {
  withdrawn = true;
}

/**
 * Whether a document lost usage rights since this was asked last. It lies here, where asking loads no document library.
 */
export function takeWithdrawnRights(): boolean {
  const was = withdrawn;
  withdrawn = false;
  return was;
}
