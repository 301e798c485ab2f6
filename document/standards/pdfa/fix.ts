import { srgbProfile } from '../../images/icc/index.js';
import type { OpenedPdf } from '../../file/open/index.js';
import { hasSignatures, removeSignatures } from '../../signatures/fields/index.js';
import { claimPdfA } from './claim.js';
import { embedStandardFonts, fixEmbeddedFonts } from './embed-fonts.js';
import type { PdfAGoal } from './goal.js';
import { fixAnnotations } from './fix-annotations.js';
import { fixActions, fixCatalog, setOutputIntent, fixLayers } from './fix-catalog.js';
import { fixFiles } from './fix-files.js';
import { dropGroups, fixObjects, usesJpeg2000, usesTransparency } from './fix-objects.js';

/** Numbers of parts that a document lost in the conversion to PDF/A. */
export interface Losses {
  readonly actions: number;
  readonly annotations: number;
  readonly files: number;
  readonly signatures: number;
}

export interface FixResult extends Losses {
  /** Reasons why the document cannot become PDF/A of that part in place; empty when none are known. */
  readonly obstacles: readonly string[];
  /** Fonts without an available program, used or not. */
  readonly missingFonts: readonly string[];
}

/** The producer in metadata: the library does not know its host. */
export const PRODUCER = 'Quire';

/**
 * Converts an opened document to PDF/A of this part and level as far as possible without redrawing pages, in place:
 * output intent, XMP, fonts that viewers have, appearances of fields, actions, layers and files as the part allows.
 * Tags, bookmarks, links, fields, labels and layers stay. Afterwards the document claims to be PDF/A, which the caller
 * must validate. Write it with `stamp: false`.
 */
export async function fixForPdfA(
  opened: OpenedPdf,
  goal: PdfAGoal,
  now: Date,
  signal?: AbortSignal,
): Promise<FixResult> {
  const {
    document: { context },
    pages,
  } = opened;
  const signatures = hasSignatures(context) ? removeSignatures(context, pages) : 0;
  const actions = fixActions(opened, goal.part);
  const annotations = await fixAnnotations(opened, goal.part, signal);
  fixCatalog(opened, goal.part);
  const files = fixFiles(opened, goal.part);
  const obstacles: string[] = [];
  if (!fixLayers(context, goal.part)) obstacles.push('hidden layers');
  const { missing } = await embedStandardFonts(context);
  signal?.throwIfAborted();
  fixEmbeddedFonts(context, goal.part);
  fixObjects(opened);
  if (goal.part === 1) {
    if (usesJpeg2000(context)) obstacles.push('JPEG 2000 images');
    if (usesTransparency(context)) obstacles.push('transparency');
    else dropGroups(context);
  }
  setOutputIntent(context, srgbProfile());
  claimPdfA(context, goal, PRODUCER, now);
  return { actions, annotations, files, signatures, obstacles, missingFonts: missing };
}
