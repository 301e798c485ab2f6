import type { PdfACheck } from './convert.js';
import type { PdfAGoal } from './goal.js';

/** The part of a validator's report that a conversion needs. */
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

/** Returns from a report whether the file complies with the target standard. */
function verdictOf({ checks, crash }: StandardsAnswer, { part, level }: PdfAGoal): PdfACheck {
  const levels = level === 'B' ? ['b', 'u', 'a'] : ['u', 'a'];
  const check = checks.find(({ standard }) => levels.some((each) => standard === `${part}${each}`));
  if (check === undefined)
    return {
      compliant: false,
      broken: [crash === undefined ? 'the document does not declare the standard' : `the check failed: ${crash}`],
    };
  return {
    compliant: check.compliant,
    broken: check.failures.map(({ ruleId, specification, message }) =>
      `${specification ?? ''} ${ruleId ?? ''}: ${message}`.trim(),
    ),
  };
}

/** Validates a file; undefined where no validator is installed (PROGRAM_MISSING). Rejects with all other errors. */
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
