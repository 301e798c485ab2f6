import type { OperationScreen } from '@quire/registry';
import { openScreenWith } from '../../app/hand-over.ts';
import { Button, Icon } from '../../components/index.ts';
import type { Draft } from './draft.ts';
import { t } from './texts.ts';

/** What is done on each screen; a text of this screen's catalogue. */
const actions: Readonly<Record<OperationScreen, string>> = {
  organise: /* t */ 'Organise pages',
  'document/forms': /* t */ 'Fill in on the page',
  'document/redact': /* t */ 'Redact on the page',
  'document/bookmarks': /* t */ 'Edit the bookmarks',
  'document/attachments': /* t */ 'Edit the attachments',
  'document/labels': /* t */ 'Edit the page labels',
  'document/metadata': /* t */ 'Edit the metadata',
};

/** Opens the screen that the operation declares, with the chosen files: nobody has to know field names. */
export function ScreenLink({ draft, screen }: { readonly draft: Draft; readonly screen: OperationScreen }) {
  const [first] = draft.operation.parts;
  const files = (draft.files.value[first?.field ?? ''] ?? []).map(({ file }) => file);
  return (
    <div class="screen-link">
      <Icon name="mouse-pointer-click" />
      <p class="grow">{t('Easier with the pages in view:')}</p>
      <Button icon="arrow-right" onClick={() => openScreenWith(screen, files)}>
        {t(actions[screen])}
      </Button>
    </div>
  );
}
