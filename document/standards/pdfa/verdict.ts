import type { PdfACheck } from './convert.js';
import type { PdfAGoal } from './goal.js';

/** What a validator says of a file against the standards that it claims, as far as a conversion asks. */
export interface StandardsAnswer {
  readonly checks: readonly {
    readonly standard: string;
    readonly compliant: boolean;
    readonly failures: readonly {
      readonly ruleId: string | null;
      readonly specification: string | null;
      readonly message: string;
    }[];
  }[];
  /** Why there are no checks. */
  readonly crash?: string;
}

/** Gives, of all that was checked, whether the file is the PDF/A that it was to become. */
export function verdictOf({ checks, crash }: StandardsAnswer, { part, level }: PdfAGoal): PdfACheck {
  const levels = level === 'B' ? ['b', 'u', 'a'] : ['u', 'a'];
  const check = checks.find(({ standard }) => levels.some((each) => standard === `${part}${each}`));
  if (check === undefined)
    return {
      compliant: false,
      broken: [crash === undefined ? 'the document does not declare the standard' : `the check broke down: ${crash}`],
    };
  return {
    compliant: check.compliant,
    broken: check.failures.map(({ ruleId, specification, message }) =>
      `${specification ?? ''} ${ruleId ?? ''}: ${message}`.trim(),
    ),
  };
}

/**
 * Asks a validator about a file; undefined where it is not there (it rejects with PROGRAM_MISSING). Rejects with
 * whatever else it rejects with.
 */
export async function checkWith(
  validate: (path: string) => Promise<StandardsAnswer>,
  path: string,
  goal: PdfAGoal,
): Promise<PdfACheck | undefined> {
  try {
    return verdictOf(await validate(path), goal);
  } catch (error) {
    if ((error as { readonly code?: string }).code === 'PROGRAM_MISSING') return undefined;
    throw error;
  }
}
