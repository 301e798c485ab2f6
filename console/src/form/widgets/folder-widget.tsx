import { useEffect, useState } from 'preact/hooks';
import { callJson } from '../../api/index.ts';
import { Select } from '../../components/index.ts';
import { compareTexts } from '../../i18n/index.ts';
import { t } from '../texts.ts';
import { TextWidget } from './text-widgets.tsx';
import type { WidgetProps } from './widget.ts';

interface Folder {
  readonly id: string;
  readonly name: string;
  readonly parentFolderId: string | null;
}

/** A folder of the file storage, by its way from the outermost one; its id where the storage is off. */
export function FolderWidget(props: WidgetProps) {
  const { field, control, value, onValue } = props;
  const [folders, setFolders] = useState<readonly Folder[] | undefined>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    callJson<readonly Folder[]>('storage/folders', { signal: stop.signal, login: 'quiet' }).then(setFolders, () =>
      setFailed(!stop.signal.aborted),
    );
    return () => stop.abort();
  }, []);
  if (failed) return <TextWidget {...props} />;
  const chosen = String(value);
  const known = (folders ?? []).map(({ id }) => ({ value: id, label: wayTo(id, folders ?? []) }));
  const isKnown = chosen === '' || known.some((option) => option.value === chosen);
  return (
    <Select
      control={control}
      value={chosen}
      options={[
        { value: '', label: field.required ? t('Choose a folder') : t('The outermost folder') },
        // The folder of somebody else, or one that was deleted.
        ...(isKnown ? [] : [{ value: chosen, label: chosen }]),
        ...known.sort((a, b) => compareTexts(a.label, b.label)),
      ]}
      onValue={onValue}
    />
  );
}

function wayTo(id: string, folders: readonly Folder[]): string {
  const folder = folders.find((each) => each.id === id);
  if (folder === undefined) return id;
  const { name, parentFolderId } = folder;
  return parentFolderId === null ? name : `${wayTo(parentFolderId, folders)} / ${name}`;
}
