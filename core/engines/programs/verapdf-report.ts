import type { StandardCheck, StandardFailure, StandardsReport } from '@quire/registry';

/** The program's result for one document: a report, or why it could not read the document. */
export type VeraPdfAnswer = StandardsReport | { readonly unreadable: string; readonly encrypted: boolean };

/** A report has at most some hundred rules of a few hundred bytes each, and of each one place. */
export const LONGEST_REPORT = 8 * 1024 * 1024;
/** Flavour 0: what the document declares. */
export const veraPdfOptions: readonly string[] =
  '--format json --flavour 0 --maxfailuresdisplayed 1 --loglevel 0 --nonpdfext'.split(' ');
/** Texts quote the document (names of fonts, values of XMP), which may be as long as they like. */
const LONGEST_TEXT = 1000;
/**
 * The profile that is checked where a document declares nothing, and the rules that report this: no XMP, no
 * identification schema in it (ISO 19005-1, 6.7.2 and 6.7.11).
 */
const DEFAULT_STANDARD = '1b';
const UNDECLARED = ['6.7.2-1', '6.7.11-1'];

/**
 * Reads the JSON report over one document that `veraPDF --format json` prints; undefined when it is none. A broken rule
 * is one failure, however many places break it: the first place is reported, and their number.
 */
export function readVeraPdfReport(stdout: string): VeraPdfAnswer | undefined {
  const job = list(at(at(parsed(stdout), 'report'), 'jobs'))[0];
  if (job === undefined) return undefined;
  const exception = at(job, 'taskException');
  if (exception !== undefined) {
    // The cause, behind what it was the cause of.
    const why =
      short(text(at(exception, 'exceptionMessage')) ?? text(at(exception, 'exception')) ?? 'it gave no reason')
        .split(/(?:^Exception|caused by exception): /)
        .at(-1) ?? '';
    if (text(at(exception, 'type')) === 'PARSE') return { unreadable: why, encrypted: /encrypted/i.test(why) };
    return { declaresPdfA: false, checks: [], crash: why };
  }
  // Before 1.28 it checked one standard, the result of which stands by itself.
  const found = at(job, 'validationResult');
  const results = Array.isArray(found) || found === undefined ? list(found) : [found];
  if (results.length === 0) return undefined;
  const checks = results.map(checkOf);
  const undeclared = checks.find(
    ({ standard, failures }) =>
      standard === DEFAULT_STANDARD && failures.some(({ ruleId }) => UNDECLARED.includes(ruleId ?? '')),
  );
  const declared = checks.filter((check) => check !== undeclared);
  return {
    declaresPdfA: declared.some(({ name }) => isPdfA(name)),
    checks: [...declared.filter(({ name }) => isPdfA(name)), ...declared.filter(({ name }) => !isPdfA(name))],
  };
}

const isPdfA = (name: string): boolean => name.startsWith('PDF/A-');

function checkOf(result: unknown): StandardCheck {
  const profileName = text(at(result, 'profileName')) ?? 'unknown profile';
  const name = profileName.replace(/ validation profile$/, '');
  const ended = text(at(result, 'jobEndStatus')) ?? 'normal';
  const failures = list(at(at(result, 'details'), 'ruleSummaries'))
    .filter((rule) => text(at(rule, 'ruleStatus')) === 'FAILED')
    .map(failureOf)
    .sort(byClause);
  const compliant = at(result, 'compliant') === true && failures.length === 0 && ended === 'normal';
  if (!compliant && (failures.length === 0 || ended !== 'normal'))
    failures.push({ ...nowhere, message: `the check did not come to its end (${short(ended)})` });
  return { standard: standardId(name), name, profileName, compliant, failures };
}

const nowhere = { ruleId: null, location: null, specification: null, clause: null, testNumber: null } as const;

function failureOf(rule: unknown): StandardFailure {
  const [clause, number, count] = [text(at(rule, 'clause')) ?? null, at(rule, 'testNumber'), at(rule, 'failedChecks')];
  const testNumber = typeof number === 'number' || typeof number === 'string' ? String(number) : null;
  const first = list(at(rule, 'checks'))[0];
  const message = short(text(at(first, 'errorMessage')) ?? text(at(rule, 'description')) ?? 'a rule is broken');
  return {
    ruleId: clause === null || testNumber === null ? clause : `${clause}-${testNumber}`,
    message: typeof count === 'number' && count > 1 ? `${message} (${count} places, the first is given)` : message,
    location: short(text(at(first, 'context'))) ?? null,
    specification: text(at(rule, 'specification')) ?? null,
    clause,
    testNumber,
  };
}

/** `1b`, `4f`, `ua1`, `wt1a`: what the program calls its profiles. */
function standardId(name: string): string {
  const [, pdfA, ua, wt, use = ''] = /^(?:PDF\/A-(\d[A-Za-z]?)|PDF\/UA-(\d)|WTPDF (\d)\.\d ([AR])?)/.exec(name) ?? [];
  if (pdfA !== undefined) return pdfA.toLowerCase();
  if (ua !== undefined) return `ua${ua}`;
  return wt === undefined ? name.toLowerCase().replace(/[^a-z0-9]+/g, '-') : `wt${wt}${use.toLowerCase()}`;
}

/** The order of rules in a report differs from run to run. */
function byClause(a: StandardFailure, b: StandardFailure): number {
  const [of, than] = [`${a.specification} ${a.ruleId}`, `${b.specification} ${b.ruleId}`];
  return of.localeCompare(than, 'en', { numeric: true });
}

function short(value: string): string;
function short(value: string | undefined): string | undefined;
function short(value: string | undefined): string | undefined {
  return value === undefined || value.length <= LONGEST_TEXT ? value : `${value.slice(0, LONGEST_TEXT)}…`;
}

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};
const at = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
