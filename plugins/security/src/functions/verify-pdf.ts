import { guardDocument, withPdf } from '@quire/document/file/open';
import { mayDeclareStandards, readClaims } from '@quire/document/structure/metadata';

/** A broken rule: `clause` and `testNumber` of `specification`, and its first occurrence in the document. */
export interface StandardIssue {
  readonly ruleId: string | null;
  readonly message: string;
  readonly location: string | null;
  readonly specification: string | null;
  readonly clause: string | null;
  readonly testNumber: string | null;
}

/**
 * Result of the validator (the token `standardsValidator`); with `crash` it failed on the document and there are no
 * checks.
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
 * How a document compares with one standard, in the format of the contract (`docs/interface/security.yml`, verify-pdf).
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

/** The data for one item. */
type Verdict = Pick<VerifiedStandard, 'standard' | 'compliant' | 'failures'> & {
  readonly name: string;
  readonly profile: string | null;
  readonly profileName: string | null;
};

/**
 * Checks a document against the standards that its XMP metadata declares: one item for each, PDF/A first; if PDF/A is
 * not declared, the first item says so. Calls `validate` only if the document may declare a standard. Throws the errors
 * of `withPdf` and of `validate`.
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
  // The validator gave no verdict, so only the declarations found in the XMP metadata are known.
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

/** The item for a standard whose check failed, from the declaration in the document (`2|B|`: part, level, revision). */
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
      failures: [{ ...nowhere, message: `The check failed: ${crash}`, specification: null }],
    },
  ];
}
