import type { Link } from '../model.js';
import type { PlacedLink } from '../page-content.js';
import type { PageFrame } from './frame.js';
import type { Scratch } from './scratch.js';

const MAX_LINKS = 20_000;
/** Actions (ISO 32000-1, 12.6.4) as PDFium numbers them. */
const GO_TO = 1;
const URI = 3;

/** Reads the links of an open page with the areas they have: that of each quad, or of the rectangle. */
export function readLinks(scratch: Scratch, document: number, page: number, frame: PageFrame): PlacedLink[] {
  const { pdfium, at } = scratch;
  const links: PlacedLink[] = [];
  scratch.words[0] = 0;
  // The position and the link lie before what the other calls write.
  let position = 0;
  while (links.length < MAX_LINKS) {
    scratch.words[0] = position;
    if (!pdfium.FPDFLink_Enumerate(page, at, at + 4)) break;
    const next = scratch.words[0] ?? 0;
    const handle = (scratch.words[1] ?? 0) >>> 0;
    if (next <= position) break;
    position = next;
    const link = targetOf(scratch, document, handle);
    if (link === undefined) continue;
    const quads = Math.min(1000, pdfium.FPDFLink_CountQuadPoints(handle));
    let placed = false;
    for (let i = 0; i < quads; i++) {
      if (!pdfium.FPDFLink_GetQuadPoints(handle, i, at)) continue;
      const [x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0, x4 = 0, y4 = 0] = scratch.floats;
      placed =
        add(
          links,
          link,
          frame,
          Math.min(x1, x2, x3, x4),
          Math.min(y1, y2, y3, y4),
          Math.max(x1, x2, x3, x4),
          Math.max(y1, y2, y3, y4),
        ) || placed;
    }
    if (placed || !pdfium.FPDFLink_GetAnnotRect(handle, at)) continue;
    const [left = 0, top = 0, right = 0, bottom = 0] = scratch.floats;
    add(links, link, frame, left, bottom, right, top);
  }
  return links;
}

function add(
  links: PlacedLink[],
  link: Link,
  frame: PageFrame,
  left: number,
  bottom: number,
  right: number,
  top: number,
): boolean {
  const box = frame.seen(frame.box(left, bottom, right, top));
  if (box === undefined || box.right - box.left < 0.5 || box.bottom - box.top < 0.5) return false;
  links.push({ box, link });
  return true;
}

function targetOf(scratch: Scratch, document: number, handle: number): Link | undefined {
  const { pdfium } = scratch;
  const page = pageOf(scratch, document, pdfium.FPDFLink_GetDest(document, handle));
  if (page !== undefined) return { page };
  const action = pdfium.FPDFLink_GetAction(handle);
  if (action === 0) return undefined;
  const type = pdfium.FPDFAction_GetType(action);
  if (type === URI) {
    const uri = scratch.text((at, size) => pdfium.FPDFAction_GetURIPath(document, action, at, size), 'utf-8').trim();
    return uri === '' ? undefined : { uri };
  }
  const led = type === GO_TO ? pageOf(scratch, document, pdfium.FPDFAction_GetDest(document, action)) : undefined;
  return led === undefined ? undefined : { page: led };
}

function pageOf({ pdfium }: Scratch, document: number, destination: number): number | undefined {
  const index = destination === 0 ? -1 : pdfium.FPDFDest_GetDestPageIndex(document, destination);
  return index < 0 ? undefined : index + 1;
}
