import { operationOf, type Problem } from '../../../api/index.ts';
import { openToolWith } from '../../../app/hand-over.ts';
import { Button, Empty, ProblemNotice } from '../../../components/index.ts';
import { rt } from '../../../i18n/index.ts';
import { t } from './texts.ts';

/** Tools that write on pages without a form, or make pictures of forms searchable. */
const INSTEAD = ['misc/add-stamp', 'misc/ocr-pdf'] as const;

interface NoFormProps {
  readonly file: File;
  /** Why an XFA form cannot be filled in; undefined without one. */
  readonly xfa: Problem | undefined;
}

/** Says that there is nothing to fill in, and what helps. */
export function NoForm({ file, xfa }: NoFormProps) {
  const tools = INSTEAD.flatMap((path) => operationOf(path) ?? []);
  return (
    <div class="form-nothing">
      {xfa === undefined ? null : <ProblemNotice problem={xfa} />}
      <Empty
        icon="text-cursor-input"
        title={xfa === undefined ? t('This document has no form') : t('This form cannot be filled in here')}
      >
        {xfa === undefined ? (
          <p class="soft">
            {t(
              'There are no fields to fill in. If you see lines to write on, they are only drawn: write on the pages.',
            )}
          </p>
        ) : null}
        {tools.length === 0 ? null : (
          <div class="row">
            {tools.map(({ path, title, icon }) => (
              <Button key={path} icon={icon} onClick={() => openToolWith(path, [file])}>
                {rt(title)}
              </Button>
            ))}
          </div>
        )}
      </Empty>
    </div>
  );
}
