import { ToolForm } from '../../../form/form.tsx';
import { t } from '../texts.ts';
import type { RunFiles } from './run-files.ts';

/** Asks for the values of placeholders, if texts of the pipeline have some. */
export function ValuesForm({ files, help }: { readonly files: RunFiles; readonly help: string }) {
  if (files.values.operation.fields.length === 0) return null;
  return (
    <fieldset class="group stack-small" data-values>
      <legend>{t('Values of the pipeline')}</legend>
      <p class="soft small">{help}</p>
      <ToolForm draft={files.values} />
    </fieldset>
  );
}
