import { useRef } from 'preact/hooks';
import { Button, Icon, Menu } from '../../../components/index.ts';
import { saveFile } from '../../../files/index.ts';
import type { FilledForm } from './filled-form.ts';
import { t } from './texts.ts';
import { valuesCsv, valuesJson } from './value-file.ts';

interface FormBarProps {
  readonly form: FilledForm;
  /** Of the document. */
  readonly name: string;
  readonly busy: boolean;
  readonly flatten: boolean;
  readonly onFlatten: (flatten: boolean) => void;
  readonly onFill: () => void;
  /** Shows a required field that is empty. */
  readonly onMissing: () => void;
  readonly onImport: (file: File) => void;
}

/** How far the form is filled in, and what can be done with it as a whole. */
export function FormBar({ form, name, busy, flatten, onFlatten, onFill, onMissing, onImport }: FormBarProps) {
  const input = useRef<HTMLInputElement>(null);
  const changed = form.changed.value.length;
  const missing = form.missing.value.length;
  const stem = name.replace(/\.pdf$/i, '');
  return (
    <div class="form-bar">
      <div class="form-state">
        <span role="status">
          {changed === 0
            ? t('Nothing is changed yet.')
            : t.count(changed, '{count} field changed', '{count} fields changed')}
        </span>
        {missing === 0 ? null : (
          <button type="button" class="link" onClick={onMissing}>
            {t.count(missing, '{count} required field is empty', '{count} required fields are empty')}
          </button>
        )}
      </div>
      <div class="form-actions">
        <Menu
          label={t('Values')}
          class="button quiet normal"
          items={[
            { label: t('Enter values from a file'), icon: 'upload', run: () => input.current?.click() },
            {
              label: t('Save the values as JSON'),
              icon: 'file-json',
              apart: true,
              run: () => saveFile(valuesJson(form), `${stem}_values.json`),
            },
            {
              label: t('Save the values as CSV'),
              icon: 'table',
              run: () => saveFile(valuesCsv(form), `${stem}_values.csv`),
            },
          ]}
        >
          <Icon name="arrow-down-up" size={18} />
          {t('Values')}
        </Menu>
        <input
          ref={input}
          type="file"
          class="hidden-visually"
          tabIndex={-1}
          aria-label={t('File with values')}
          accept=".json,.csv,.txt,application/json,text/csv"
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            if (file !== undefined) onImport(file);
            event.currentTarget.value = '';
          }}
        />
        <label class="check form-flatten" title={t('The fields become page content, and nobody can change them.')}>
          <input type="checkbox" checked={flatten} onChange={(event) => onFlatten(event.currentTarget.checked)} />
          {t('Flatten')}
        </label>
        <Button icon="rotate-ccw" disabled={changed === 0 || busy} onClick={() => form.reset()}>
          {t('Reset')}
        </Button>
        <Button kind="primary" icon="check" busy={busy} disabled={changed === 0 && !flatten} onClick={onFill}>
          {t('Fill in')}
        </Button>
      </div>
    </div>
  );
}
