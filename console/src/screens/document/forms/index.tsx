import { useEffect, useRef, useState } from 'preact/hooks';
import { asProblem, type Problem } from '../../../api/index.ts';
import { Button, Loading, ProblemNotice } from '../../../components/index.ts';
import type { PartProps } from '../part.ts';
import type { FilledForm } from './filled-form.ts';
import { FormBar } from './form-bar.tsx';
import { FormBody } from './form-body.tsx';
import './forms.css';
import { NoForm } from './no-form.tsx';
import { Imported, Outcome } from './outcome.tsx';
import { t } from './texts.ts';
import { useForm } from './use-form.ts';
import { type Taken, takeValues } from './value-file.ts';

/** What is shown above the form, one at a time. */
interface News {
  /** The report of `form/fill`, with the version that it made. */
  readonly filled?: { readonly report: unknown; readonly made: File };
  readonly problem?: Problem;
  readonly imported?: { readonly taken: Taken | undefined };
}

/** Forms, filled in in place on their pages, or as a list. */
export function Part({ file, ask, apply, setEdited }: PartProps) {
  const { form, problem, xfa, reload, keepFor } = useForm({ file, ask });
  const [news, setNews] = useState<News>({});
  const [flatten, setFlatten] = useState(false);
  const [busy, setBusy] = useState(false);
  const show = useRef<(name: string) => void>(() => undefined);
  const edited = (form?.changed.value.length ?? 0) > 0;
  useEffect(() => setEdited(edited), [edited]);
  useEffect(() => () => setEdited(false), []);

  const fill = async (filled: FilledForm): Promise<void> => {
    setBusy(true);
    setNews({});
    try {
      const sent = filled.toSend();
      const { report, file: made } = await apply({
        title: flatten ? t('Form filled in and flattened') : t('Form filled in'),
        operation: 'form/fill',
        fields: { data: JSON.stringify(sent), ...(flatten ? { flatten: 'true' } : {}) },
      });
      keepFor(made);
      filled.markSaved(sent);
      setFlatten(false);
      setNews({ filled: { report, made } });
    } catch (error) {
      const refused = asProblem(error);
      const faulty = filled.refuse(refused.faults);
      // People stopped it.
      if (!refused.isAbort) setNews({ problem: refused });
      if (faulty !== undefined) show.current(faulty.name);
    } finally {
      setBusy(false);
    }
  };
  const take = (filled: FilledForm, values: File): void =>
    void takeValues(filled, values).then(
      (taken) => setNews({ imported: { taken } }),
      () => setNews({ imported: { taken: undefined } }),
    );
  const showMissing = (filled: FilledForm): void => {
    const missing = filled.missing.value;
    const at = missing.findIndex(({ name }) => name === filled.current.value);
    const next = missing[(at + 1) % missing.length];
    if (next !== undefined) show.current(next.name);
  };

  if (problem !== undefined)
    return (
      <ProblemNotice
        problem={problem}
        actions={
          <Button icon="refresh-cw" onClick={reload}>
            {t('Try again')}
          </Button>
        }
      />
    );
  if (form === undefined) return <Loading label={t('Reading the form')} />;
  const nothing = form.fields.length === 0 || xfa !== undefined;
  return (
    <div class="form-part">
      {nothing ? null : (
        <FormBar
          form={form}
          name={file.name}
          busy={busy}
          flatten={flatten}
          onFlatten={setFlatten}
          onFill={() => void fill(form)}
          onMissing={() => showMissing(form)}
          onImport={(values) => take(form, values)}
        />
      )}
      <Messages news={news} file={file} onClose={() => setNews({})} />
      {nothing ? <NoForm file={file} xfa={xfa} /> : <FormBody form={form} file={file} show={show} />}
    </div>
  );
}

interface MessagesProps {
  readonly news: News;
  /** The current version: what another one reports is not shown. */
  readonly file: File;
  readonly onClose: () => void;
}

function Messages({ news: { filled, problem, imported }, file, onClose }: MessagesProps) {
  const box = useRef<HTMLDivElement>(null);
  // Faults of fields are shown there.
  const scrolls = imported !== undefined || filled !== undefined || problem?.faults.length === 0;
  useEffect(() => {
    if (scrolls) box.current?.scrollIntoView({ block: 'nearest' });
  }, [scrolls]);
  return (
    <div class="form-news" role="status" ref={box}>
      {filled?.made === file ? <Outcome report={filled.report} onClose={onClose} /> : null}
      {problem === undefined ? null : (
        <ProblemNotice problem={problem} actions={<Button onClick={onClose}>{t('Close')}</Button>} />
      )}
      {imported === undefined ? null : <Imported taken={imported.taken} onClose={onClose} />}
    </div>
  );
}
