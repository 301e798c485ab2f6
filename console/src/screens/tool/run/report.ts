import { isRecord } from '../../../viewers/index.ts';
import type { Outcome } from './run.ts';

/** What a run reports beside its result, from the headers of its answer. */
export interface Report {
  /** Members of `X-Tool-Report`. */
  readonly facts: Readonly<Record<string, unknown>>;
  readonly warnings: string | undefined;
  readonly ignored: readonly string[];
  readonly replaced: readonly string[];
}

export function reportOf({ header }: Pick<Outcome, 'header'>): Report {
  return {
    facts: factsOf(header('x-tool-report')),
    warnings: decoded(header('x-warnings')),
    ignored: listOf(header('x-ignored-fields')),
    replaced: listOf(header('x-replaced-values')),
  };
}

/** The report is cut where a header would be too long: then it is no JSON, and left out. */
function factsOf(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const facts = JSON.parse(text ?? '{}') as unknown;
    return isRecord(facts) ? facts : {};
  } catch {
    return {};
  }
}

function listOf(text: string | null): readonly string[] {
  return (decoded(text) ?? '').split(', ').filter((part) => part !== '');
}

/** Headers have characters beyond ASCII as `\u00e4`. */
function decoded(text: string | null): string | undefined {
  return text?.replaceAll(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
