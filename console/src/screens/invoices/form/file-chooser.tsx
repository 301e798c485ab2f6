import { useRef } from 'preact/hooks';
import { Button, Icon, IconButton, type ControlProps } from '../../../components/index.ts';
import { t } from '../texts.ts';

interface FileChooserProps {
  readonly label: string;
  readonly control: ControlProps;
  /** Ends of names. */
  readonly accept: readonly string[];
  readonly chosen: { readonly name: string; readonly note: string } | undefined;
  /** Undefined: without a file again. */
  readonly onFile: (file: File | undefined) => void;
}

/** The control of a field whose value is one file. */
export function FileChooser({ label, control, accept, chosen, onFile }: FileChooserProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div class="row invoice-file">
      <Button
        size="small"
        icon={chosen === undefined ? 'folder-open' : 'refresh-cw'}
        aria-label={
          chosen === undefined ? `${label}: ${t('Choose a file')}` : `${label}: ${t('Choose a different file')}`
        }
        aria-describedby={control['aria-describedby']}
        onClick={() => input.current?.click()}
      >
        {chosen === undefined ? t('Choose a file') : t('Choose a different file')}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept.join(',')}
        aria-label={label}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          // The same file can be chosen again.
          currentTarget.value = '';
          if (file !== undefined) onFile(file);
        }}
      />
      {chosen === undefined ? null : (
        <>
          <Icon name="file-text" size={16} />
          <bdi class="break">{chosen.name}</bdi>
          <span class="soft small">{chosen.note}</span>
          <IconButton
            size="small"
            icon="x"
            label={t('Remove: {name}', { name: chosen.name })}
            onClick={() => onFile(undefined)}
          />
        </>
      )}
    </div>
  );
}
