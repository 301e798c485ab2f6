import type { ShownField } from '@quire/registry';
import { PasswordInput, Segments, Select, TextArea, TextInput } from '../../components/index.ts';
import { rt } from '../../i18n/index.ts';
import { t } from '../texts.ts';
import { numberOf } from '../values.ts';
import type { WidgetProps } from './widget.ts';

/** An example of a value, shown while the field is empty. */
function placeholderOf({ field }: WidgetProps): string {
  const { example } = field;
  return field.widget === 'secret' || example === undefined || example === null || typeof example === 'object'
    ? ''
    : t('For example {example}', { example: String(example) });
}

export function TextWidget(props: WidgetProps) {
  return (
    <TextInput
      control={props.control}
      value={String(props.value)}
      onText={props.onValue}
      placeholder={placeholderOf(props)}
      spellcheck={false}
    />
  );
}

export function MultilineWidget(props: WidgetProps) {
  const { control, value, onValue, field } = props;
  const code = field.widget === 'json';
  return (
    <TextArea
      control={control}
      value={String(value)}
      onText={onValue}
      rows={code ? 6 : 2}
      class={code ? 'code' : ''}
      spellcheck={!code}
      placeholder={placeholderOf(props)}
    />
  );
}

export function SecretWidget({ control, value, onValue }: WidgetProps) {
  return <PasswordInput control={control} autocomplete="off" value={String(value)} onText={onValue} />;
}

/** A wide range is typed; a small one can be slid too. */
const MOST_STEPS = 100;

export function NumberWidget(props: WidgetProps) {
  const { field, control, value, onValue } = props;
  const { minimum, maximum } = field;
  const step = field.type === 'integer' ? 1 : undefined;
  const slides = minimum !== undefined && maximum !== undefined && maximum > minimum && maximum - minimum <= MOST_STEPS;
  return (
    <div class="with-unit">
      {slides ? (
        <input
          type="range"
          class="range"
          aria-label={t('{field}, slider', { field: rt(field.label) })}
          min={minimum}
          max={maximum}
          step={step ?? (maximum - minimum) / MOST_STEPS}
          value={numberOf(String(value)) ?? minimum}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      ) : null}
      <TextInput
        control={control}
        class="short"
        inputMode={field.type === 'integer' && (minimum ?? -1) >= 0 ? 'numeric' : 'text'}
        autocomplete="off"
        value={String(value)}
        onText={onValue}
        // The short field has no room for more words.
        placeholder={field.example === undefined || field.example === null ? '' : String(field.example)}
      />
      {field.unit === undefined ? null : <span class="soft">{unitText(field.unit)}</span>}
    </div>
  );
}

function unitText(unit: string): string {
  return unit === 'pages' ? t('pages') : unit;
}

/** Between 0 and 1, shown in per cent. */
export function OpacityWidget({ field, control, value, onValue }: WidgetProps) {
  const share = numberOf(String(value));
  const percent = share === undefined ? '' : String(Math.round(share * 100));
  const set = (text: string): void => {
    const number = numberOf(text);
    onValue(number === undefined ? text : String(Math.round(number) / 100));
  };
  return (
    <div class="with-unit">
      <input
        type="range"
        class="range"
        aria-label={t('{field}, slider', { field: rt(field.label) })}
        min={0}
        max={100}
        value={share === undefined ? 100 : share * 100}
        onInput={(event) => set(event.currentTarget.value)}
      />
      <TextInput
        control={control}
        class="short"
        inputMode="numeric"
        value={share === undefined ? String(value) : percent}
        onText={set}
      />
      <span class="soft">%</span>
    </div>
  );
}

/** Few short choices stand beside each other, others in a list. */
const SEGMENTS = { choices: 4, characters: 32 } as const;

function isOptional({ required, default: initial }: ShownField): boolean {
  return !required && (initial === undefined || initial === '');
}

/** Whether the choices stand beside each other. */
export function usesSegments(field: ShownField): boolean {
  const labels = (field.values ?? []).map(({ label }) => rt(label));
  const characters = labels.reduce((sum, { length }) => sum + length, 0);
  return !isOptional(field) && labels.length <= SEGMENTS.choices && characters <= SEGMENTS.characters;
}

export function ChoiceWidget({ field, control, value, onValue }: WidgetProps) {
  const options = (field.values ?? []).map((each) => ({ value: String(each.value), label: rt(each.label) }));
  if (usesSegments(field))
    return <Segments label={rt(field.label)} value={String(value)} options={options} onValue={onValue} />;
  const unset = isOptional(field) && !options.some((option) => option.value === '');
  return (
    <Select
      control={control}
      value={String(value)}
      options={unset ? [{ value: '', label: t('Not set') }, ...options] : options}
      onValue={onValue}
    />
  );
}

