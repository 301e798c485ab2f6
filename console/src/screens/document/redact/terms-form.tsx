import { Button, Field, ProblemNotice, TextArea } from '../../../components/index.ts';
import { rt } from '../../../i18n/index.ts';
import type { PartProps } from '../part.ts';
import { fieldOf, isEmpty, lineOfFault, PREVIEW, type Query } from './calls.ts';
import type { Redaction } from './redaction.ts';
import { t } from './texts.ts';

interface TermsFormProps {
  readonly redaction: Redaction;
  readonly ask: PartProps['ask'];
}

/** Terms, one by line, how they are matched, and the ready patterns that the server declares. */
export function TermsForm({ redaction, ask }: TermsFormProps) {
  const query = redaction.query.value;
  const change = (part: Partial<Query>): void => void (redaction.query.value = { ...query, ...part });
  const search = (): void => void redaction.search(ask);
  const problem = redaction.problem.value;
  const error = termsError(redaction);
  const presets = fieldOf(PREVIEW, 'presets')?.values ?? [];
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        search();
      }}
    >
      <Field label={t('Search for')} help={t('One term on each line. Ctrl+Enter searches.')} error={error}>
        {(control) => (
          <TextArea
            control={control}
            rows={3}
            value={query.lines}
            dir="auto"
            spellcheck={false}
            class={query.regex ? 'code' : ''}
            onText={(lines) => change({ lines })}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
              event.preventDefault();
              search();
            }}
          />
        )}
      </Field>
      <div class="redact-options" role="group" aria-label={t('How terms are matched')}>
        <Check label={t('Whole words')} checked={query.wholeWord} onChecked={(wholeWord) => change({ wholeWord })} />
        <Check label={t('Match case')} checked={query.matchCase} onChecked={(matchCase) => change({ matchCase })} />
        <Check label={t('Regular expressions')} checked={query.regex} onChecked={(regex) => change({ regex })} />
      </div>
      {presets.length === 0 ? null : (
        <div class="redact-options" role="group" aria-label={t('Ready patterns')}>
          {presets.map(({ value, label }) => {
            const name = String(value);
            return (
              <Check
                key={name}
                label={rt(label)}
                checked={query.presets.includes(name)}
                onChecked={(on) =>
                  change({ presets: on ? [...query.presets, name] : query.presets.filter((each) => each !== name) })
                }
              />
            );
          })}
        </div>
      )}
      <div class="row">
        <Button type="submit" kind="primary" icon="search" busy={redaction.searching.value} disabled={isEmpty(query)}>
          {t('Search')}
        </Button>
      </div>
      {problem === undefined || error !== undefined ? null : <ProblemNotice problem={problem} />}
    </form>
  );
}

interface CheckProps {
  readonly label: string;
  readonly checked: boolean;
  /** Some of what it stands for is checked. */
  readonly mixed?: boolean;
  readonly onChecked: (checked: boolean) => void;
}

export function Check({ label, checked, mixed = false, onChecked }: CheckProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={checked}
        indeterminate={mixed}
        onChange={(event) => onChecked(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}

/** What the server says against a term, with its line. */
function termsError({ problem, query }: Redaction): string | undefined {
  const faults = (problem.value?.faults ?? []).filter(({ pointer }) => pointer.startsWith('/terms'));
  if (faults.length === 0) return undefined;
  return faults
    .map(({ pointer, detail }) => {
      const line = lineOfFault(pointer, query.value);
      return line === undefined ? detail : t('Line {line}: {reason}', { line, reason: detail });
    })
    .join(' ');
}
