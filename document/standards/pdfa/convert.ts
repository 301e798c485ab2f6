import { DocumentError } from '../../errors.js';
import { editFile, guardDocument, type OpenedPdf, withPdf, writePdf } from '../../file/open/index.js';
import { withdrawClaims } from '../../structure/metadata/index.js';
import { claimsGoal, claimsPdfA, goalName, type PdfAGoal } from './goal.js';
import { type Losses, type Mended, mendForPdfA } from './mend.js';
import { prepareForPdfA } from './prepare.js';
import { takeDrawnPages, writeBarePages } from './redraw-pages.js';
import { restoreParts } from './restore-parts.js';

/** What a validator found. */
export interface PdfACheck {
  readonly compliant: boolean;
  /** Rules that are broken, each in words with its clause. */
  readonly broken: readonly string[];
}

/** What a conversion leans on. */
export interface PdfAEngines {
  /**
   * Draws the pages of `input`, which needs no password, anew as PDF/A of that part, level B, into `output`. Rejects
   * where it cannot; PROGRAM_MISSING where it is not there.
   */
  draw(part: PdfAGoal['part'], input: string, output: string): Promise<void>;
  /** Holds a file against the PDF/A that it is to be, and claims to be; undefined where no validator is at hand. */
  check(path: string, goal: PdfAGoal): Promise<PdfACheck | undefined>;
}

/** How a conversion runs. */
export interface PdfAOptions {
  /** An empty folder. */
  readonly folder: string;
  readonly now: Date;
  /** Refuses what cannot be had fully compliant. */
  readonly strict: boolean;
  readonly signal?: AbortSignal;
  /** Called with how many of the ways were tried. */
  readonly progress?: (done: number, total: number) => void;
}

/**
 * How a result was made: `kept` as it was; `mended` in place; `pages` drawn anew by the program, all else kept; the
 * `whole` document by the program, with what such programs lose put back as far as it can be.
 */
export type PdfAWay = 'kept' | 'mended' | 'pages' | 'whole';

/** A document on its way to PDF/A. */
export interface PdfAResult extends Losses {
  /** The result; the source itself when it was kept. */
  readonly path: string;
  readonly way: PdfAWay;
  /** False where no validator was at hand. */
  readonly checked: boolean;
  /** What the result claims to be (`2b`); undefined when it claims nothing, because it would not be true. */
  readonly claims: string | undefined;
  readonly broken: readonly string[];
}

interface Candidate {
  readonly path: string;
  readonly way: PdfAWay;
  readonly losses: Losses;
  readonly check: PdfACheck | undefined;
  /** What makes a check idle: it is known that a rule is broken. */
  readonly hopeless: boolean;
  /** Whether the program that drew it claimed that it could do so. */
  readonly vouched?: boolean;
}

const WAYS = 3;
const nothing: Losses = { actions: 0, annotations: 0, files: 0, signatures: 0 };

/**
 * Makes a document PDF/A: as it is if it is so already, in place, with its pages drawn anew, or drawn anew as a whole,
 * whichever first satisfies the validator. Where none does, the result is the one that breaks the fewest rules, without
 * the claim; level U comes down to B first. Without a validator the program's own judgement counts, and nothing is
 * refused but with `strict`. Errors: those of `withPdf`; PDFA_IMPOSSIBLE with `strict`; what `draw` rejects with where
 * nothing else served; what `check` rejects with.
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
  for (const [i, way] of [mended, pagesDrawn, wholeDrawn].entries()) {
    signal?.throwIfAborted();
    progress?.(i, WAYS);
    let candidate: Candidate | undefined;
    try {
      candidate = await way(source, goal, engines, options);
    } catch (error) {
      // A program that fails on this document is no reason to give the document up: another way may serve.
      if (signal?.aborted === true || way === mended) throw error;
      failure ??= error;
    }
    if (candidate === undefined || candidate.hopeless) continue;
    const check = await engines.check(candidate.path, goal);
    if (check === undefined) {
      // Without a validator only the program that draws tells whether it could do what it was asked for.
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
      detail: 'no way to convert it came to an end',
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
  // Text that cannot be read spoils level U alone.
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
  { path, way, losses }: Candidate,
  verdict: Pick<PdfAResult, 'checked' | 'claims' | 'broken'>,
): PdfAResult {
  const { actions, annotations, files, signatures } = losses;
  return { path, way, actions, annotations, files, signatures, ...verdict };
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

/** Its own objects, put right. */
async function mended(source: string, goal: PdfAGoal, _engines: PdfAEngines, options: PdfAOptions): Promise<Candidate> {
  const path = `${await made(options)}/mended.pdf`;
  const result = await withPdf({ path: source }, {}, (opened) => mendAndWrite(opened, path, goal, options));
  return { path, way: 'mended', losses: result, check: undefined, hopeless: result.obstacles.length > 0 };
}

/** Its own objects with pages that a program drew. */
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
      const losses = await mendAndWrite(opened, path, goal, options);
      return { path, way: 'pages', losses, check: undefined, hopeless: false };
    }),
  );
}

/** What a program makes of the whole document, with what it lost. */
async function wholeDrawn(
  source: string,
  goal: PdfAGoal,
  { draw }: PdfAEngines,
  options: PdfAOptions,
): Promise<Candidate> {
  const folder = await made(options);
  const [drawn, path] = [`${folder}/redrawn.pdf`, `${folder}/whole.pdf`];
  await draw(goal.part, await prepareForPdfA(source, `${folder}/plain.pdf`), drawn);
  return withPdf({ path: drawn }, {}, (opened) =>
    withPdf({ path: source }, {}, async (original) => {
      const vouched = claimsPdfA(opened.document.context, goal.part);
      const restored = await restoreParts(original, opened, {
        part: goal.part,
        scratch: folder,
        now: options.now,
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      });
      const losses = await mendAndWrite(opened, path, goal, options);
      return {
        path,
        way: 'whole',
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

async function mendAndWrite(
  opened: OpenedPdf,
  path: string,
  goal: PdfAGoal,
  { now, signal }: PdfAOptions,
): Promise<Mended> {
  return guardDocument('fileInput', async () => {
    const result = await mendForPdfA(opened, goal, now, signal);
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
