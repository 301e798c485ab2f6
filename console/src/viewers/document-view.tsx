import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { asProblem, loadFile, type Problem } from '../api/index.ts';
import { Loading, ProblemNotice } from '../components/index.ts';
import { t } from '../i18n/frame.ts';
import { textsReady } from '../i18n/index.ts';
import type { ViewProps } from './view-props.ts';
import { kindOf, type ViewKind } from './view-kinds.ts';

interface DocumentViewProps {
  /** The file, or its address. */
  readonly source: Blob | string;
  readonly name: string;
  /** Shown beside it, where both are PDFs. */
  readonly original?: File | undefined;
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
export function DocumentView({ source, name, original }: DocumentViewProps) {
  const [shown, setShown] = useState<{ readonly View: ComponentType<ViewProps>; readonly blob: Blob } | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  useEffect(() => {
    let current = true;
    setShown(undefined);
    setProblem(undefined);
    const load = async (): Promise<void> => {
      const blob = typeof source === 'string' ? await loadFile(source) : source;
      const View = await viewers[kindOf(blob, name)]();
      await textsReady();
      if (current) setShown({ View, blob });
    };
    load().catch((error: unknown) => current && setProblem(asProblem(error)));
    return () => {
      current = false;
    };
  }, [source, name]);
  if (problem !== undefined) return <ProblemNotice problem={problem} />;
  if (shown === undefined) return <Loading label={t('Loading')} />;
  return <shown.View blob={shown.blob} name={name} original={original} />;
}
