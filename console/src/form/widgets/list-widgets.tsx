import { IconButton, TextInput } from '../../components/index.ts';
import { rt } from '../../i18n/index.ts';
import { t } from '../texts.ts';
import type { WidgetProps } from './widget.ts';

/** A list of texts, one input each. */
export function ListWidget({ field, control, value, onValue }: WidgetProps) {
  const items = value as readonly string[];
  const shown = items.length === 0 ? [''] : items;
  const set = (i: number, text: string): void => onValue(shown.map((item, at) => (at === i ? text : item)));
  const { id, ...rest } = control;
  return (
    <div class="stack-small">
      {shown.map((item, i) => (
        <div class="joined" key={i}>
          <TextInput
            {...rest}
            {...(i === 0 ? { id } : {})}
            aria-label={t('{field}, entry {number}', { field: rt(field.label), number: i + 1 })}
            value={item}
            onText={(text) => set(i, text)}
            spellcheck={false}
          />
          {items.length > 0 ? (
            <IconButton
              icon="x"
              label={t('Remove entry {number}', { number: i + 1 })}
              onClick={() => onValue(items.filter((_, at) => at !== i))}
            />
          ) : null}
        </div>
      ))}
      <button type="button" class="link" onClick={() => onValue([...shown, ''])}>
        {t('Add an entry')}
      </button>
    </div>
  );
}

/** Names with their texts. */
export function MapWidget({ field, control, value, onValue }: WidgetProps) {
  const pairs = value as readonly (readonly [string, string])[];
  const set = (i: number, pair: readonly [string, string]): void =>
    onValue(pairs.map((each, at) => (at === i ? pair : each)));
  return (
    <div class="stack-small" id={control.id}>
      {pairs.map(([name, text], i) => (
        <div class="joined" key={i}>
          <TextInput
            aria-label={t('{field}, name {number}', { field: rt(field.label), number: i + 1 })}
            placeholder={t('Name')}
            value={name}
            onText={(next) => set(i, [next, text])}
          />
          <TextInput
            aria-label={t('{field}, value {number}', { field: rt(field.label), number: i + 1 })}
            placeholder={t('Value')}
            value={text}
            onText={(next) => set(i, [name, next])}
          />
          <IconButton
            icon="x"
            label={t('Remove entry {number}', { number: i + 1 })}
            onClick={() => onValue(pairs.filter((_, at) => at !== i))}
          />
        </div>
      ))}
      <button type="button" class="link" onClick={() => onValue([...pairs, ['', '']])}>
        {t('Add an entry')}
      </button>
    </div>
  );
}
