import { useEffect, useState } from 'preact/hooks';
import { Loading } from '../../components/index.ts';
import { t } from '../texts.ts';
import '../viewer.css';
import { CannotShow } from './cannot-show.tsx';
import { ComparedView } from './compared-view.tsx';
import type { Followed } from './followed.ts';
import type { NamedFile } from './named-file.ts';
import { SingleView } from './single-view.tsx';
import { useDocument } from './use-document.ts';
import type { Wanting } from './use-wanted.ts';

export interface PdfViewProps extends NamedFile, Followed, Wanting {
  /** The PDF that this one was made of, shown beside it. */
  readonly original?: NamedFile | undefined;
  /** The page that is shown first, 0-based. */
  readonly page?: number;
}

/** A PDF, page by page: zoom, search, text to select, and the original beside a result. */
export function PdfView(props: PdfViewProps) {
  const { file, name, password, original, page = 0, target, onPage, wanted, onWanted } = props;
  const main = useDocument(file, password);
  const other = useDocument(original?.file, original?.password);
  const patient = useAfter(300);
  if (main.state === 'failed') return <CannotShow file={file} name={name} failure={main.failure} />;
  // A locked original does not ask for its password when its result can be shown.
  const waits = original !== undefined && other.state === 'opening';
  if (main.state === 'opening' || waits)
    return <div class="viewer">{patient ? <Loading label={t('Opening “{name}”', { name })} /> : null}</div>;
  if (other.state === 'open')
    return <ComparedView document={main.document} name={name} original={other.document} page={page} />;
  return (
    <SingleView
      document={main.document}
      name={name}
      page={page}
      target={target}
      onPage={onPage}
      wanted={wanted}
      onWanted={onWanted}
    />
  );
}

/** True after some milliseconds: what takes less needs no sign of waiting. */
function useAfter(ms: number): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return over;
}
