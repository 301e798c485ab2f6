import type { ShownField, ShownOperation } from '@quire/registry';
import { formatNumber } from '../i18n/index.ts';
import { t } from './texts.ts';
import { isRequired, isShown, numberOf, typedValues, type FormValues } from './values.ts';

/** Faults by field, as far as the declared limits show them. The server checks the rest. */
export function localFaults(operation: Pick<ShownOperation, 'fields'>, values: FormValues): Record<string, string> {
  const typed = typedValues(operation, values);
  const faults: Record<string, string> = {};
  for (const field of operation.fields) {
    if (!isShown(field, typed)) continue;
    const value = typed[field.name];
    const fault =
      value === undefined
        ? isRequired(field, typed)
          ? missing(field)
          : undefined
        : faultOf(field, value, String(values[field.name]));
    if (fault !== undefined) faults[field.name] = fault;
  }
  return faults;
}

function missing({ type, widget, values }: ShownField): string {
  if (widget === 'language' || (type === 'list' && values !== undefined)) return t('Choose at least one.');
  return values === undefined ? t('Enter a value.') : t('Choose one of the values.');
}

function faultOf(field: ShownField, value: unknown, text: string): string | undefined {
  switch (field.type) {
    case 'integer':
    case 'number':
      return numberFault(field, text);
    case 'text':
      return textFault(field, String(value)) ?? (field.widget === 'json' ? jsonFault(String(value)) : undefined);
    case 'json':
      return jsonFault(String(value));
    case 'list': {
      const { length } = value as readonly string[];
      if (field.longest !== undefined && length > field.longest)
        return t.count(field.longest, 'At most {count} entry is allowed.', 'At most {count} entries are allowed.');
      if (field.shortest !== undefined && length < field.shortest)
        return t.count(field.shortest, 'At least {count} entry is needed.', 'At least {count} entries are needed.');
      return undefined;
    }
    default:
      return undefined;
  }
}

function numberFault(field: ShownField, text: string): string | undefined {
  const { minimum, maximum, above = false, below = false } = field;
  const number = numberOf(text);
  if (number === undefined) return t('Enter a number.');
  if (field.type === 'integer' && !Number.isInteger(number)) return t('Enter a whole number.');
  const tooSmall = minimum !== undefined && (above ? number <= minimum : number < minimum);
  const tooLarge = maximum !== undefined && (below ? number >= maximum : number > maximum);
  if (!tooSmall && !tooLarge) return undefined;
  if (minimum !== undefined && maximum !== undefined && !above && !below)
    return t('Enter a number from {minimum} to {maximum}.', { minimum, maximum });
  if (tooSmall)
    return above
      ? t('Enter a number greater than {minimum}.', { minimum })
      : t('Enter {minimum} or more.', { minimum });
  return below
    ? t('Enter a number less than {maximum}.', { maximum: maximum ?? 0 })
    : t('Enter {maximum} or less.', { maximum: maximum ?? 0 });
}

function textFault({ shortest, longest, pattern, values }: ShownField, text: string): string | undefined {
  const length = [...text].length;
  if (longest !== undefined && length > longest)
    return t('This has {length} characters; at most {longest} are allowed.', {
      length,
      longest: formatNumber(longest),
    });
  if (shortest !== undefined && length < shortest)
    return t.count(shortest, 'Enter at least {count} character.', 'Enter at least {count} characters.');
  if (values !== undefined && !values.some(({ value }) => String(value) === text))
    return t('Choose one of the values.');
  if (pattern !== undefined && !matches(pattern, text)) return t('This does not have the expected form.');
  return undefined;
}

/** A pattern that this browser cannot read counts as matched: the server checks it too. */
function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}

function jsonFault(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return t('This is not JSON: {reason}', { reason: (error as Error).message });
  }
}
