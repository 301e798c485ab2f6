import { useRef } from 'preact/hooks';
import { ToolForm } from '../../../form/form.tsx';
import type { AutomationDraft } from '../model/automation-draft.ts';
import type { FieldsDraft } from '../model/fields-draft.ts';
import { t } from '../texts.ts';

/** Filters, and how files are worked on. */
export function MorePart({ draft }: { readonly draft: AutomationDraft }) {
  return (
    <>
      <Folded title={t('Only some files')} draft={draft.filters} />
      <Folded title={t('Order, speed and further attempts')} draft={draft.advanced} />
    </>
  );
}

/** A form that is opened when it is wanted, or when something in it is wrong. */
function Folded({ title, draft }: { readonly title: string; readonly draft: FieldsDraft }) {
  const isWrong = draft.operation.fields.some(({ name }) => draft.faultOf(name) !== undefined);
  // It does not close while somebody corrects what was wrong.
  const wasWrong = useRef(false);
  wasWrong.current ||= isWrong;
  return (
    <details class="card automation-more" open={wasWrong.current || undefined}>
      <summary>{title}</summary>
      <ToolForm draft={draft} />
    </details>
  );
}