/** The text in the format of the operation's example, with the browser's calendar beside it. */
export function DateWidget({ control, value, onValue, field }: WidgetProps) {
  const text = String(value);
  const day = /^(\d{4})[-/](\d{2})[-/](\d{2})/.exec(text);
  const slashes = String(field.example ?? '').includes('/');
  return (
    <div class="joined">
      <TextInput control={control} value={text} onText={onValue} placeholder={String(field.example ?? '')} />
      <label class="date-pick" title={t('Choose a day')}>
        <span class="hidden-visually">{t('Choose a day')}</span>
        <input
          type="date"
          value={day === null ? '' : `${day[1]}-${day[2]}-${day[3]}`}
          onChange={(event) => {
            const chosen = event.currentTarget.value;
            if (chosen === '') return;
            const rest = day === null ? timeOf(String(field.example ?? '')) : text.slice(10);
            onValue((slashes ? chosen.replaceAll('-', '/') : chosen) + rest);
          }}
        />
      </label>
    </div>
  );
}

/** Midnight, where the example has a time. */
function timeOf(example: string): string {
  return example.length > 10 ? example.slice(10).replaceAll(/\d/g, '0') : '';
}

const SIZE = /^(.*?)\s*([KMGT]?B)$/i;

/** A number of bytes with its unit: `25MB`. */
export function SizeWidget({ field, control, value, onValue }: WidgetProps) {
  const [, number = String(value), unit = 'MB'] = SIZE.exec(String(value)) ?? [];
  const set = (next: string, nextUnit: string): void => onValue(next === '' ? '' : `${next}${nextUnit}`);
  return (
    <div class="with-unit">
      <TextInput
        control={control}
        class="short"
        inputMode="decimal"
        value={number}
        onText={(text) => set(text, unit.toUpperCase())}
      />
      <Select
        class="short"
        aria-label={t('Unit of {field}', { field: rt(field.label) })}
        value={unit.toUpperCase()}
        options={['KB', 'MB', 'GB'].map((each) => ({ value: each, label: each }))}
        onValue={(next) => set(number, next)}
      />
    </div>
  );
}

export function ColourWidget(props: WidgetProps) {
  const { field, control, value, onValue } = props;
  const hex = /^#?([0-9a-f]{6})$/i.exec(String(value))?.[1];
  return (
    <div class="with-unit">
      <input
        type="color"
        class="colour"
        aria-label={t('{field}, colour', { field: rt(field.label) })}
        value={hex === undefined ? '#000000' : `#${hex.toLowerCase()}`}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
      <TextInput
        control={control}
        class="short code"
        value={String(value)}
        onText={onValue}
        placeholder={placeholderOf(props)}
      />
    </div>
  );
}

/** Pages that are often chosen, in the syntax of the server. */
const PAGE_CHOICES = [
  ['all', /* t */ 'All'],
  ['2n-1', /* t */ 'Odd'],
  ['2n', /* t */ 'Even'],
  ['1', /* t */ 'First'],
] as const;

export function PagesWidget(props: WidgetProps) {
  const { control, value, onValue, field } = props;
  return (
    <div class="stack-small">
      <TextInput
        control={control}
        class="page-choice"
        value={String(value)}
        onText={onValue}
        placeholder={placeholderOf(props)}
        spellcheck={false}
      />
      {field.widget === 'pages' ? (
        <div class="row">
          {PAGE_CHOICES.map(([pages, label]) => (
            <button
              type="button"
              key={pages}
              class="chip tiny"
              aria-pressed={value === pages}
              onClick={() => onValue(value === pages ? '' : pages)}
            >
              {t(label)}
            </button>
          ))}
        </div>
      ) : null}
    </div>
  );
}

const POSITION_NAMES = [
  /* t */ 'Top left',
  /* t */ 'Top centre',
  /* t */ 'Top right',
  /* t */ 'Middle left',
  /* t */ 'Centre',
  /* t */ 'Middle right',
  /* t */ 'Bottom left',
  /* t */ 'Bottom centre',
  /* t */ 'Bottom right',
] as const;

/** Nine places of a page, as buttons in three rows. */
export function PositionWidget({ field, value, onValue }: WidgetProps) {
  const values = field.values?.map((each) => String(each.value)) ?? POSITION_NAMES.map((_, i) => String(i + 1));
  return (
    <div class="position" role="radiogroup" aria-label={rt(field.label)}>
      {POSITION_NAMES.map((name, i) => (
        <label key={name} title={t(name)}>
          <input
            type="radio"
            name={`position-${field.name}`}
            checked={String(value) === values[i]}
            onChange={() => onValue(values[i] ?? '')}
          />
          <span class="hidden-visually">{t(name)}</span>
        </label>
      ))}
    </div>
  );
}
