import type { Term } from '@quire/document/invoices/model';
import { useMemo } from 'preact/hooks';
import { Field, Select, TextArea, TextInput, type ControlProps } from '../../../components/index.ts';
import { language } from '../../../i18n/index.ts';
import { labelOf } from '../data/labels.ts';
import { nodeAt, type Path } from '../data/places.ts';
import { t } from '../texts.ts';
import { choicesFor } from './choices.ts';
import { draft } from './draft.ts';

interface TermFieldProps {
  /** The place of a term in the invoice. */
  readonly path: Path;
  /** Where the short name of the term would not say enough. */
  readonly label?: string;
  /** Several lines of text. */
  readonly long?: boolean;
  /** Scheme of an identifier; a scheme that the invoice has already stays. */
  readonly scheme?: string;
}

/** A term of the invoice that is written: its name, and whether the standard wants it, are those of the model. */
export function TermField({ path, label, long = false, scheme }: TermFieldProps) {
  const node = nodeAt(path);
  if (node?.node !== 'term') return null;
  const at = node.type === 'schemed' ? `${path}.value` : path;
  const set = (text: string): void => {
    draft.set(at, text);
    const known = draft.texts.value[`${path}.scheme`];
    if (scheme !== undefined && known === undefined) draft.set(`${path}.scheme`, scheme);
    if (scheme !== undefined && text.trim() === '') draft.set(`${path}.scheme`, '');
  };
  const key = path.split('.').findLast((each) => !/^\d+$/.test(each)) ?? path;
  return (
    <div data-path={path}>
      <Field
        label={label ?? labelOf(key, node)}
        error={draft.faults.value[at] ?? draft.faults.value[path]}
        required={isWanted(path, node)}
      >
        {(control) => (
          <TermControl
            name={key}
            node={node}
            control={control}
            text={draft.texts.value[at] ?? ''}
            long={long}
            set={set}
          />
        )}
      </Field>
    </div>
  );
}

interface TermControlProps {
  readonly name: string;
  readonly node: Term;
  readonly control: ControlProps;
  readonly text: string;
  readonly long: boolean;
  readonly set: (text: string) => void;
}

function TermControl({ name, node, control, text, long, set }: TermControlProps) {
  const choices = useMemo(() => choicesFor(name), [name, language.value]);
  if (choices !== undefined) {
    // An invoice that is a template may have a code that is seldom.
    const isOther = text !== '' && !choices.some(({ value }) => value === text);
    const others = [{ value: '', label: t('Not given') }, ...(isOther ? [{ value: text, label: text }] : [])];
    return <Select control={control} value={text} options={[...others, ...choices]} onValue={set} />;
  }
  if (long) return <TextArea control={control} value={text} onText={set} />;
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

/** Whether the standard wants the term: where a group may be missing, only once something of it is given. */
function isWanted(path: Path, { occurs }: Pick<Term, 'occurs'>): boolean {
  if (!occurs.startsWith('1')) return false;
  const keys = path.split('.');
  return keys.slice(0, -1).every((_, i) => {
    const group = keys.slice(0, i + 1).join('.');
    return nodeAt(group)?.occurs.startsWith('1') === true || hasText(group);
  });
}

function hasText(group: Path): boolean {
  return Object.entries(draft.texts.value).some(([path, text]) => path.startsWith(`${group}.`) && text.trim() !== '');
}
