import { Button, Dialog } from '../../components/index.ts';
import { t } from './texts.ts';
import { workbench } from './workbench.ts';

/** Before the first change of a signed document. */
export function SignedQuestion() {
  const question = workbench.signedQuestion.value;
  if (question === undefined) return null;
  const { breaks, answer } = question;
  return (
    <Dialog
      size="small"
      title={t('This document is signed')}
      onClose={() => answer(false)}
      actions={
        <>
          <Button onClick={() => answer(false)}>{t('Cancel')}</Button>
          <Button kind={breaks ? 'danger' : 'primary'} onClick={() => answer(true)}>
            {t('Change it anyway')}
          </Button>
        </>
      }
    >
      <p>
        {breaks
          ? t('This change makes its signatures invalid, or removes them. Undo brings them back.')
          : t('The change is added behind what was signed. Readers will say that the document was changed since.')}
      </p>
    </Dialog>
  );
}
