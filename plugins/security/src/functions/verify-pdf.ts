import { guardDocument, withPdf } from '@quire/document/file/open';
import { mayDeclareStandards, readClaims } from '@quire/document/structure/metadata';

/** A broken rule: `clause` and `testNumber` of `specification`, and its first place in the document. */
export interface StandardIssue {
  readonly ruleId: string | null;
  readonly message: string;
  readonly location: string | null;
  readonly specification: string | null;
  readonly clause: string | null;
  readonly testNumber: string | null;
}

/**
 * What the validator found (the token `standardsValidator`); with `crash` it broke down over the document, and there
 * are no checks.
 */
export interface ValidatorReport {
  readonly declaresPdfA: boolean;
  readonly checks: readonly {
    readonly standard: string;
    readonly name: string;
    readonly profileName: string;
    readonly compliant: boolean;
    readonly failures: readonly StandardIssue[];
  }[];
  readonly crash?: string;
}

/**
 * How a document stands against one standard, in the shape of the contract (`docs/interface/security.yml`, verify-pdf).
 */
export interface VerifiedStandard {
  /** `1b`, `2u`, `4f`, `ua1`, `wt1a` …, or `not-pdfa`. */
  readonly standard: string;
  readonly standardName: string;
  readonly validationProfile: string | null;
  readonly validationProfileName: string | null;
  readonly complianceSummary: string;
  readonly declaredPdfa: boolean;
  readonly compliant: boolean;
  readonly totalFailures: number;
  readonly totalWarnings: number;
  readonly failures: readonly StandardIssue[];
  readonly warnings: readonly StandardIssue[];
}

/** What an item is made of. */
type Verdict = Pick<VerifiedStandard, 'standard' | 'compliant' | 'failures'> & {
  readonly name: string;
  readonly profile: string | null;
  readonly profileName: string | null;
};

/**
 * Checks a document against the standards that its XMP declares: one item for each, PDF/A first; without a declaration
 * of PDF/A the first item says so. `validate` is asked only where the document may declare one. Errors: those of
 * `withPdf` and of `validate`.
 */
export async function verifyPdf(
  path: string,
  validate: (path: string) => Promise<ValidatorReport>,
): Promise<VerifiedStandard[]> {
  const claims = await withPdf({ path }, { repair: false }, ({ document: { context } }) =>
    guardDocument('fileInput', () => (mayDeclareStandards(context) ? readClaims(context) : undefined)),
  );
  if (claims === undefined) return itemsOf(false, []);
  const { declaresPdfA, checks, crash } = await validate(path);
  if (crash === undefined)
    return itemsOf(
      declaresPdfA,
      checks.map((check) => ({ ...check, profile: check.standard })),
    );
  // What our own reader finds in the XMP is then all that is known of what it declares.
  return itemsOf(
    claims.has('PDF/A'),
    [...claims].flatMap(([standard, claim]) => claimedVerdict(standard, claim, crash)),
  );
}

function itemsOf(declaredPdfa: boolean, verdicts: readonly Verdict[]): VerifiedStandard[] {
  return [
    ...(declaredPdfa ? [] : [itemOf(notPdfA, 'Not PDF/A: the document does not declare it', false)]),
    ...verdicts.map((verdict) =>
      itemOf(verdict, `${verdict.name} ${verdict.compliant ? 'compliant' : 'with errors'}`, declaredPdfa),
    ),
  ];
}

function itemOf(
  { standard, profile, profileName, compliant, failures }: Verdict,
  text: string,
  declaredPdfa: boolean,
): VerifiedStandard {
  return {
    standard,
    standardName: text,
    validationProfile: profile,
    validationProfileName: profileName,
    complianceSummary: text,
    declaredPdfa,
    compliant,
    totalFailures: failures.length,
    totalWarnings: 0,
    failures: failures.map(({ ruleId, message, location, specification, clause, testNumber }) => ({
      ruleId,
      message,
      location,
      specification,
      clause,
      testNumber,
    })),
    warnings: [],
  };
}

const nowhere = { ruleId: null, location: null, clause: null, testNumber: null } as const;

const notPdfA: Verdict = {
  standard: 'not-pdfa',
  name: '',
  profile: null,
  profileName: null,
  compliant: false,
  failures: [{ ...nowhere, message: 'The XMP metadata has no PDF/A identification', specification: 'XMP pdfaid' }],
};

/**
 * The item of a standard whose check broke down, from what the document's own words are (`2|B|`: part, level,
 * revision).
 */
function claimedVerdict(standard: string, claim: string, crash: string): Verdict[] {
  const [part = '', level = ''] = claim.split('|');
  const named: Readonly<Record<string, readonly [id: string, name: string]>> = {
    'PDF/A': [`${part}${level}`.toLowerCase(), `PDF/A-${part}${level.toLowerCase()}`],
    'PDF/UA': [`ua${part}`, `PDF/UA-${part}`],
    WTPDF: ['wtpdf', 'WTPDF'],
  };
  const [id, name] = named[standard] ?? [];
  if (id === undefined || name === undefined) return [];
  return [
    {
      standard: id,
      name,
      profile: id,
      profileName: null,
      compliant: false,
      failures: [{ ...nowhere, message: `The check broke down: ${crash}`, specification: null }],
    },
  ];
}
