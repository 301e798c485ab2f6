import { callJson, catalog } from '../../api/index.ts';
import { Button, Icon, LoadedView, Table, useLoaded } from '../../components/index.ts';
import { formatList, rt } from '../../i18n/index.ts';
import { copy } from '../tool/snippet-panel.tsx';
import type { Capabilities, Program } from './facts.ts';
import { t } from './texts.ts';

const ATTEMPTS = 10;
const ATTEMPT_MS = 500;

/** Programs that tools use: found or missing, and the command that installs them. */
export function Programs() {
  const loaded = useLoaded(loadPrograms, []);
  return (
    <LoadedView loaded={loaded}>
      {({ programs, ocrLanguages }) => (
        <>
          <Table<Program>
            label={t('Programs')}
            rows={[...programs].sort((a, b) => Number(a.found) - Number(b.found))}
            rowKey={({ name }) => name}
            columns={[
              {
                id: 'name',
                label: t('Program'),
                cell: ({ name, found }) => (
                  <span class="row nowrap">
                    <Icon
                      name={found ? 'circle-check' : 'circle-alert'}
                      size={18}
                      label={found ? t('Found') : t('Missing')}
                    />
                    <strong>{name}</strong>
                  </span>
                ),
              },
              {
                id: 'version',
                label: t('Version'),
                cell: ({ version, found }) => <bdi class="break">{found ? version : t('Not installed')}</bdi>,
              },
              { id: 'tools', label: t('Tools that lack it'), cell: ({ name }) => toolsThatLack(name) },
              {
                id: 'install',
                label: t('How to install it'),
                cell: ({ install }) => (install === undefined ? null : <Install text={install} />),
              },
            ]}
          />
          <section class="card stack">
            <h2>{t('Languages for text recognition')}</h2>
            <p>{ocrLanguages.length === 0 ? t('None is installed.') : formatList(ocrLanguages)}</p>
          </section>
        </>
      )}
    </LoadedView>
  );
}

/** The first call of all makes the server look for versions: they are there some moments later. */
async function loadPrograms(signal: AbortSignal): Promise<Capabilities> {
  for (let attempt = 1; ; attempt++) {
    const found = await callJson<Capabilities>('capabilities', { signal });
    if (found.programsComplete || attempt === ATTEMPTS) return found;
    await new Promise((resolve) => setTimeout(resolve, ATTEMPT_MS));
  }
}

function toolsThatLack(program: string): string {
  const lacking = (catalog.value?.operations ?? []).filter(({ availability }) =>
    (availability.missing ?? []).some(({ name }) => name === program),
  );
  return lacking.length === 0 ? '' : formatList(lacking.map(({ title }) => rt(title)));
}

/** Words, with the command in them to copy. */
function Install({ text }: { readonly text: string }) {
  const command = /(?:^|: )((?:sudo|apt|npm|brew)\b.*)$/.exec(text)?.[1];
  return (
    <span class="row">
      <span class="small break grow install-text" dir="auto">
        {text}
      </span>
      {command === undefined ? null : (
        <Button size="small" icon="copy" onClick={() => void copy(command)}>
          {t('Copy the command')}
        </Button>
      )}
    </span>
  );
}
