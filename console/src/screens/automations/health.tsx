import { formatDate } from '../../i18n/index.ts';
import type { Automation, AutomationFile, SourceRow } from './model/automation.ts';
import { t } from './texts.ts';

interface HealthWordsProps {
  readonly automation: Automation;
  readonly sources: readonly SourceRow[];
  /** Why a file waits for something else than its turn. */
  readonly waiting: AutomationFile['reason'];
}

/** What an automation is doing or waiting for, in words. */
export function HealthWords({ automation, sources, waiting }: HealthWordsProps) {
  const { name, storageFolder, enabled, problems, files, nextStart } = automation;
  const atWork = files.running + files.delivering;
  const words = [
    ...(atWork === 0 ? [] : [t.count(atWork, 'It works on {count} file', 'It works on {count} files')]),
    ...(!enabled ? [t('Switched off: only people start it')] : []),
    ...(enabled && nextStart !== null ? [t('It starts next at {time}', { time: formatDate(nextStart) })] : []),
    ...(enabled && hasArrival(automation) && problems.length === 0 && atWork + files.waiting === 0
      ? [t('It waits for new files')]
      : []),
    ...(waiting === null && files.waiting > 0
      ? [t.count(files.waiting, '{count} file waits for its turn', '{count} files wait for their turn')]
      : []),
  ];
  return (
    <div class="stack-small" data-health>
      {problems.map(({ source, detail, since }) => (
        <p key={source ?? detail} class="small break automation-problem" dir="auto">
          {source === null
            ? detail
            : t('The source “{source}” cannot be reached since {time}: {detail}', {
                source: sources.find(({ id }) => id === source)?.name ?? (storageFolder === null ? source : name),
                time: since === undefined ? '?' : formatDate(since),
                detail,
              })}
        </p>
      ))}
      {waiting === null ? null : (
        <p class="small break automation-problem" dir="auto">
          {t('It waits: {reason}', { reason: waiting.detail || waiting.code })}
        </p>
      )}
      {words.length === 0 ? null : <p class="small break">{words.join(' · ')}</p>}
    </div>
  );
}

function hasArrival({ folder, inputs }: Automation): boolean {
  return folder !== null || inputs.some(({ source, trigger }) => source !== null && trigger.type === 'arrival');
}
