import type { FieldFault, Problem } from '../../../api/index.ts';
import { Notice, ProblemNotice } from '../../../components/index.ts';
import { t } from '../texts.ts';

interface SaveProblemProps {
  readonly problem: Problem;
  /** Faults that are shown at no field. */
  readonly others: readonly FieldFault[];
}

/** Why something was not saved; faults with a field of their own are shown there. */
export function SaveProblem({ others, problem }: SaveProblemProps) {
  if (problem.faults.length === 0) return <ProblemNotice problem={problem} />;
  return (
    <Notice kind="error" title={t('It is not saved yet.')}>
      {others.length < problem.faults.length ? <p>{t('See the marked fields.')}</p> : null}
      {others.length === 0 ? null : (
        <ul class="small">
          {others.map(({ pointer, detail }) => (
            <li key={`${pointer} ${detail}`} class="break" dir="auto">
              <code>{pointer}</code> {detail}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}
