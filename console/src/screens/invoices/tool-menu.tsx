import { openToolWith } from '../../app/hand-over.ts';
import { Icon, Menu } from '../../components/index.ts';
import { rt } from '../../i18n/index.ts';
import { toolsOfScreen } from './operations.ts';
import { t } from './texts.ts';

/** Opens a tool of this screen with the invoice that is shown. */
export function ToolMenu({ file }: { readonly file: File }) {
  const extension = /\.[^.]+$/.exec(file.name)?.[0].toLowerCase() ?? '';
  const tools = toolsOfScreen().filter(({ parts }) => parts[0]?.extensions.includes(extension));
  return tools.length === 0 ? null : (
    <Menu
      label={t('Tools')}
      side="end"
      class="button plain normal"
      items={tools.map(({ path, title }) => ({ label: rt(title), run: () => openToolWith(path, [file]) }))}
    >
      <Icon name="wrench" size={18} />
      {t('Tools')}
    </Menu>
  );
}
