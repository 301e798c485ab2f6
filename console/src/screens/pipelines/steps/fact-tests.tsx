import type { ShownFact } from '@quire/registry';
import { useState } from 'preact/hooks';
import { IconButton, Select, TextInput } from '../../../components/index.ts';
import { formatBytes } from '../../../i18n/index.ts';
import { wordLabel, valueWords } from '../model/branches.ts';
import { knownFacts, withFact, type Condition } from '../model/condition.ts';
import { t } from '../texts.ts';

interface FactTestsProps {
  readonly condition: Condition;
  readonly read: Readonly<Record<string, unknown>>;
  readonly onChange: (by: Condition) => void;
}

/** The comparisons of a fact: most have one, a range has two. */
export function FactTests({ condition, read, onChange }: FactTestsProps) {
  const fact = knownFacts().find(({ name }) => name === read['fact']);
  const tests = Object.entries(read).filter(([name]) => name !== 'fact');
  const { fields } = condition.faults.value;
  const set = (next: readonly (readonly [string, unknown])[]): void =>
    onChange(withFact(condition, { fact: read['fact'], ...Object.fromEntries(next) }));
  const words = fact?.words ?? [];
  const free = words.filter((word) => !(word in read));
  const isRange = fact?.type === 'number' && tests.length === 1 && !tests.some(([word]) => /^(is|in)$/.test(word));
  return (
    <div class="condition-tests">
      {tests.map(([word, value], i) => (
        <div class="condition-compare" key={i} data-fact-test={word}>
          <Select
            class="condition-word"
            aria-label={t('Comparison')}
            value={word}
            options={[...new Set([...words.filter((each) => each === word || free.includes(each)), word])].map(
              (each) => ({ value: each, label: wordLabel(each) }),
            )}
            onValue={(next) => set(tests.map((test, at) => (at === i ? [next, converted(value, next)] : test)))}
          />
          <Value
            key={word}
            word={word}
            fact={fact}
            value={value}
            error={fields[word]}
            onValue={(next) => set(tests.map((test, at) => (at === i ? [word, next] : test)))}
          />
          {tests.length > 1 ? (
            <IconButton
              size="small"
              icon="x"
              label={t('Remove: {what}', { what: `${wordLabel(word)} ${valueWords(value)}` })}
              onClick={() => set(tests.filter((_, at) => at !== i))}
            />
          ) : null}
        </div>
      ))}
      {isRange && free.length > 0 ? (
        <button
          type="button"
          class="link small"
          onClick={() => set([...tests, [upper(tests[0]![0]), Number(tests[0]![1]) || 1]])}
        >
          {t('Add a second limit')}
        </button>
      ) : null}
      {Object.entries(fields).map(([name, detail]) => (
        <p class="field-error" key={name} role="alert">
          <span class="break">{detail}</span>
        </p>
      ))}
    </div>
  );
}

/** The word of the other end of a range. */
function upper(word: string): string {
  return word === 'above' || word === 'atLeast' ? 'atMost' : 'atLeast';
}

/** A value for another word: `in` has a list of them. */
function converted(value: unknown, word: string): unknown {
  if (word === 'in') return Array.isArray(value) ? value : [value];
  return Array.isArray(value) ? (value[0] ?? '') : value;
}

interface ValueProps {
  readonly word: string;
  readonly fact: ShownFact | undefined;
  readonly value: unknown;
  readonly error: string | undefined;
  readonly onValue: (value: unknown) => void;
}

function Value({ word, fact, value, error, onValue }: ValueProps) {
  const label = t('Compared with');
  const invalid = error === undefined ? {} : { 'aria-invalid': 'true' as const };
  if (word === 'in') return <ListInput fact={fact} label={label} value={value} invalid={invalid} onValue={onValue} />;
  const choices = fact?.type === 'boolean' ? [true, false] : fact?.values;
  if (choices !== undefined) {
    const found = choices.some((choice) => choice === value) ? choices : [...choices, value];
    return (
      <Select
        {...invalid}
        class="condition-value"
        aria-label={label}
        value={String(value)}
        options={found.map((choice) => ({ value: String(choice), label: valueWords(choice) }))}
        onValue={(text) => onValue(found.find((choice) => String(choice) === text))}
      />
    );
  }
  return (
    <>
      <TextInput
        {...invalid}
        class="condition-value"
        aria-label={label}
        value={String(value)}
        inputMode={fact?.type === 'number' ? 'decimal' : undefined}
        onText={(text) => onValue(typed(text, fact))}
        spellcheck={false}
      />
      {fact?.name === 'size' && typeof value === 'number' ? <span class="soft small">{formatBytes(value)}</span> : null}
    </>
  );
}

interface ListInputProps extends Pick<ValueProps, 'fact' | 'value' | 'onValue'> {
  readonly label: string;
  readonly invalid: object;
}

/** Several values, with commas between them. */
function ListInput({ fact, label, value, invalid, onValue }: ListInputProps) {
  const written = (Array.isArray(value) ? (value as unknown[]) : [value]).map(String).join(', ');
  // What is typed stays: a comma at the end begins the next value.
  const [text, setText] = useState(written);
  return (
    <TextInput
      {...invalid}
      class="condition-value"
      aria-label={t('{label}, with commas between values', { label })}
      value={text}
      onText={(next) => {
        setText(next);
        const parts = next.split(',').map((part) => part.trim());
        onValue(parts.filter((part) => part !== '').map((part) => typed(part, fact)));
      }}
      spellcheck={false}
    />
  );
}

/** Numbers for facts that are numbers; what is none yet, such as a placeholder, stays a text. */
function typed(text: string, fact: ShownFact | undefined): unknown {
  const plain = text.trim();
  return fact?.type === 'number' && plain !== '' && String(Number(plain)) === plain ? Number(plain) : text;
}
