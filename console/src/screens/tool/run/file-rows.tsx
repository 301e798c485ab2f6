import { Button, Icon } from '../../../components/index.ts';
import { saveFile } from '../../../files/index.ts';
import { formatBytes } from '../../../i18n/index.ts';
import './file-rows.css';
import { t } from '../texts.ts';

interface FileRow {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

interface FileRowsProps<T extends FileRow> {
  readonly files: readonly T[];
  readonly label?: string;
  /** The file that is shown below. */
  readonly shown?: number | undefined;
  /** Shows one; without it, rows only name the files. */
  readonly onShow?: (index: number) => void;
  /** The file that is shown can be closed again. */
  readonly closes?: boolean;
  /** Reads a file that is downloaded; without it, nothing is. */
  readonly read?: (file: T) => Promise<File>;
}

/** The files of a result: which one is shown, and each as a download. */
export function FileRows<T extends FileRow>({ files, label, shown, onShow, closes, read }: FileRowsProps<T>) {
  return (
    <ul class="file-rows" aria-label={label}>
      {files.map((file, i) => {
        const isShown = shown === i;
        const words = (
          <>
            {closes === true ? <Icon name={isShown ? 'eye-off' : 'eye'} size={16} /> : null}
            <bdi class="grow break">{file.name}</bdi>
            <span class="soft small">{formatBytes(file.size)}</span>
          </>
        );
        return (
          <li key={i}>
            {onShow === undefined ? (
              <span class="file-row">{words}</span>
            ) : (
              <button
                type="button"
                class="file-row"
                {...(closes === true ? { 'aria-expanded': isShown } : { 'aria-pressed': isShown })}
                onClick={() => onShow(i)}
              >
                {words}
              </button>
            )}
            {read === undefined ? null : (
              <Button
                kind="quiet"
                size="small"
                icon="download"
                class="icon-button small"
                aria-label={t('Download: {file}', { file: file.name })}
                onClick={() => void read(file).then((found) => saveFile(found, found.name))}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}
