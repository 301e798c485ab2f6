import { rt } from '../../../i18n/index.ts';
import { operationOf } from '../../../api/index.ts';
import { openToolWith } from '../../../app/hand-over.ts';
import { Icon } from '../../../components/index.ts';
import type { FilledForm, Placed } from './filled-form.ts';
import { t } from './texts.ts';
import { useWanted } from './use-wanted.ts';

const SIGN = 'security/cert-sign';

interface SignLinkProps {
  readonly file: File;
  /** Of the field. */
  readonly label: string;
  /** The place on a page that it fills. */
  readonly form?: FilledForm;
  readonly placed?: Placed;
  readonly small?: boolean;
}

/** Leads to the tool that signs, with the document; nothing where the server does not have it. */
export function SignLink({ file, label, form, placed, small = false }: SignLinkProps) {
  const focus = useWanted<HTMLAnchorElement>(form, placed);
  const tool = operationOf(SIGN);
  if (tool === undefined) return null;
  const words = t('Sign with the tool “{tool}”', { tool: rt(tool.title) });
  return (
    <a
      {...focus}
      class={placed === undefined ? 'button plain small' : 'form-sign'}
      href={`tool/${SIGN}`}
      aria-label={`${label}: ${words}`}
      title={words}
      onClick={(event) => {
        event.preventDefault();
        openToolWith(SIGN, [file]);
      }}
    >
      <Icon name="file-signature" size={16} />
      {small ? null : <span>{rt(tool.title)}</span>}
    </a>
  );
}
