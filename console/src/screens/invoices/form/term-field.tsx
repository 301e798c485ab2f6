import type { Term } from '@quire/document/invoices/model';
import { useId, useMemo } from 'preact/hooks';
import { Field, Select, TextArea, TextInput, type ControlProps, type Option } from '../../../components/index.ts';
import { language } from '../../../i18n/index.ts';
import { labelOf } from '../data/labels.ts';
import { nodeAt, type Path } from '../data/places.ts';
import { t } from '../texts.ts';
import { AttachmentField } from './attachment-field.tsx';
import { choicesFor, suggestionsFor } from './choices.ts';
import { draft } from './draft.ts';
import { keyOf } from './layout.ts';

interface TermFieldProps {
  /** The place of a term in the invoice; of a list of terms that of one item. */
  readonly path: Path;
  /** Where the short name of the term would not say enough. */
  readonly label?: string | undefined;
}

/** Keys of terms that hold several lines of text. */
const LONG: ReadonlySet<string> = new Set(['text', 'description', 'note', 'paymentTerms', 'legalInformation']);

export function isLong(key: string): boolean {
  return LONG.has(key);
}

/** Terms of a price or a change whose value follows from others, and what it follows from. */
const follows: Readonly<Record<string, string>> = {
  amount: /* t */ 'Computed from base amount and percentage where it is empty.',
  net: /* t */ 'Computed from the price before discount and the discount where it is empty.',
};

/** A term of the invoice that is written: its name, and whether the standard wants it, are those of the model. */
export function TermField({ path, label }: TermFieldProps) {
  const node = nodeAt(path);
  if (node?.node !== 'term') return null;
  const name = label ?? labelOf(keyOf(path), node);
  return (
    <div data-path={path} class={node.type === 'schemed' ? 'invoice-schemed' : ''}>
      {node.type === 'schemed' ? (
        <SchemedFields path={path} node={node} label={name} />
      ) : node.type === 'binary' ? (
        <AttachmentField path={path} label={name} />
      ) : (
        <TextField path={path} node={node} label={name} />
      )}
    </div>
  );
}

interface NodeFieldProps {
  readonly path: Path;
  readonly node: Term;
  readonly label: string;
}

function TextField({ path, node, label }: NodeFieldProps) {
  const key = keyOf(path);
  const help = follows[key];
  const required = isWanted(path, node);
  return (
    <Field
      label={label}
      error={draft.faults.value[path]}
      // A price that is wanted anyway is explained once it has the alternative.
      help={help !== undefined && hasAlternative(path) ? t(help) : undefined}
      required={required}
    >
      {(control) => (
        <TermControl
          name={key}
          node={node}
          control={control}
          text={draft.texts.value[path] ?? ''}
          set={(text) => draft.set(path, text)}
        />
      )}
    </Field>
  );
}

/** Whether something is entered from which the value would follow. */
function hasAlternative(path: Path): boolean {
  const group = path.slice(0, path.lastIndexOf('.'));
  const { filled } = draft.outline.value;
  return ['baseAmount', 'percentage', 'gross', 'discount'].some((key) => filled.has(`${group}.${key}`));
}

/** Schemes that identifiers have as a rule, by key. */
const schemes: Readonly<Record<string, string>> = { electronicAddress: 'EM' };

/** An identifier and its scheme; of a classification the version of the scheme too. */
function SchemedFields({ path, node, label }: NodeFieldProps) {
  const [at, schemeAt, versionAt] = [`${path}.value`, `${path}.scheme`, `${path}.schemeVersion`];
  const key = keyOf(path);
  const textAt = (place: Path): string => draft.texts.value[place] ?? '';
  const set = (text: string): void => {
    const usual = schemes[key];
    const isFirst = textAt(at) === '' && textAt(schemeAt) === '';
    const isGone = text.trim() === '' && textAt(schemeAt) === usual;
    draft.enter({
      [at]: text,
      ...(usual !== undefined && isFirst ? { [schemeAt]: usual } : isGone ? { [schemeAt]: '' } : {}),
    });
  };
  return (
    <>
      <Field label={label} error={draft.faults.value[at] ?? draft.faults.value[path]} required={isWanted(path, node)}>
        {(control) => <TextInput control={control} value={textAt(at)} onText={set} />}
      </Field>
      <Field label={t('Scheme')} error={draft.faults.value[schemeAt]}>
        {(control) => (
          <CodeInput
            control={control}
            node={node}
            text={textAt(schemeAt)}
            set={(text) => draft.set(schemeAt, text)}
            aria-label={t('{name}: scheme', { name: label })}
          />
        )}
      </Field>
      {key === 'classifications' ? (
        <Field label={t('Version of the scheme')} error={draft.faults.value[versionAt]}>
          {(control) => (
            <TextInput control={control} value={textAt(versionAt)} onText={(text) => draft.set(versionAt, text)} />
          )}
        </Field>
      ) : null}
    </>
  );
}

interface TermControlProps {
  readonly name: string;
  readonly node: Term;
  readonly control: ControlProps;
  readonly text: string;
  readonly set: (text: string) => void;
}

function TermControl({ name, node, control, text, set }: TermControlProps) {
  const choices = useMemo(() => choicesFor(name), [name, language.value]);
  if (choices !== undefined) return <Choice control={control} text={text} choices={choices} set={set} />;
  if (isLong(name)) return <TextArea control={control} value={text} onText={set} />;
  if (node.type === 'code') return <CodeInput control={control} node={node} text={text} set={set} />;
  const isNumber = ['amount', 'price', 'quantity', 'percentage'].includes(node.type);
  return (
    <TextInput
      control={control}
      value={text}
      type={node.type === 'date' ? 'date' : 'text'}
      onText={isNumber ? (typed) => set(typed.replace(',', '.')) : set}
      {...(isNumber ? { inputMode: 'decimal' } : {})}
    />
  );
}

interface ChoiceProps extends Pick<TermControlProps, 'control' | 'text' | 'set'> {
  readonly choices: readonly Option[];
}

function Choice({ control, text, choices, set }: ChoiceProps) {
  // An invoice that is a template may have a code that is seldom.
  const isOther = text !== '' && !choices.some(({ value }) => value === text);
  const others = [{ value: '', label: t('Not given') }, ...(isOther ? [{ value: text, label: text }] : [])];
  return <Select control={control} value={text} options={[...others, ...choices]} onValue={set} />;
}

interface CodeInputProps extends Omit<TermControlProps, 'name'> {
  readonly 'aria-label'?: string;
}

/** A code that is typed, with the codes of its list as suggestions. */
function CodeInput({ control, node, text, set, ...rest }: CodeInputProps) {
  const id = useId();
  const suggestions = useMemo(() => suggestionsFor(node), [node, language.value]);
  return (
    <>
      <TextInput {...rest} control={control} value={text} onText={set} list={id} autocomplete="off" />
      <datalist id={id}>
        {suggestions.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </datalist>
    </>
  );
}

/** Whether the standard wants the term: where a group may be missing, only once something of it is given. */
function isWanted(path: Path, { occurs }: Pick<Term, 'occurs'>): boolean {
  if (!occurs.startsWith('1')) return false;
  const keys = path.split('.');
  return keys.slice(0, -1).every((_, i) => {
    const group = keys.slice(0, i + 1).join('.');
    return nodeAt(group)?.occurs.startsWith('1') === true || draft.outline.value.filled.has(group);
  });
}
