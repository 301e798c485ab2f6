import { operationOf } from '../../api/index.ts';
import { ToolIcon } from '../../components/index.ts';
import { rt } from '../../i18n/index.ts';

/** More would not fit. */
const MOST_ICONS = 6;

/** The tools of a pipeline in a row. */
export function StepIcons({ paths }: { readonly paths: readonly string[] }) {
  const titles = paths.map((path) => titleOf(path));
  return (
    <span class="step-icons" title={titles.join(' → ')}>
      {paths.slice(0, MOST_ICONS).map((path, i) => (
        <span class="step-icon" key={i}>
          <ToolIcon icon={operationOf(path)?.icon ?? 'circle-help'} size={16} />
        </span>
      ))}
      {paths.length > MOST_ICONS ? <span class="soft small">+{paths.length - MOST_ICONS}</span> : null}
    </span>
  );
}

/** The title of a tool by its path. */
export function titleOf(path: string): string {
  const operation = operationOf(path);
  return operation === undefined ? path : rt(operation.title);
}
