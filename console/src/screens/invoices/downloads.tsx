import { asProblem } from '../../api/index.ts';
import { Icon, Menu, toast, type MenuItem } from '../../components/index.ts';
import { fileNameOf, saveFile } from '../../files/index.ts';
import { rt } from '../../i18n/index.ts';
import { available, EXTRACT, formatsOf, RENDER, run, VALIDATE, type InvoiceFile } from './operations.ts';
import { t } from './texts.ts';

/** Every form in which the server returns the data, the report or a readable invoice. */
export function Downloads({ of }: { readonly of: InvoiceFile }) {
  const items = [EXTRACT, VALIDATE, RENDER].flatMap((path) => itemsOf(path, of));
  return items.length === 0 ? null : (
    <Menu label={t('Download')} side="end" class="button plain normal" items={items}>
      <Icon name="download" size={18} />
      {t('Download')}
    </Menu>
  );
}

function itemsOf(path: string, of: InvoiceFile): readonly MenuItem[] {
  const operation = available(path);
  if (operation === undefined) return [];
  return formatsOf(operation).map(({ value, label }, i) => ({
    label: t('{name}: {format}', { name: rt(operation.title), format: rt(label) }),
    apart: i === 0 && path !== EXTRACT,
    run: () => void save(path, of, String(value)),
  }));
}

async function save(path: string, of: InvoiceFile, format: string): Promise<void> {
  try {
    const { blob, header } = await run(path, of, format);
    saveFile(blob, fileNameOf(header('content-disposition')) ?? `${of.file.name.replace(/\.\w+$/, '')}.${format}`);
  } catch (error) {
    toast(asProblem(error).message, 'error');
  }
}
