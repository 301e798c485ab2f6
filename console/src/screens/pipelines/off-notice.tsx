import { Notice } from '../../components/index.ts';
import type { Pipeline } from './model/pipeline.ts';
import { t } from './texts.ts';

/** Says how many steps are left out because they are switched off. */
export function OffNotice({ pipeline }: { readonly pipeline: Pipeline }) {
  const off = pipeline.placed({ all: true }).length - pipeline.placed().length;
  if (off === 0) return null;
  return (
    <Notice>
      <p>
        {t.count(
          off,
          '{count} step is switched off and not part of this.',
          '{count} steps are switched off and not part of this.',
        )}
      </p>
    </Notice>
  );
}
