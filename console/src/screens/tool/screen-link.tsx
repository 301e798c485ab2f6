import type { OperationScreen } from '@quire/registry';
import { openScreenWith } from '../../app/hand-over.ts';
import { Button, Icon } from '../../components/index.ts';
import type { Draft } from './draft.ts';
import { t } from './texts.ts';

const PAGES = /* t */ 'Easier with the pages in view:';

/** Why a screen is easier, if not for its view of pages; texts of this screen's catalogue. */
const reasons: Readonly<Partial<Record<OperationScreen, string>>> = {
  invoices: /* t */ 'Document, data and findings side by side:',
  'invoices/new': /* t */ 'Easier with a form:',
};
/** What is done on each screen. */
const actions: Readonly<Record<OperationScreen, string>> = {
  organise: /* t */ 'Organise pages',
  'document/forms': /* t */ 'Fill in on the page',
  'document/redact': /* t */ 'Redact on the page',
  'document/bookmarks': /* t */ 'Edit the bookmarks',
  'document/attachments': /* t */ 'Edit the attachments',
  'document/labels': /* t */ 'Edit the page labels',
  'document/metadata': /* t */ 'Edit the metadata',
  invoices: /* t */ 'Show the invoice',
  'invoices/new': /* t */ 'Fill in an invoice',
};

/** Opens the screen that the operation declares, with the chosen files; an invoice is written from the beginning. */
export function ScreenLink({ draft, screen }: { readonly draft: Draft; readonly screen: OperationScreen }) {
  const [first] = draft.operation.parts;
  const files = (draft.files.value[first?.field ?? ''] ?? []).map(({ file }) => file);
  return (
    <div class="screen-link">
      <Icon name="mouse-pointer-click" />
      <p class="grow">{t(reasons[screen] ?? PAGES)}</p>
      <Button icon="arrow-right" onClick={() => openScreenWith(screen, screen === 'invoices/new' ? [] : files)}>
        {t(actions[screen])}
      </Button>
    </div>
  );
}
