import type { RunContext } from '@quire/registry';

/** Warns that a result is empty, or nearly, because the document has no text. */
export function warnOfNoText(ctx: Pick<RunContext, 'warn'>): void {
  ctx.warn('The document has no text. If its pages are scans, recognise the text on them first with misc/ocr-pdf.');
}
