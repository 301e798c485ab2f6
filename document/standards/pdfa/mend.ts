import { srgbProfile } from '../../images/icc/index.js';
import type { OpenedPdf } from '../../file/open/index.js';
import { hasSignatures, removeSignatures } from '../../signatures/fields/index.js';
import { claimPdfA } from './claim.js';
import { embedStandardFonts, mendEmbeddedFonts } from './embed-fonts.js';
import type { PdfAGoal } from './goal.js';
import { mendAnnotations } from './mend-annotations.js';
import { mendActions, mendCatalog, mendIntents, mendLayers } from './mend-catalog.js';
import { mendFiles } from './mend-files.js';
import { dropGroups, mendObjects, usesJpeg2000, usesTransparency } from './mend-objects.js';

/** What a document lost on its way to PDF/A, in numbers. */
export interface Losses {
  readonly actions: number;
  readonly annotations: number;
  readonly files: number;
  readonly signatures: number;
}

/** What was done in place, and what could not be. */
export interface Mended extends Losses {
  /** Why the document cannot be PDF/A of that part as it is, in words; empty when nothing is known. */
  readonly obstacles: readonly string[];
  /** Fonts for which there is no program, used or not. */
  readonly missingFonts: readonly string[];
}

/** Named as who made the document: the library does not know whom it works for. */
export const PRODUCER = 'Quire';

/**
 * Makes an opened document PDF/A of this part and level as far as its pages need not be drawn anew, in place: output
 * intent, XMP, fonts that viewers have, fields drawn, actions, layers and files as the part takes them. Tags,
 * bookmarks, links, fields, labels and layers stay. It claims to be PDF/A afterwards, rightly or not: the caller
 * checks. Write it without a stamp.
 */
export async function mendForPdfA(opened: OpenedPdf, goal: PdfAGoal, now: Date, signal?: AbortSignal): Promise<Mended> {
  const {
    document: { context },
    pages,
  } = opened;
  const signatures = hasSignatures(context) ? removeSignatures(context, pages) : 0;
  const actions = mendActions(opened, goal.part);
  const annotations = await mendAnnotations(opened, goal.part, signal);
  mendCatalog(opened, goal.part);
  const files = mendFiles(opened, goal.part);
  const obstacles: string[] = [];
  if (!mendLayers(context, goal.part)) obstacles.push('layers that are hidden');
  const { missing } = await embedStandardFonts(context);
  signal?.throwIfAborted();
  mendEmbeddedFonts(context, goal.part);
  mendObjects(opened);
  if (goal.part === 1) {
    if (usesJpeg2000(context)) obstacles.push('pictures in JPEG 2000');
    if (usesTransparency(context)) obstacles.push('transparency');
    else dropGroups(context);
  }
  mendIntents(context, srgbProfile());
  claimPdfA(context, goal, PRODUCER, now);
  return { actions, annotations, files, signatures, obstacles, missingFonts: missing };
}
