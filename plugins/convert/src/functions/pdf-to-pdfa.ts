import { mkdir } from 'node:fs/promises';
import { editFile, guardDocument, withPdf, writePdf } from '@quire/document/file/open';
import { drawOrPicture, type ImagesInstead } from '@quire/document/engines/rendering';
import { withdrawClaims } from '@quire/document/structure/metadata';
import {
  checkWith,
  convertToPdfA,
  goalName,
  type PdfACheck,
  type PdfAGoal,
  type StandardsAnswer,
} from '@quire/document/standards/pdfa';
import { checkPdfX, finishPdfX } from '@quire/document/standards/pdfx';
import { OperationalError } from '@quire/registry/errors';

/** The programs that a conversion may use. */
export interface PdfAPrograms {
  readonly draw: (part: 1 | 2 | 3, input: string, output: string) => Promise<void>;
  readonly validate: (path: string) => Promise<StandardsAnswer>;
}

/** How one runs. */
export interface PdfAJob {
  readonly folder: string;
  readonly now: Date;
  readonly strict: boolean;
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
}

export interface Conversion {
  readonly path: string;
  readonly facts: Readonly<Record<string, string | number | boolean>>;
  /** Present when the program fails on the document, so that its pages became images. */
  readonly images?: ImagesInstead;
}

/**
 * Converts a PDF to PDF/A. Throws the codes of `convertToPdfA`, and PROGRAM_MISSING for the validator with `strict`.
 */
export async function pdfToPdfA(
  source: string,
  goal: PdfAGoal,
  { draw, validate }: PdfAPrograms,
  job: PdfAJob,
): Promise<Conversion> {
  // Without a validator the result is not known to be compliant, which `strict` requires.
  const check = async (path: string, to: PdfAGoal): Promise<PdfACheck | undefined> =>
    (await checkWith(validate, path, to)) ??
    (job.strict ? Promise.reject(new OperationalError('PROGRAM_MISSING', { program: 'verapdf' })) : undefined);
  const { path, way, checked, claims, broken, images, actions, annotations, files, signatures } = await convertToPdfA(
    source,
    goal,
    { draw, check },
    job,
  );
  const asked = goalName(goal);
  return {
    path,
    ...(images === undefined ? {} : { images }),
    facts: {
      standard: `PDF/A-${asked}`,
      way,
      checked,
      compliant: checked && claims === asked,
      claims: claims === undefined ? 'nothing' : `PDF/A-${claims}`,
      ...(broken.length === 0
        ? {}
        : { brokenRules: broken.length, broken: broken.slice(0, 3).join('; ').slice(0, 600) }),
      lostActions: actions,
      lostAnnotations: annotations,
      lostFiles: files,
      lostSignatures: signatures,
    },
  };
}

/**
 * Converts a PDF to PDF/X-4; `draw` redraws its pages in RGB. A result that violates a rule checked here gets no claim.
 * Throws the codes of `withPdf`, and rejects like `draw`.
 */
export async function pdfToPdfX(
  source: string,
  name: string,
  draw: (input: string, output: string) => Promise<void>,
  { folder, now, signal, progress }: PdfAJob,
): Promise<Conversion> {
  await mkdir(folder, { recursive: true });
  const [input, drawn, path, bare] = [
    `${folder}/input.pdf`,
    `${folder}/drawn.pdf`,
    `${folder}/x.pdf`,
    `${folder}/unclaimed.pdf`,
  ];
  progress(0, 2);
  await withPdf({ path: source }, {}, (opened) =>
    writePdf(opened, input, { mode: 'rewrite', stamp: false, protection: 'none' }),
  );
  const images = await drawOrPicture(input, `${folder}/images.pdf`, (path) => draw(path, drawn), { signal, drawn });
  progress(1, 2);
  await withPdf({ path: drawn }, {}, (opened) =>
    withPdf({ path: source }, { repair: false }, (original) =>
      guardDocument('fileInput', async () => {
        await finishPdfX(opened, original.document.context, name, now);
        writePdf(opened, path, { mode: 'rewrite', stamp: false, protection: 'none', version: '1.6' });
      }),
    ),
  );
  const broken = await withPdf({ path }, { repair: false }, checkPdfX);
  if (broken.length > 0)
    await editFile(path, bare, { mode: 'rewrite', stamp: false }, ({ document: { context } }) =>
      withdrawClaims(context, ['PDF/X']),
    );
  return {
    path: broken.length > 0 ? bare : path,
    ...(images === undefined ? {} : { images }),
    facts: {
      standard: 'PDF/X-4',
      way: images === undefined ? 'whole' : 'images',
      checked: true,
      compliant: broken.length === 0,
      claims: broken.length === 0 ? 'PDF/X-4' : 'nothing',
      ...(broken.length === 0
        ? {}
        : { brokenRules: broken.length, broken: broken.slice(0, 3).join('; ').slice(0, 600) }),
    },
  };
}
