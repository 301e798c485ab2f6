import { operationOf, type Problem } from '../../../api/index.ts';
import { openToolWith } from '../../../app/hand-over.ts';
import { Button, Empty, ProblemNotice } from '../../../components/index.ts';
import { rt } from '../../../i18n/index.ts';
import { Beside } from '../beside.tsx';
import { t } from './texts.ts';

/** Writes on pages without a form. */
const STAMP = 'misc/add-stamp';

interface NoFormProps {
  readonly file: File;
  /** Why an XFA form cannot be filled in; undefined without one. */
  readonly xfa: Problem | undefined;
}

/** Says that there is nothing to fill in, and what helps. */
export function NoForm({ file, xfa }: NoFormProps) {
  if (xfa !== undefined)
    return (
      <Beside file={file}>
        <ProblemNotice problem={xfa} />
        <Empty icon="text-cursor-input" title={t('This form cannot be filled in here')} />
      </Beside>
    );
  const stamp = operationOf(STAMP);
  return (
    <Beside file={file}>
      <Empty icon="text-cursor-input" title={t('This document has no form')}>
        <p class="soft">
          {t('There are no fields to fill in. If you see lines to write on, they are only drawn: write on the pages.')}
        </p>
        {stamp === undefined ? null : (
          <Button icon={stamp.icon} onClick={() => openToolWith(STAMP, [file])}>
            {rt(stamp.title)}
          </Button>
        )}
      </Empty>
    </Beside>
  );
}
