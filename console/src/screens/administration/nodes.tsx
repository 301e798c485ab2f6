import { callJson } from '../../api/index.ts';
import { LoadedView, Notice, Table, useLoaded } from '../../components/index.ts';
import { formatBytes, formatDate, formatList, formatNumber } from '../../i18n/index.ts';
import { t } from './texts.ts';
import { useAgain } from './use-again.ts';

interface LostNode {
  readonly id: string;
  readonly role: 'both' | 'web' | 'worker';
  readonly version: string;
  readonly host: string;
  readonly address?: string;
  readonly startedAt: string;
  readonly seenAt: string;
}

interface Node extends LostNode {
  readonly here: boolean;
  readonly load?: { readonly busyWorkers: number; readonly workers: number; readonly memoryBytes: number };
  readonly programs: readonly string[];
}

interface NodesAnswer {
  readonly nodes: readonly Node[];
  readonly lost: readonly LostNode[];
}

const EVERY_MS = 5000;
const roles: Readonly<Record<Node['role'], string>> = {
  both: /* t */ 'Answers calls and runs jobs',
  web: /* t */ 'Answers calls',
  worker: /* t */ 'Runs jobs',
};

/** The servers that share the store, followed while the page is open. */
export function Nodes() {
  const loaded = useLoaded((signal) => callJson<NodesAnswer>('admin/nodes', { signal }), []);
  useAgain(loaded, EVERY_MS, true);
  return <LoadedView loaded={loaded}>{(answer) => <NodeList {...answer} />}</LoadedView>;
}

function NodeList({ nodes, lost }: NodesAnswer) {
  const versions = [...new Set(nodes.map(({ version }) => version))];
  return (
    <>
      {nodes.length > 1 || lost.length > 0 ? null : (
        <p class="soft">
          {t('One server does all the work. Others share it when they use the same store: {setting}.', {
            setting: 'store.mongodb.url',
          })}
        </p>
      )}
      {versions.length < 2 ? null : (
        <Notice kind="warning">
          <p>{t('The servers have different versions: {versions}.', { versions: formatList(versions) })}</p>
        </Notice>
      )}
      {lost.map((node) => (
        <LostNotice key={node.id} node={node} />
      ))}
      <Table<Node>
        label={t('Servers')}
        rows={nodes}
        rowKey={({ id }) => id}
        columns={[
          {
            id: 'name',
            label: t('Server'),
            cell: ({ id, here, address }) => (
              <>
                <span class="row">
                  <strong class="break">{id}</strong>
                  {here ? <span class="badge accent">{t('Answers this page')}</span> : null}
                </span>
                {address === undefined ? null : <code class="soft small break">{address}</code>}
              </>
            ),
          },
          { id: 'role', label: t('Work'), cell: ({ role }) => t(roles[role]) },
          { id: 'version', label: t('Version'), cell: ({ version }) => version },
          {
            id: 'load',
            label: t('Busy workers'),
            number: true,
            cell: ({ load }) =>
              load === undefined
                ? t('Unknown')
                : t('{count} of {all}', { count: formatNumber(load.busyWorkers), all: formatNumber(load.workers) }),
          },
          {
            id: 'memory',
            label: t('Memory'),
            number: true,
            cell: ({ load }) => (load === undefined ? t('Unknown') : formatBytes(load.memoryBytes)),
          },
          { id: 'programs', label: t('Programs'), cell: ({ programs }) => formatList(programs) || t('None') },
          { id: 'started', label: t('Started'), cell: ({ startedAt }) => formatDate(startedAt) },
          { id: 'seen', label: t('Last seen'), cell: ({ seenAt }) => formatDate(seenAt, { timeStyle: 'medium' }) },
        ]}
      />
    </>
  );
}

/** A server that has crashed or lost the store: whoever runs the servers should know. */
function LostNotice({ node: { id, host, role, seenAt } }: { readonly node: LostNode }) {
  return (
    <Notice
      kind="error"
      title={t('“{name}” has not been heard from since {time}', {
        name: id,
        time: formatDate(seenAt, { dateStyle: 'medium', timeStyle: 'medium' }),
      })}
    >
      <p>
        {t('It has crashed, or it cannot reach the store. Look at its log on {host}, and start it again.', { host })}
      </p>
      {role === 'web' ? null : <p>{t('Jobs that it ran are run again by another server.')}</p>}
    </Notice>
  );
}
