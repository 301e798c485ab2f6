import { useRef } from 'preact/hooks';
import { Loading } from '../../components/index.ts';
import type { ViewedDocument } from '../engine/index.ts';
import { t } from '../texts.ts';
import '../viewer.css';
import { CannotShow } from './cannot-show.tsx';
import type { Followed } from './followed.ts';
import type { PageListHandle, PageOverlay } from './page-list.tsx';
import { SingleView } from './single-view.tsx';
import { useDocument } from './use-document.ts';

interface OverlaidViewProps extends Pick<Followed, 'onPage'> {
  /** Versions of one document; the pages of the last one stay until those of the next can be shown. */
  readonly file: File;
  readonly overlay: PageOverlay;
  /** Gets what scrolls the pages; null until they are shown. */
  readonly handle: { current: PageListHandle | null };
  /** The page that is shown first, 0-based. */
  readonly page: number;
}

/** A PDF, page by page, with something drawn above each page. */
export function OverlaidView({ file, overlay, handle, page, onPage }: OverlaidViewProps) {
  const opening = useDocument(file);
  const last = useRef<ViewedDocument | undefined>(undefined);
  if (opening.state === 'open') last.current = opening.document;
  if (opening.state === 'failed') return <CannotShow file={file} name={file.name} failure={opening.failure} />;
  if (last.current === undefined)
    return (
      <div class="viewer">
        <Loading label={t('Opening “{name}”', { name: file.name })} />
      </div>
    );
  const [document, name] = [last.current, file.name];
  return <SingleView document={document} name={name} page={page} overlay={overlay} handle={handle} onPage={onPage} />;
}
