import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { loadModule } from '../../../api/index.ts';
import { LoadedView, Loading, Segments, useLoaded, type Loaded } from '../../../components/index.ts';
import { language, textsReady } from '../../../i18n/index.ts';
import type { PdfViewProps } from '../../../viewer/document/pdf-view.tsx';
import type { WantedText } from '../../../viewer/index.ts';
import { available, RENDER, run } from '../operations.ts';
import { t } from '../texts.ts';
import type { Reading } from '../use-reading.ts';
import { FramedHtml } from './framed-html.tsx';
import { lineOf, XmlView, type ChosenLine } from './xml-view.tsx';

/** What was chosen in the data or among the findings; each new object shows it again. */
export interface Sought {
  /** Forms in which a value may be written, if there is a value. */
  readonly text: WantedText | undefined;
  /** The value as it is in the data. */
  readonly raw: string;
  /** Its line in the XML, where the server said it; else the value is sought in the XML too. */
  readonly line: number | undefined;
}

interface DocumentPaneProps {
  readonly reading: Reading;
  readonly sought: Sought | undefined;
}

type Mode = 'pdf' | 'invoice' | 'xml';

/** A larger XML is shown as it is, until somebody wants to see it as a page: that takes the server a while. */
const MOST_BYTES_RENDERED = 2_000_000;

/** The document: the pages of a PDF, the invoice as the server renders it, or its XML. */
export function DocumentPane({ reading, sought }: DocumentPaneProps) {
  const { isPdf, xml, of, data } = reading;
  // What cannot be read cannot be rendered; the reason is beside it.
  const renders = available(RENDER) !== undefined && data.problem === undefined;
  const modes: readonly Mode[] = [
    ...(isPdf ? (['pdf'] as const) : []),
    ...(renders ? (['invoice'] as const) : []),
    'xml',
  ];
  const [wanted, setWanted] = useState<Mode>(!isPdf && of.file.size > MOST_BYTES_RENDERED ? 'xml' : modes[0]!);
  const mode = modes.includes(wanted) ? wanted : modes[0]!;
  const [missed, setMissed] = useState<Sought | undefined>();
  const report = (found: boolean): void => setMissed(found ? undefined : sought);
  return (
    <section class="invoice-document" aria-label={t('Document')}>
      <div class="row between">
        <Segments
          label={t('View')}
          value={mode}
          options={modes.map((value) => ({ value, label: modeText(value) }))}
          onValue={(value) => setWanted(value as Mode)}
        />
        <p class="small soft break" role="status">
          {missed === undefined || missed !== sought ? null : t('“{text}” does not occur here.', { text: missed.raw })}
        </p>
      </div>
      {mode === 'pdf' ? (
        <Pages file={of.file} name={of.file.name} wanted={sought?.text} onWanted={report} />
      ) : mode === 'invoice' ? (
        <Rendered reading={reading} wanted={sought?.text} onWanted={report} />
      ) : (
        <LoadedView loaded={xml}>
          {(text) => <Lines text={text} name={of.file.name} sought={sought} onWanted={report} />}
        </LoadedView>
      )}
    </section>
  );
}

function modeText(mode: Mode): string {
  if (mode === 'pdf') return t('PDF');
  return mode === 'xml' ? t('XML') : t('Readable invoice');
}

/** The pages of a PDF; the viewer is loaded when it is first needed. */
function Pages(props: PdfViewProps) {
  const [View, setView] = useState<ComponentType<PdfViewProps> | undefined>();
  useEffect(() => {
    let left = false;
    const load = async (): Promise<void> => {
      const { PdfView } = await loadModule(() => import('../../../viewer/index.ts'));
      await textsReady();
      if (!left) setView(() => PdfView);
    };
    void load();
    return () => {
      left = true;
    };
  }, []);
  return View === undefined ? <Loading label={t('Loading')} /> : <View {...props} />;
}

interface RenderedProps {
  readonly reading: Reading;
  readonly wanted: WantedText | undefined;
  readonly onWanted: (found: boolean) => void;
}

function Rendered({ reading: { of }, wanted, onWanted }: RenderedProps) {
  const html: Loaded<string> = useLoaded(
    async (signal) => (await run(RENDER, of, 'html', signal)).blob.text(),
    [of.file, of.password, language.value],
  );
  return (
    <LoadedView loaded={html}>
      {(content) => <FramedHtml html={content} title={t('Readable invoice')} wanted={wanted} onWanted={onWanted} />}
    </LoadedView>
  );
}

interface LinesProps extends Omit<RenderedProps, 'reading' | 'wanted'> {
  readonly text: string;
  readonly name: string;
  readonly sought: Sought | undefined;
}

function Lines({ text, name, sought, onWanted }: LinesProps) {
  const [chosen, setChosen] = useState<ChosenLine | undefined>();
  useEffect(() => {
    if (sought === undefined) return;
    const line = sought.line ?? lineOf(text, sought.raw);
    setChosen(line === undefined ? undefined : { line });
    onWanted(line !== undefined);
  }, [sought, text]);
  return <XmlView text={text} name={name} chosen={chosen} />;
}
