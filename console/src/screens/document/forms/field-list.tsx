import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, Field, Icon, IconButton, TextInput } from '../../../components/index.ts';
import { formatNumber } from '../../../i18n/index.ts';
import { detailOf, type FormField, isOpen, lengthOf, titleOf } from './fields.ts';
import type { FilledForm } from './filled-form.ts';
import { isGroup, ListControl } from './list-control.tsx';
import { whyFixed } from './page-layer.tsx';
import { SignLink } from './sign-link.tsx';
import { t } from './texts.ts';

interface FieldListProps {
  readonly form: FilledForm;
  readonly file: File;
  /** Shows a field on its page. */
  readonly onShow: (name: string) => void;
}

/** Rows that are shown at first, and that each click adds. */
const ROWS = 100;

/** All fields as a list, in which they can be filled in as well. */
export function FieldList({ form, file, onShow }: FieldListProps) {
  const [query, setQuery] = useState('');
  const [most, setMost] = useState(ROWS);
  const list = useRef<HTMLUListElement>(null);
  const fields = form.fields.filter((field) => field.type !== 'button' && matches(form, field, query));
  const current = form.current.value;
  const at = fields.findIndex(({ name }) => name === current);
  useEffect(() => {
    if (at >= most) setMost(at + ROWS);
    else list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [current, most]);
  const shown = fields.slice(0, most);
  return (
    <section class="form-fields" aria-label={t('Fields')}>
      <div class="form-search">
        <Icon name="search" size={16} />
        <TextInput
          type="search"
          aria-label={t('Search the fields')}
          placeholder={t('Search the fields')}
          value={query}
          onText={(text) => {
            setQuery(text);
            setMost(ROWS);
          }}
        />
      </div>
      {fields.length === 0 ? <p class="soft form-none">{t('No field has these words.')}</p> : null}
      <ul class="form-rows" ref={list}>
        {shown.map((field) => (
          <FieldRow key={field.name} form={form} field={field} file={file} onShow={onShow} />
        ))}
      </ul>
      {fields.length > most ? (
        <Button onClick={() => setMost(most + ROWS)}>
          {t.count(fields.length - most, 'Show {count} more field', 'Show {count} more fields')}
        </Button>
      ) : null}
    </section>
  );
}

function matches(form: FilledForm, { name, label, tooltip = '' }: FormField, query: string): boolean {
  const words = query.trim().toLowerCase();
  // Without a query, typing a value must not draw the whole list again.
  if (words === '') return true;
  return [name, label, tooltip, String(form.value(name))].some((text) => text.toLowerCase().includes(words));
}

interface FieldRowProps extends FieldListProps {
  readonly field: FormField;
}

function FieldRow({ form, field, file, onShow }: FieldRowProps) {
  const place = form.firstPlace(field.name);
  const fault = form.faults.value.get(field.name);
  const current = form.current.value === field.name;
  const missing = field.required && form.missing.value.includes(field);
  const row = useRef<HTMLLIElement>(null);
  const wanted = form.wantedRow.value === field.name;
  useEffect(() => {
    if (!wanted) return;
    form.wantedRow.value = undefined;
    row.current?.querySelector<HTMLElement>('.field > :not(.field-head) :is(input, select, textarea), .input')?.focus();
  }, [wanted]);
  return (
    <li
      ref={row}
      class={`form-row ${missing ? 'missing' : ''}`}
      aria-current={current ? 'true' : undefined}
      data-name={field.name}
      onFocusIn={() => (form.current.value = field.name)}
    >
      <Field
        label={titleOf(field)}
        help={detailOf(field)}
        error={fault}
        required={field.required}
        group={isGroup(field) || !isOpen(field)}
        aside={
          <span class="form-aside">
            <Length form={form} field={field} />
            {place === undefined ? (
              <span class="soft small">{t('Not on a page')}</span>
            ) : (
              <IconButton
                size="small"
                icon="locate-fixed"
                label={t('Show “{field}” on page {page}', {
                  field: titleOf(field),
                  page: formatNumber(place.widget.pageIndex + 1, { useGrouping: false }),
                })}
                onClick={() => onShow(field.name)}
              />
            )}
          </span>
        }
      >
        {(control) =>
          isOpen(field) ? (
            <ListControl form={form} field={field} control={control} />
          ) : (
            <FixedValue form={form} field={field} file={file} />
          )
        }
      </Field>
    </li>
  );
}

/** Characters of a text, of how many. */
function Length({ form, field }: Pick<FieldRowProps, 'form' | 'field'>) {
  if (field.maxLength === undefined || !isOpen(field)) return null;
  const count = lengthOf(String(form.value(field.name)));
  return (
    <span class="soft small form-length" title={t('Characters, and how many are allowed')}>
      {formatNumber(count)} / {formatNumber(field.maxLength)}
    </span>
  );
}

function FixedValue({ form, field, file }: Pick<FieldRowProps, 'form' | 'field' | 'file'>) {
  if (field.type === 'signature' && field.signed !== true && !field.readOnly)
    return <SignLink file={file} label={titleOf(field)} />;
  const value = form.value(field.name);
  return (
    <div class="form-fixed-value">
      <span dir="auto">{typeof value === 'string' ? value : value.join(', ')}</span>
      <span class="badge">
        <Icon name={field.type === 'signature' ? 'badge-check' : 'lock'} size={14} />
        {whyFixed(field)}
      </span>
    </div>
  );
}
