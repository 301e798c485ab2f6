import { useState } from 'preact/hooks';
import { asProblem, type Problem } from '../../../api/index.ts';
import { Button, Dialog, Field, ProblemNotice, Select, TextInput } from '../../../components/index.ts';
import { LanguageWidget } from '../../../form/widgets/language-widget.tsx';
import { formatList, rt } from '../../../i18n/index.ts';
import type { PartProps } from '../part.ts';
import { fieldOf, type Look, REDACT } from './calls.ts';
import type { Redaction } from './redaction.ts';
import { Check } from './terms-form.tsx';
import { t } from './texts.ts';
import { elsewhereWords, sumOf } from './words.ts';

interface ApplyDialogProps extends Pick<PartProps, 'apply' | 'ask'> {
  readonly redaction: Redaction;
  readonly onClose: () => void;
}

/** Says what is removed and how, before it is. */
export function ApplyDialog({ redaction, apply, ask, onClose }: ApplyDialogProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>();
  const look = redaction.look.value;
  const change = (part: Partial<Look>): void => void (redaction.look.value = { ...look, ...part });
  const job = redaction.job.value;
  const start = (): void => {
    setBusy(true);
    setProblem(undefined);
    redaction.apply({ apply, ask }).then(onClose, (error: unknown) => {
      setBusy(false);
      setProblem(asProblem(error));
    });
  };
  const outside = elsewhereWords(redaction.found.value?.preview.elsewhere ?? {});
  const captionFault = problem?.faults.find(({ pointer }) => pointer === '/style/caption')?.detail;
  return (
    <Dialog
      title={t('Redact the document')}
      onClose={onClose}
      closable={!busy}
      actions={
        <>
          <Button onClick={onClose} disabled={busy}>
            {t('Cancel')}
          </Button>
          <Button kind="danger" icon="eraser" busy={busy} disabled={job === undefined} onClick={start}>
            {t('Redact now')}
          </Button>
        </>
      }
    >
      <div class="stack">
        <p class="redact-sum">{t('Will be removed: {parts}.', { parts: formatList(sumOf(redaction)) })}</p>
        <ul class="redact-facts">
          <li>
            {t(
              'Text is removed from the file, not covered: it cannot be found, copied or brought back from the result.',
            )}
          </li>
          <li>
            {t('In areas and on whole pages, parts of images and drawings go as well; the rest of an image stays.')}
          </li>
          {job?.query === undefined ? null : (
            <>
              <li>
                {outside.length === 0
                  ? t('The terms were not found outside of the pages.')
                  : t('Outside of the pages, these go or are changed: {places}.', { places: formatList(outside) })}
              </li>
              <li>{t('Author, subject, keywords and XMP metadata are removed.')}</li>
              <li>{t('Text in images is not found by a search. Draw areas over it.')}</li>
            </>
          )}
          {job === undefined || job.query === undefined || job.keep.length === 0 ? null : (
            <li>
              {t.count(
                job.keep.length,
                '{count} match stays on its page. Outside of the pages its term goes everywhere.',
                '{count} matches stay on their pages. Outside of the pages their terms go everywhere.',
              )}
            </li>
          )}
        </ul>
        <div class="redact-look">
          <Field label={t('Colour of the boxes')}>
            {(control) => (
              <input
                {...control}
                type="color"
                class="input"
                value={look.colour}
                onInput={(event) => change({ colour: event.currentTarget.value })}
              />
            )}
          </Field>
          <Field label={t('Caption in the boxes')} help={t('Optional, such as the reason.')} error={captionFault}>
            {(control) => (
              <TextInput
                control={control}
                value={look.caption}
                maxLength={100}
                dir="auto"
                onText={(caption) => change({ caption })}
              />
            )}
          </Field>
        </div>
        <Verification look={look} change={change} />
        <Check
          label={t('Convert every page to one image')}
          checked={look.pictures}
          onChecked={(pictures) => change({ pictures })}
        />
        {problem === undefined || captionFault !== undefined || problem.isAbort ? null : (
          <ProblemNotice problem={problem} />
        )}
      </div>
    </Dialog>
  );
}

interface VerificationProps {
  readonly look: Look;
  readonly change: (part: Partial<Look>) => void;
}

/** How the server checks the result, where it offers a choice. */
function Verification({ look, change }: VerificationProps) {
  const verify = fieldOf(REDACT, 'verify');
  const languages = fieldOf(REDACT, 'languages');
  if (verify?.values === undefined) return null;
  return (
    <>
      <Field label={rt(verify.label)} help={verify.help === undefined ? undefined : rt(verify.help)}>
        {(control) => (
          <Select
            control={control}
            value={look.verify}
            options={(verify.values ?? []).map(({ value, label }) => ({ value: String(value), label: rt(label) }))}
            onValue={(value) => change({ verify: value })}
          />
        )}
      </Field>
      {look.verify !== 'ocr' || languages === undefined ? null : (
        <Field label={rt(languages.label)} group>
          {(control) => (
            <LanguageWidget
              field={languages}
              value={look.languages}
              control={control}
              onValue={(value: unknown) => change({ languages: value as readonly string[] })}
            />
          )}
        </Field>
      )}
    </>
  );
}
