import type { Invoice } from '@quire/document/invoices/model';
import { useState } from 'preact/hooks';
import { loadModule } from '../../api/index.ts';
import { navigate } from '../../app/router.ts';
import { Button, Loading, Notice, ProblemNotice, Switch } from '../../components/index.ts';
import type { Violation } from './answers.ts';
import type { Chosen } from './data/context.ts';
import { DataView } from './data/data-view.tsx';
import { textOf, typeAt, valueAt, type Path } from './data/places.ts';
import { UnreadList } from './data/unread-list.tsx';
import { writtenForms } from './data/value-text.ts';
import { DocumentPane, type Sought } from './document/document-pane.tsx';
import { Downloads } from './downloads.tsx';
import { isLocked, LockedFile } from './locked-file.tsx';
import { available, CREATE } from './operations.ts';
import { t } from './texts.ts';
import { ToolMenu } from './tool-menu.tsx';
import { useReading, type Reading } from './use-reading.ts';
import { VerdictLine } from './verdict-line.tsx';
import { ViolationList } from './violation-list.tsx';

interface ReaderProps {
  readonly file: File;
  readonly onOther: () => void;
}

/** One invoice: what the server says about it, its data, and the document beside it. */
export function Reader({ file, onOther }: ReaderProps) {
  const reading = useReading(file);
  const [chosen, setChosen] = useState<Chosen | undefined>();
  const [sought, setSought] = useState<Sought | undefined>();
  const invoice = reading.data.data?.invoice;
  const seek = (path: Path | undefined, value: string, line: number | undefined): void => {
    if (path !== undefined) setChosen({ path });
    const forms = writtenForms(value, path === undefined ? 'text' : typeAt(path));
    setSought({ text: value === '' ? undefined : { forms }, raw: value, line });
  };
  const show = (path: Path | undefined, { location, value }: Violation): void => {
    const given = path === undefined || invoice === undefined ? undefined : textOf(valueAt(invoice, path));
    seek(path, given ?? value ?? '', location?.line);
  };
  return (
    <>
      <header class="invoice-head">
        <div class="grow">
          <h1 class="break">
            <bdi>{file.name}</bdi>
          </h1>
          <VerdictLine reading={reading} />
        </div>
        <div class="row">
          <Button icon="folder-open" onClick={onOther}>
            {t('Choose another invoice')}
          </Button>
          {invoice === undefined || available(CREATE) === undefined ? null : (
            <Button icon="copy-plus" onClick={() => void startFrom(invoice)}>
              {t('Use as a template')}
            </Button>
          )}
          <Downloads of={reading.of} />
          <ToolMenu file={file} />
        </div>
      </header>
      {isLocked(reading) ? (
        <LockedFile of={reading.of} />
      ) : (
        <div class="invoice-columns">
          <div class="stack">
            <Findings reading={reading} onShow={show} />
            {invoice === undefined ? (
              <NoData reading={reading} />
            ) : (
              <Data
                invoice={invoice}
                violations={reading.verdict.data?.violations ?? []}
                chosen={chosen}
                onFind={(path, value) => seek(path, value, undefined)}
              />
            )}
            {reading.data.data === undefined || reading.data.data.unread.length === 0 ? null : (
              <UnreadList unread={reading.data.data.unread} onLine={(value, line) => seek(undefined, value, line)} />
            )}
          </div>
          <DocumentPane reading={reading} sought={sought} />
        </div>
      )}
    </>
  );
}

/** Begins a new invoice with the data of this one. */
async function startFrom(invoice: Invoice): Promise<void> {
  const [{ draft }, { replaceDraft }] = await Promise.all([
    loadModule(() => import('./form/draft.ts')),
    loadModule(() => import('./form/replace-draft.ts')),
  ]);
  replaceDraft(() => draft.startFrom(invoice));
  navigate('invoices/new');
}

interface FindingsProps {
  readonly reading: Reading;
  readonly onShow: (path: Path | undefined, violation: Violation) => void;
}

function Findings({ reading: { verdict, data }, onShow }: FindingsProps) {
  if (verdict.problem !== undefined) return <ProblemNotice problem={verdict.problem} />;
  if (verdict.data === undefined) return <Loading label={t('Checking the invoice')} />;
  const { violations, valid } = verdict.data;
  if (violations.length > 0)
    return <ViolationList violations={violations} invoice={data.data?.invoice} onShow={onShow} />;
  return valid ? (
    <Notice kind="done">
      <p>{t('No rule is broken.')}</p>
    </Notice>
  ) : null;
}

/** Why there is no data. A problem that the check has too is not said twice. */
function NoData({ reading: { data, verdict } }: { readonly reading: Reading }) {
  if (data.problem === undefined) return <Loading label={t('Reading the invoice')} />;
  return data.problem.message === verdict.problem?.message ? null : <ProblemNotice problem={data.problem} />;
}

interface DataProps {
  readonly invoice: Invoice;
  readonly violations: readonly Violation[];
  readonly chosen: Chosen | undefined;
  readonly onFind: (path: Path, value: string) => void;
}

function Data({ invoice, violations, chosen, onFind }: DataProps) {
  const [ids, setIds] = useState(false);
  return (
    <>
      <div class="row between">
        <h2>{t('Data')}</h2>
        <label class="row small">
          <Switch checked={ids} onChecked={setIds} />
          {t('Numbers of the business terms')}
        </label>
      </div>
      <DataView invoice={invoice} violations={violations} chosen={chosen} ids={ids} onFind={onFind} />
    </>
  );
}
