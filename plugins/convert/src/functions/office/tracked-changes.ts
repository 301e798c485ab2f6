/** LibreOffice prints tracked changes as it shows them. */
export const TRACKED_CHANGES =
  'The document has tracked changes, which are printed: deleted text is struck through and can be copied. Accept or ' +
  'reject the changes first if only the final text should be printed.';

/**
 * True for a part of a text document that marks changes: insertions, deletions and moves of WordprocessingML
 * (ECMA-376-1, 17.13.5), or the changed regions of OpenDocument (OpenDocument 1.3, part 3, 5.5).
 */
export const hasTrackedChanges = (part: string, xml: string): boolean =>
  (/^word\//i.test(part) && /<(?:\w+:)?(?:ins|del|moveFrom|moveTo)\s[^>]*\bauthor=/.test(xml)) ||
  (/^(?:content|styles)\.xml$/i.test(part) && /<(?:\w+:)?changed-region\b/.test(xml));
