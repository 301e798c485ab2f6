import type { RefObject } from 'preact';
import { Button, Field, IconButton } from '../../../components/index.ts';
import { formatNumber } from '../../../i18n/index.ts';
import { t } from '../texts.ts';
import { workbench } from '../workbench.ts';
import type { Entry, Step } from './tree.ts';

interface BookmarkFormProps {
  readonly title: RefObject<HTMLInputElement | null>;
  readonly entry: Entry;
  readonly pageCount: number | undefined;
  readonly onChange: (values: Partial<Pick<Entry, 'title' | 'page'>>) => void;
  readonly onMove: (step: Step) => void;
  readonly onRemove: () => void;
}

const steps: readonly (readonly [Step, string, string])[] = [
  ['up', 'arrow-up', /* t */ 'Move up'],
  ['down', 'arrow-down', /* t */ 'Move down'],
  ['out', 'indent-decrease', /* t */ 'Move out'],
  ['in', 'indent-increase', /* t */ 'Move in'],
];

/** The chosen bookmark: its words, its page, its place. */
export function BookmarkForm({ title, entry, pageCount, onChange, onMove, onRemove }: BookmarkFormProps) {
  const shown = workbench.page.value + 1;
  return (
    <div class="card bookmark-form">
      <Field label={t('Title')}>
        {(control) => (
          <input
            ref={title}
            {...control}
            class="input"
            dir="auto"
            value={entry.title}
            onInput={(event) => onChange({ title: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field label={t('Page')}>
        {(control) => (
          <div class="row">
            <input
              {...control}
              type="number"
              class="input bookmark-page"
              min={1}
              max={pageCount}
              value={entry.page}
              onChange={(event) => {
                const page = Math.round(event.currentTarget.valueAsNumber);
                if (page >= 1) onChange({ page: Math.min(page, pageCount ?? page) });
                else event.currentTarget.value = String(entry.page);
              }}
            />
            <Button size="small" disabled={shown === entry.page} onClick={() => onChange({ page: shown })}>
              {t('Use page {page}', { page: formatNumber(shown, { useGrouping: false }) })}
            </Button>
          </div>
        )}
      </Field>
      <div class="row" role="toolbar" aria-label={t('Place of the bookmark')}>
        {steps.map(([step, icon, label]) => (
          <IconButton
            key={step}
            icon={icon}
            class={step === 'in' || step === 'out' ? 'turns-around' : ''}
            label={t(label)}
            onClick={() => onMove(step)}
          />
        ))}
        <IconButton icon="trash-2" label={t('Delete')} onClick={onRemove} />
      </div>
    </div>
  );
}
