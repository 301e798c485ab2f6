import { Button, Notice } from '../../../components/index.ts';
import { formatList } from '../../../i18n/index.ts';
import { t } from './texts.ts';
import type { Taken } from './value-file.ts';

interface OutcomeProps {
  readonly report: unknown;
  readonly onClose: () => void;
}

/** What `form/fill` reports, in words. */
export function Outcome({ report, onClose }: OutcomeProps) {
  const facts = (typeof report === 'object' && report !== null ? report : {}) as Readonly<Record<string, unknown>>;
  const filled = typeof facts['filled'] === 'number' ? facts['filled'] : 0;
  const words = [
    says(facts, 'dropped', (names) => t('Left out, because the field has no such choice: {names}', { names })),
    says(facts, 'unknown', (names) => t('Not found in the document: {names}', { names })),
    says(facts, 'notCalculated', (names) =>
      t('Scripts of the document do not run here. Check these fields, which one would calculate: {names}', { names }),
    ),
    says(facts, 'notFormatted', (names) =>
      t('Scripts of the document do not run here. These fields show what was entered, without its format: {names}', {
        names,
      }),
    ),
    facts['xfa'] === 'removed'
      ? t('The XFA form of the document was removed: it would have shown the old values.')
      : undefined,
    facts['rasterised'] === true
      ? t('The pages are pictures now, because the form could not be flattened in another way.')
      : undefined,
  ].filter((text) => text !== undefined);
  return (
    <Notice
      kind={words.length === 0 ? 'done' : 'warning'}
      title={t.count(filled, '{count} field filled in', '{count} fields filled in')}
      actions={<Button onClick={onClose}>{t('Close')}</Button>}
    >
      {words.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </Notice>
  );
}

function says(
  facts: Readonly<Record<string, unknown>>,
  fact: string,
  words: (names: string) => string,
): string | undefined {
  const names = facts[fact];
  return Array.isArray(names) && names.length > 0 ? words(formatList(names.map(String))) : undefined;
}

interface ImportedProps {
  /** Undefined for a file without values. */
  readonly taken: Taken | undefined;
  readonly onClose: () => void;
}

/** What became of a file with values. */
export function Imported({ taken, onClose }: ImportedProps) {
  const close = <Button onClick={onClose}>{t('Close')}</Button>;
  if (taken === undefined)
    return (
      <Notice kind="error" title={t('The file has no values')} actions={close}>
        <p>{t('Choose a JSON file of names and values, or a CSV file with a name and a value in each row.')}</p>
      </Notice>
    );
  const { unknown, refused } = taken;
  return (
    <Notice
      kind={unknown.length + refused.length === 0 ? 'done' : 'warning'}
      title={t.count(taken.taken, '{count} value entered from the file', '{count} values entered from the file')}
      actions={close}
    >
      {unknown.length === 0 ? null : (
        <p>{t('Not fields that can be changed here: {names}', { names: formatList(unknown.slice(0, 20)) })}</p>
      )}
      {refused.length === 0 ? null : (
        <p>
          {t('Left out, because the field has no such choice: {names}', { names: formatList(refused.slice(0, 20)) })}
        </p>
      )}
    </Notice>
  );
}
