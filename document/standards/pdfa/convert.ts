import { DocumentError } from '../../errors.js';
import { editFile, guardDocument, type OpenedPdf, withPdf, writePdf } from '../../file/open/index.js';
import { drawOrPicture, type ImagesInstead } from '../../engines/rendering/index.js';
import { withdrawClaims } from '../../structure/metadata/index.js';
import { claimsGoal, claimsPdfA, goalName, type PdfAGoal } from './goal.js';
import { type Losses, type FixResult, fixForPdfA } from './fix.js';
import { prepareForPdfA } from './prepare.js';
import { takeDrawnPages, writeBarePages } from './redraw-pages.js';
import { restoreParts } from './restore-parts.js';

export interface PdfACheck {
  readonly compliant: boolean;
  /** Violated rules, each as a sentence with its clause. */
  readonly broken: readonly string[];
}

/** The programs that a conversion uses. */
export interface PdfAEngines {
  /**
   * Redraws the pages of `input`, which needs no password, as PDF/A of that part, level B, into `output`. Rejects when
   * it fails; with PROGRAM_MISSING when no program is installed.
   */
  draw(part: PdfAGoal['part'], input: string, output: string): Promise<void>;
  /** Validates a file against the PDF/A that it claims; undefined where no validator is available. */
  check(path: string, goal: PdfAGoal): Promise<PdfACheck | undefined>;
}

export interface PdfAOptions {
  /** An empty folder. */
  readonly folder: string;
  readonly now: Date;
  /** Throws when full compliance cannot be reached. */
  readonly strict: boolean;
  readonly signal?: AbortSignal;
  /** Called with the number of methods that were tried. */
  readonly progress?: (done: number, total: number) => void;
}

/**
 * How a result was made: `kept` unchanged; `repaired` repaired in place; `pages` redrawn by the program, all else kept;
 * the `whole` document redrawn by the program, with lost parts restored as far as possible; `images`: the same, with
 * each page as one image, because the program fails on the document. Reports contain these values.
 */
export type PdfAWay = 'kept' | 'repaired' | 'pages' | 'whole' | 'images';

export interface PdfAResult extends Losses {
  /** The result; the source itself when it was kept. */
  readonly path: string;
  readonly way: PdfAWay;
  /** False where no validator was available. */
  readonly checked: boolean;
  /** The standard that the result claims (`2b`); undefined when it claims none, because the claim would be false. */
  readonly claims: string | undefined;
  readonly broken: readonly string[];
  /** Present when the pages became images. */
  readonly images?: ImagesInstead;
}

interface Candidate {
  readonly path: string;
  readonly way: PdfAWay;
  readonly losses: Losses;
  readonly check: PdfACheck | undefined;
  /** True when a violated rule is already known, so that validating is useless. */
  readonly hopeless: boolean;
  /** True when the program that redrew it declared success. */
  readonly vouched?: boolean;
  readonly images?: ImagesInstead;
}

const WAYS = 3;
const nothing: Losses = { actions: 0, annotations: 0, files: 0, signatures: 0 };

/**
 * Converts a document to PDF/A: unchanged if it is compliant already, repaired in place, with redrawn pages, or redrawn
 * as a whole (from images of its pages where the program fails on them), whichever first satisfies the validator. If
 * none does, the result is the one that violates the fewest rules, without the claim; level U falls back to B first.
 * Without a validator the program's own verdict counts, and only `strict` rejects anything. Throws the errors of
 * `withPdf`; PDFA_IMPOSSIBLE with `strict`; the error of `draw` where nothing else worked; the errors of `check`.
 */
export async function convertToPdfA(
  source: string,
  goal: PdfAGoal,
  engines: PdfAEngines,
  options: PdfAOptions,
): Promise<PdfAResult> {
  const { signal, progress } = options;
  const claimed = await withPdf(
    { path: source },
    { repair: false },
    ({ document: { context }, decrypted }) => !decrypted && claimsGoal(context, goal),
  );
  const before = claimed ? await engines.check(source, goal) : undefined;
  if (before?.compliant === true)
    return { ...nothing, path: source, way: 'kept', checked: true, claims: goalName(goal), broken: [] };
  const tried: Candidate[] = [];
  let failure: unknown;
  for (const [i, way] of [repaired, pagesDrawn, wholeDrawn].entries()) {
    signal?.throwIfAborted();
    progress?.(i, WAYS);
    let candidate: Candidate | undefined;
    try {
      candidate = await way(source, goal, engines, options);
    } catch (error) {
      // When the program fails on this document, another method may still work.
      if (signal?.aborted === true || way === repaired) throw error;
      failure ??= error;
    }
    if (candidate === undefined || candidate.hopeless) continue;
    const check = await engines.check(candidate.path, goal);
    if (check === undefined) {
      // Without a validator only the program that redraws reports whether it succeeded.
      if (way === wholeDrawn) return unchecked(candidate, goal, options);
      continue;
    }
    if (check.compliant) return done(candidate, { checked: true, claims: goalName(goal), broken: [] });
    tried.push({ ...candidate, check });
  }
  const best = tried.reduce<Candidate | undefined>(
    (least, one) => (least === undefined || broken(one) < broken(least) ? one : least),
    undefined,
  );
  if (failure !== undefined && (best === undefined || isMissing(failure))) throw failure;
  if (best === undefined)
    throw new DocumentError('PDFA_IMPOSSIBLE', {
      field: 'fileInput',
      part: goal.part,
      level: goal.level.toLowerCase(),
      detail: 'every method of conversion failed',
    });
  const rules = best.check?.broken ?? [];
  if (options.strict)
    throw new DocumentError(
      'PDFA_IMPOSSIBLE',
      {
        field: 'fileInput',
        part: goal.part,
        level: goal.level.toLowerCase(),
        detail: `the result breaks ${rules.length} rules: ${rules.slice(0, 3).join('; ')}`,
      },
      rules.slice(0, 10).map((detail) => ({ pointer: '/fileInput', detail })),
    );
  // Unreadable text violates only level U.
  if (goal.level === 'U')
    return {
      ...(await convertToPdfA(source, { ...goal, level: 'B' }, engines, { ...options, folder: `${options.folder}/b` })),
      broken: rules,
    };
  return {
    ...done(best, { checked: true, claims: undefined, broken: rules }),
    path: await unclaimed(best, options.folder),
  };
}

