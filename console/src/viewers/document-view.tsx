import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { asProblem, loadModule, type Problem } from '../api/index.ts';
import { Loading, ProblemNotice } from '../components/index.ts';
import { t } from '../i18n/frame.ts';
import { textsReady } from '../i18n/index.ts';
import { LargeFile, LoadingFile } from './large-file.tsx';
import { type FileLoad, type FileSource, loadFile } from './load-file.ts';
import type { ViewProps } from './view-props.ts';
import { kindOf, type ViewKind } from './view-kinds.ts';

interface DocumentViewProps {
  /** The file, its address, or what loads it: a large one is loaded only when somebody wants it. */
  readonly source: Blob | string | FileSource;
  readonly name: string;
  /** Shown beside it, where both are PDFs. */
  readonly original?: File | undefined;
  /** The page that is shown first, 0-based, of a file that is there. */
  readonly page?: number;
  /** Called with the file once it is loaded. */
  readonly onLoaded?: (blob: Blob) => void;
}

/** The viewer of each kind; each is loaded when it is first needed. */
const viewers: Readonly<Record<ViewKind, () => Promise<ComponentType<ViewProps>>>> = {
  pdf: async () => (await import('./pdf-file-view.tsx')).PdfFileView,
  image: async () => (await import('./image-view.tsx')).ImageView,
  json: async () => (await import('./json-view.tsx')).JsonView,
  text: async () => (await import('./text-view.tsx')).TextView,
  other: async () => (await import('./file-view.tsx')).FileView,
};

/** Shows a file: PDFs page by page, images, texts, JSON as tables; of others name and size. */
export function DocumentView({ source, name, original, page, onLoaded }: DocumentViewProps) {
  if (source instanceof Blob) return <FileContent blob={source} name={name} original={original} page={page} />;
  const key = typeof source === 'string' ? source : '';
  return <RemoteFile key={key} source={source} name={name} original={original} onLoaded={onLoaded} />;
}

interface RemoteFileProps extends Omit<ViewProps, 'blob'> {
  readonly source: string | FileSource;
  readonly onLoaded: ((blob: Blob) => void) | undefined;
}

function RemoteFile({ source, name, original, onLoaded }: RemoteFileProps) {
  const [load, setLoad] = useState<FileLoad>({ state: 'loading', share: undefined, bytes: undefined });
  const [wanted, setWanted] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>();
  useEffect(() => {
    const stop = new AbortController();
    setProblem(undefined);
    const report = (state: FileLoad): void => {
      setLoad(state);
      if (state.state === 'loaded') onLoaded?.(state.blob);
    };
    loadFile(source, wanted, stop, report).catch((error: unknown) => {
      if (!stop.signal.aborted) setProblem(asProblem(error));
    });
    return () => stop.abort();
  }, [source, wanted]);
  if (problem !== undefined) return <ProblemNotice problem={problem} />;
  if (load.state === 'asking') return <LargeFile name={name} bytes={load.bytes} onWanted={() => setWanted(true)} />;
  if (load.state === 'loaded') return <FileContent blob={load.blob} name={name} original={original} />;
  return wanted ? <LoadingFile load={load} onCancel={() => setWanted(false)} /> : <Loading label={t('Loading')} />;
}

function FileContent({ blob, name, original, page }: ViewProps) {
  const [shown, setShown] = useState<{ readonly View: ComponentType<ViewProps>; readonly blob: Blob } | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  useEffect(() => {
    let current = true;
    setShown(undefined);
    setProblem(undefined);
    const load = async (): Promise<void> => {
      const View = await loadModule(viewers[kindOf(blob, name)]);
      await textsReady();
      if (current) setShown({ View, blob });
    };
    load().catch((error: unknown) => current && setProblem(asProblem(error)));
    return () => {
      current = false;
    };
  }, [blob, name]);
  if (problem !== undefined) return <ProblemNotice problem={problem} />;
  if (shown === undefined) return <Loading label={t('Loading')} />;
  return <shown.View blob={shown.blob} name={name} original={original} page={page} />;
}
