import { Field, IconButton, Select, TextInput } from '../../../components/index.ts';
import { formatNumber } from '../../../i18n/index.ts';
import { t } from '../texts.ts';
import type { LabelRange, LabelStyle } from './ranges.ts';

interface RangeCardProps {
  readonly range: LabelRange;
  /** Its last page. */
  readonly last: number;
  readonly labels: readonly string[];
  /** Pages at which other ranges begin. */
  readonly taken: readonly number[];
  readonly pageCount: number;
  readonly chosen: boolean;
  readonly onChange: (values: Partial<LabelRange>) => void;
  readonly onRemove: () => void;
}

const styles: readonly (readonly [LabelStyle, string])[] = [
  ['decimal', '1, 2, 3'],
  ['romanLower', 'i, ii, iii'],
  ['romanUpper', 'I, II, III'],
  ['lettersLower', 'a, b, c'],
  ['lettersUpper', 'A, B, C'],
];
const LARGEST_START = 1_000_000;
const LONGEST_PREFIX = 1000;

/** A range of labels: where it begins, how it counts. */
export function RangeCard({ range, last, labels, taken, pageCount, chosen, onChange, onRemove }: RangeCardProps) {
  const { pageNumber, style, prefix, start } = range;
  const [from, to] = [pageNumber, last].map((page) => formatNumber(page, { useGrouping: false }));
  const pages =
    pageNumber === last ? t('Page {page}', { page: from! }) : t('Pages {from} to {to}', { from: from!, to: to! });
  const shown = pageNumber === last ? [pageNumber] : [pageNumber, last];
  return (
    <section class={`card range-card ${chosen ? 'chosen' : ''}`} aria-label={pages}>
      <div class="row between">
        <p>
          <strong>{pages}</strong>{' '}
          <span class="soft break" dir="auto">
            {shown.map((page) => labels[page - 1] || '–').join(' … ')}
          </span>
        </p>
        <IconButton size="small" icon="trash-2" label={t('Remove the range')} onClick={onRemove} />
      </div>
      <div class="range-fields">
        <Field label={t('First page')}>
          {(control) => (
            <NumberInput
              control={control}
              value={pageNumber}
              largest={pageCount}
              onNumber={(page) => (taken.includes(page) ? undefined : onChange({ pageNumber: page }))}
            />
          )}
        </Field>
        <Field label={t('Style')}>
          {(control) => (
            <Select
              control={control}
              value={style}
              options={[
                ...styles.map(([value, label]) => ({ value, label })),
                { value: 'none', label: t('Prefix alone') },
              ]}
              onValue={(value) => onChange({ style: value as LabelStyle })}
            />
          )}
        </Field>
        <Field label={t('Prefix')}>
          {(control) => (
            <TextInput
              control={control}
              maxLength={LONGEST_PREFIX}
              value={prefix}
              onText={(text) => onChange({ prefix: text })}
            />
          )}
        </Field>
        <Field label={t('Starts with')}>
          {(control) => (
            <NumberInput
              control={control}
              value={start}
              largest={LARGEST_START}
              disabled={style === 'none'}
              onNumber={(number) => onChange({ start: number })}
            />
          )}
        </Field>
      </div>
    </section>
  );
}

interface NumberInputProps {
  readonly control: object;
  readonly value: number;
  readonly largest: number;
  readonly disabled?: boolean;
  readonly onNumber: (number: number) => void;
}

/** A whole number from 1; anything else is put back. */
function NumberInput({ control, value, largest, disabled = false, onNumber }: NumberInputProps) {
  return (
    <input
      {...control}
      type="number"
      class="input"
      min={1}
      max={largest}
      disabled={disabled}
      value={value}
      onChange={(event) => {
        const number = event.currentTarget.valueAsNumber;
        if (Number.isInteger(number) && number >= 1 && number <= largest) onNumber(number);
        event.currentTarget.value = String(value);
      }}
    />
  );
}
