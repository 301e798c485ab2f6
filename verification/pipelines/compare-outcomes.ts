import { spawnSync } from 'node:child_process';
import { qpdfComplaint } from '../../document/test/checks/check-pair.js';
import { pictureHashes } from '../../document/test/checks/pictures.js';
import { portraitOf } from '../../document/test/checks/portrait.js';
import { openPdf } from '../../document/file/open/index.js';
import { lostMeaning } from '../meaning/compare-meaning.js';
import type { Outcome } from './send.js';

/** Some files of the corpus keep a reader busy for minutes. */
const bounds = { timeout: 20_000, maxBuffer: 2 ** 28 };
/** Pages that are drawn. */
const MOST_DRAWN = 5;

/** Lists how the outcome of a pipeline differs from that of the same calls one by one; empty when it does not. */
export async function differences(pipeline: Outcome, calls: Outcome): Promise<string[]> {
  for (const outcome of [pipeline, calls])
    if (outcome.status >= 500) return [`server error ${outcome.status} ${outcome.code}`];
  // What the check before a run can know: a step would meet a password.
  if (pipeline.code === 'PIPELINE_INVALID' && calls.status !== 200) return [];
  if (pipeline.status !== calls.status || pipeline.code !== calls.code)
    return [`${pipeline.status} ${pipeline.code} in place of ${calls.status} ${calls.code}`];
  if (pipeline.status !== 200) return [];
  return [...warningsLost(pipeline, calls), ...(await changes(pipeline.bytes, calls.bytes))];
}

/** A pipeline must warn of what the calls warn of; it need not say twice what several of its steps meet. */
function warningsLost(pipeline: Outcome, calls: Outcome): string[] {
  const [said, expected] = [sentences(pipeline.warnings), sentences(calls.warnings)];
  return [
    ...[...expected].filter((warning) => !said.has(warning)).map((warning) => `does not warn: ${warning}`),
    ...[...said].filter((warning) => !expected.has(warning)).map((warning) => `only the pipeline warns: ${warning}`),
  ];
}

const sentences = (warnings: readonly string[]): Set<string> =>
  new Set(warnings.flatMap((warning) => warning.split(/(?<=\.) (?=[A-Z\d])/)));

async function changes(pipeline: Uint8Array, calls: Uint8Array): Promise<string[]> {
  const [a, b] = [await openPdf(pipeline).catch(String), await openPdf(calls).catch(String)];
  if (typeof a === 'string' || typeof b === 'string')
    return typeof a === typeof b ? [] : [`opens: ${typeof a === 'string' ? a : 'yes'}; calls: ${String(b)}`];
  const [before, after] = [portraitOf(b.document.context, b.pages), portraitOf(a.document.context, a.pages)];
  const found = lostMeaning(before, after, { params: {} });
  const pages = Math.min(before.pages, MOST_DRAWN);
  // PDFium takes another font for one without a name when it draws it for the first time.
  await drawing(calls, pages);
  const [drawn, wanted] = [await drawing(pipeline, pages), await drawing(calls, pages)];
  if (drawn !== wanted) found.push('pages look different');
  if (textOf(pipeline) !== textOf(calls)) found.push('text differs');
  const [complaint, others] = [qpdfComplaint(pipeline), qpdfComplaint(calls)];
  if ((complaint === undefined) !== (others === undefined))
    found.push(`qpdf: ${complaint ?? 'nothing'}; calls: ${others ?? 'nothing'}`);
  return found;
}

function drawing(bytes: Uint8Array, pages: number): Promise<string> {
  return pictureHashes(bytes, pages).then(
    (hashes) => hashes.join(),
    () => 'not drawn',
  );
}

function textOf(bytes: Uint8Array): string {
  return spawnSync('pdftotext', ['-q', '-', '-'], { input: bytes, encoding: 'utf8', ...bounds }).stdout;
}
