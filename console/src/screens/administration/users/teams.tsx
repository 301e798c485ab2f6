import { useState } from 'preact/hooks';
import { callJson, formData } from '../../../api/index.ts';
import {
  ActionDialog,
  Button,
  Field,
  IconButton,
  LoadedView,
  Table,
  TextInput,
  useLoaded,
} from '../../../components/index.ts';
import { formatNumber } from '../../../i18n/index.ts';
import { GrantsDialog } from '../roles/grants-dialog.tsx';
import '../roles/roles.css';
import { t } from '../texts.ts';

interface Team {
  readonly id: number;
  readonly name: string;
  readonly userCount: number;
}
type Open = { readonly what: 'add' } | { readonly what: 'rename' | 'delete' | 'grants'; readonly team: Team };

/** Teams: create, rename, delete empty ones. Members are moved in the list of users. */
export function Teams() {
  const [open, setOpen] = useState<Open | undefined>();
  const [name, setName] = useState('');
  const loaded = useLoaded(() => callJson<{ teamsWithCounts: readonly Team[] }>('proprietary/ui-data/teams'), []);
  const close = (): void => setOpen(undefined);
  const nameField = (
    <Field label={t('Name')} required>
      {(control) => <TextInput control={control} autoFocus value={name} onText={setName} />}
    </Field>
  );
  return (
    <LoadedView loaded={loaded}>
      {({ teamsWithCounts }) => (
        <>
          <div class="row">
            <Button
              kind="primary"
              icon="plus"
              onClick={() => {
                setName('');
                setOpen({ what: 'add' });
              }}
            >
              {t('Add a team')}
            </Button>
          </div>
          <Table<Team>
            label={t('Teams')}
            rows={teamsWithCounts}
            rowKey={({ id }) => String(id)}
            columns={[
              { id: 'name', label: t('Name'), cell: (team) => <strong class="break">{team.name}</strong> },
              { id: 'count', label: t('Users'), number: true, cell: ({ userCount }) => formatNumber(userCount) },
              {
                id: 'actions',
                label: t('Actions'),
                quiet: true,
                cell: (team) => (
                  <span class="row end">
                    <IconButton
                      icon="wrench"
                      label={t('Tools of {name} beside the role', { name: team.name })}
                      onClick={() => setOpen({ what: 'grants', team })}
                    />
                    <IconButton
                      icon="pencil"
                      label={t('Rename {name}', { name: team.name })}
                      onClick={() => {
                        setName(team.name);
                        setOpen({ what: 'rename', team });
                      }}
                    />
                    <IconButton
                      icon="trash-2"
                      label={t('Delete {name}', { name: team.name })}
                      onClick={() => setOpen({ what: 'delete', team })}
                    />
                  </span>
                ),
              },
            ]}
          />
          {open?.what === 'add' ? (
            <ActionDialog
              title={t('Add a team')}
              action={t('Add')}
              valid={name.trim() !== ''}
              onClose={close}
              run={async () => {
                await callJson('team/create', { body: formData({ name: name.trim() }) });
                await loaded.reload();
              }}
            >
              {nameField}
            </ActionDialog>
          ) : null}
          {open?.what === 'rename' ? (
            <ActionDialog
              title={t('Rename {name}', { name: open.team.name })}
              action={t('Save')}
              valid={name.trim() !== ''}
              onClose={close}
              run={async () => {
                await callJson('team/rename', { body: formData({ teamId: open.team.id, newName: name.trim() }) });
                await loaded.reload();
              }}
            >
              {nameField}
            </ActionDialog>
          ) : null}
          {open?.what === 'grants' ? (
            <GrantsDialog principalType="TEAM" principalId={open.team.id} name={open.team.name} onClose={close} />
          ) : null}
          {open?.what === 'delete' ? (
            <ActionDialog
              title={t('Delete {name}', { name: open.team.name })}
              action={t('Delete')}
              danger
              onClose={close}
              run={async () => {
                await callJson('team/delete', { body: formData({ teamId: open.team.id }) });
                await loaded.reload();
              }}
            >
              <p>{t('Only a team without users can be deleted.')}</p>
            </ActionDialog>
          ) : null}
        </>
      )}
    </LoadedView>
  );
}