const broken = ({ check }: Candidate): number => check?.broken.length ?? Infinity;
const isMissing = (error: unknown): boolean =>
  ['PROGRAM_MISSING', 'QUEUE_FULL', 'TIMEOUT', 'CANCELLED', 'SHUTTING_DOWN'].includes(
    (error as { readonly code?: string }).code ?? '',
  );

function done(
  { path, way, losses, images }: Candidate,
  verdict: Pick<PdfAResult, 'checked' | 'claims' | 'broken'>,
): PdfAResult {
  const { actions, annotations, files, signatures } = losses;
  const result = { path, way, actions, annotations, files, signatures, ...verdict };
  return images === undefined ? result : { ...result, images };
}

async function unchecked(candidate: Candidate, goal: PdfAGoal, { folder }: PdfAOptions): Promise<PdfAResult> {
  const verdict = { checked: false, broken: [] };
  if (candidate.vouched === true) return done(candidate, { ...verdict, claims: goalName(goal) });
  return { ...done(candidate, { ...verdict, claims: undefined }), path: await unclaimed(candidate, folder) };
}

async function unclaimed({ path }: Candidate, folder: string): Promise<string> {
  const bare = `${folder}/unclaimed.pdf`;
  await editFile(path, bare, { mode: 'rewrite', stamp: false }, ({ document: { context } }) =>
    withdrawClaims(context, ['PDF/A']),
  );
  return bare;
}

/** Keeps the document's objects and repairs them. */
async function repaired(
  source: string,
  goal: PdfAGoal,
  _engines: PdfAEngines,
  options: PdfAOptions,
): Promise<Candidate> {
  const path = `${await made(options)}/repaired.pdf`;
  const result = await withPdf({ path: source }, {}, (opened) => fixAndWrite(opened, path, goal, options));
  return { path, way: 'repaired', losses: result, check: undefined, hopeless: result.obstacles.length > 0 };
}

/** Keeps the document's objects, with pages redrawn by the program. */
async function pagesDrawn(
  source: string,
  goal: PdfAGoal,
  { draw }: PdfAEngines,
  options: PdfAOptions,
): Promise<Candidate | undefined> {
  const folder = await made(options);
  const [bare, drawn, path] = [`${folder}/bare.pdf`, `${folder}/drawn.pdf`, `${folder}/pages.pdf`];
  await writeBarePages(source, bare);
  await draw(goal.part, bare, drawn);
  return withPdf({ path: drawn }, {}, (program) =>
    withPdf({ path: source }, {}, async (opened) => {
      if (!takeDrawnPages(opened, program)) return undefined;
      const losses = await fixAndWrite(opened, path, goal, options);
      return { path, way: 'pages', losses, check: undefined, hopeless: false };
    }),
  );
}

/** The whole document redrawn by the program, with lost parts restored. */
async function wholeDrawn(
  source: string,
  goal: PdfAGoal,
  { draw }: PdfAEngines,
  options: PdfAOptions,
): Promise<Candidate> {
  const folder = await made(options);
  const [drawn, path] = [`${folder}/redrawn.pdf`, `${folder}/whole.pdf`];
  const images = await drawOrPicture(
    await prepareForPdfA(source, `${folder}/plain.pdf`),
    `${folder}/images.pdf`,
    (input) => draw(goal.part, input, drawn),
    { signal: options.signal, drawn },
  );
  return withPdf({ path: drawn }, {}, (opened) =>
    withPdf({ path: source }, {}, async (original) => {
      const vouched = claimsPdfA(opened.document.context, goal.part);
      const restored = await restoreParts(original, opened, {
        part: goal.part,
        scratch: folder,
        now: options.now,
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      });
      const losses = await fixAndWrite(opened, path, goal, options);
      return {
        path,
        way: images === undefined ? 'whole' : 'images',
        ...(images === undefined ? {} : { images }),
        losses: {
          ...losses,
          annotations: losses.annotations + restored.annotations,
          files: losses.files + restored.lost.length,
        },
        check: undefined,
        hopeless: false,
        vouched,
      };
    }),
  );
}

async function fixAndWrite(
  opened: OpenedPdf,
  path: string,
  goal: PdfAGoal,
  { now, signal }: PdfAOptions,
): Promise<FixResult> {
  return guardDocument('fileInput', async () => {
    const result = await fixForPdfA(opened, goal, now, signal);
    writePdf(opened, path, {
      mode: 'rewrite',
      stamp: false,
      protection: 'none',
      ...(goal.part === 1 ? { objectStreams: false } : {}),
    });
    return result;
  });
}

async function made({ folder }: PdfAOptions): Promise<string> {
  const { mkdir } = await import('node:fs/promises');
  await mkdir(folder, { recursive: true });
  return folder;
}
