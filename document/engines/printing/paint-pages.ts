import { type Colour, fillColour, PageContent, precise } from '../../content/drawing/index.js';
import type { OpenedPdf } from '../../file/open/index.js';
import { pageBox } from '../../structure/pages/index.js';

/**
 * Fills the background of every page with a colour, under its content, in place. It is an artifact, so tagged documents
 * exclude it from reading (ISO 32000-1, 14.8.2.2).
 */
export function paintPages({ document: { context }, pages }: OpenedPdf, colour: Colour): void {
  const content = new PageContent(context);
  for (const page of pages) {
    const [left, bottom, right, top] = pageBox(context, page);
    content.surround(page, {
      under:
        `/Artifact BMC q ${fillColour(colour)} ` +
        `${[left, bottom, right - left, top - bottom].map(precise).join(' ')} re f Q EMC`,
    });
  }
}
