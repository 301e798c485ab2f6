import { useState } from 'preact/hooks';
import { asProblem, callJson, catalog } from '../../../api/index.ts';
import { Button, Dialog, Field, IconButton, LoadedView, Select, toast, useLoaded } from '../../../components/index.ts';
import { rt } from '../../../i18n/index.ts';
import { toolTitle } from './tool-choices.tsx';
import { t } from './texts.ts';

interface Grant {
  readonly id: number;
  readonly resourceType: 'PORTAL' | 'INTEGRATION_CONFIG' | 'OPERATION' | 'CATEGORY';
  readonly resourceId: string;
}

interface GrantsDialogProps {
  readonly principalType: 'USER' | 'TEAM';
  readonly principalId: number;
  readonly name: string;
  readonly onClose: () => void;
}

const PATH = 'admin/access/grants';

/** Tools that a user or a team has beside those of the role. */
export function GrantsDialog({ principalType, principalId, name, onClose }: GrantsDialogProps) {
  const [chosen, setChosen] = useState('');
  const loaded = useLoaded(
    () => callJson<readonly Grant[]>(`${PATH}/by-principal`, { query: { principalType, principalId } }),
    [],
  );
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      toast(asProblem(error).message, 'error');
    }
    await loaded.reload();
  };
  const add = async (): Promise<void> => {
    const [resourceType = '', resourceId = ''] = chosen.split(':');
    await attempt(() => callJson(PATH, { body: { resourceType, resourceId, principalType, principalId } }));
    setChosen('');
  };
  return (
    <Dialog title={t('Tools of {name} beside the role', { name })} onClose={onClose}>
      <LoadedView loaded={loaded}>
        {(grants) => (
          <>
            {grants.length === 0 ? <p class="soft">{t('None: the role alone decides.')}</p> : null}
            <ul class="holders">
              {grants.map((grant) => (
                <li key={grant.id} class="row nowrap">
                  <span class="grow break">{grantTitle(grant)}</span>
                  <IconButton
                    icon="trash-2"
                    label={t('Take back {name}', { name: grantTitle(grant) })}
                    onClick={() => void attempt(() => callJson(`${PATH}/${grant.id}`, { method: 'DELETE' }))}
                  />
                </li>
              ))}
            </ul>
            <Field label={t('Grant a tool')}>
              {(control) => <Select control={control} value={chosen} onValue={setChosen} options={choices()} />}
            </Field>
            <div class="dialog-actions">
              <Button kind="primary" disabled={chosen === ''} onClick={() => void add()}>
                {t('Grant')}
              </Button>
            </div>
          </>
        )}
      </LoadedView>
    </Dialog>
  );
}

function choices() {
  const { categories = [], operations = [] } = catalog.value ?? {};
  return [
    { value: '', label: '' },
    ...categories.map(({ id, title }) => ({
      value: `CATEGORY:${id}`,
      label: t('All of {category}', { category: rt(title) }),
    })),
    ...operations
      .map(({ path, title }) => ({ value: `OPERATION:${path}`, label: rt(title) }))
      .sort((a, b) => a.label.localeCompare(b.label)),
  ];
}

function grantTitle({ resourceType, resourceId }: Grant): string {
  if (resourceType === 'OPERATION') return toolTitle(resourceId);
  if (resourceType === 'PORTAL') return t('Portal');
  if (resourceType === 'INTEGRATION_CONFIG') return t('Connection {id}', { id: resourceId });
  const category = catalog.value?.categories.find(({ id }) => id === resourceId);
  return t('All of {category}', { category: category === undefined ? resourceId : rt(category.title) });
}
