import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Select } from '../../components/index.ts';
import { CannotShow } from '../document/cannot-show.tsx';
import type { NamedFile } from '../document/named-file.ts';
import { useDocument } from '../document/use-document.ts';
import type { ViewedDocument } from '../engine/index.ts';
import { t } from '../texts.ts';
import '../viewer.css';
import './picker.css';

interface ShownFileProps {
  readonly files: readonly NamedFile[];
  /** Class of the place that is kept free while the file is opened. */
  readonly place: string;
  readonly children: (document: ViewedDocument, file: NamedFile) => ComponentChildren;
}

/** Opens the first of the files, or the one that is chosen, and shows it; or says why it cannot be shown. */
export function ShownFile({ files, place, children }: ShownFileProps) {
  const [at, setAt] = useState(0);
  const shown = files[at] ?? files[0];
  const opened = useDocument(shown?.file, shown?.password);
  if (shown === undefined) return null;
  return (
    <div class="shown-file">
      {files.length > 1 ? (
        <Select
          aria-label={t('Shown file')}
          value={String(files.indexOf(shown))}
          options={files.map(({ name }, i) => ({ value: String(i), label: name }))}
          onValue={(chosen) => setAt(Number(chosen))}
        />
      ) : null}
      {opened.state === 'failed' ? (
        <CannotShow {...shown} failure={opened.failure} />
      ) : opened.state === 'open' ? (
        children(opened.document, shown)
      ) : (
        <div class={place} aria-busy="true" />
      )}
    </div>
  );
}
