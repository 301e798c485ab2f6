import { useEffect, useState } from 'preact/hooks';
import { asProblem, loadCatalog, operationOf, type Problem } from '../../api/index.ts';
import {
  Button,
  Empty,
  IconButton,
  LoadedView,
  Notice,
  ProblemNotice,
  Segments,
  useLoaded,
} from '../../components/index.ts';
import { QrCode } from '../../components/qr-code.tsx';
import { saveFile } from '../../files/index.ts';
import { NextDialog } from '../tool/next-dialog.tsx';
import { hasPaper, makePdf, paper, PICTURES_TO_PDF } from './make-pdf.ts';
import './scan.css';
import { endSession, openSession, phoneAddress, type Arrived } from './session.ts';
import { t } from './texts.ts';
import { useArrivals } from './use-arrivals.ts';

/** The desktop's side: a code for the phone, and the pages that arrive from it. */
export function Screen() {
  const session = useLoaded(openSession, []);
  useEffect(() => void loadCatalog(), []);
  return (
    <div class="page">
      <header class="page-head">
        <h1>{t('Scan with a phone')}</h1>
        <p class="soft">{t('Take pictures of a document with a phone; they arrive here.')}</p>
      </header>
      <LoadedView loaded={session}>
        {(id) => <Session key={id} id={id} onAgain={() => endSession(id).then(session.reload)} />}
      </LoadedView>
    </div>
  );
}

interface SessionProps {
  readonly id: string;
  readonly onAgain: () => Promise<void>;
}

function Session({ id, onAgain }: SessionProps) {
  const { pages, problem, remove } = useArrivals(id);
  const [failure, setFailure] = useState<Problem | undefined>();
  const again = (): void => void onAgain().catch((error: unknown) => setFailure(asProblem(error)));
  return (
    <div class="scan-sides">
      <CodeCard id={id} />
      <section class="stack grow">
        <div class="row between">
          <h2>
            <span role="status">{t.count(pages.length, '{count} page arrived', '{count} pages arrived')}</span>
          </h2>
          <Button icon="rotate-ccw" onClick={again}>
            {t('Start again')}
          </Button>
        </div>
        {problem === undefined ? null : <ProblemNotice problem={problem} />}
        {failure === undefined ? null : <ProblemNotice problem={failure} />}
        {pages.length === 0 ? (
          <Empty icon="smartphone" title={t('Waiting for the phone')}>
            <p class="soft">{t('Pages appear here as soon as the phone has sent them.')}</p>
          </Empty>
        ) : (
          <>
            <Pages pages={pages} onRemove={remove} />
            <Actions pages={pages} />
          </>
        )}
      </section>
    </div>
  );
}

function CodeCard({ id }: { readonly id: string }) {
  const address = phoneAddress(id);
  const { hostname } = new URL(address);
  const unreachable = hostname === 'localhost' || hostname.endsWith('.localhost') || hostname.startsWith('127.');
  return (
    <section class="card stack scan-code">
      <QrCode text={address} label={t('QR code with the address below')} />
      <p class="small center">{t('Point the camera of the phone at this code. The phone needs no login.')}</p>
      <p class="small center break">
        <a href={address} target="_blank" rel="noreferrer">
          {address}
        </a>
      </p>
      {unreachable ? (
        <Notice kind="warning">
          <p>
            {t('A phone cannot open this address. Open the console by the name of this computer in the network first.')}
          </p>
        </Notice>
      ) : null}
    </section>
  );
}

interface PagesProps {
  readonly pages: readonly Arrived[];
  readonly onRemove: (page: Arrived) => void;
}

function Pages({ pages, onRemove }: PagesProps) {
  return (
    <ol class="scan-pages">
      {pages.map((page, i) => (
        <li key={page.url} class="scan-page">
          <img src={page.url} alt={t('Page {number}', { number: i + 1 })} />
          <span class="row between">
            <span class="small soft">{i + 1}</span>
            <IconButton
              size="small"
              icon="trash-2"
              label={t('Remove page {number}', { number: i + 1 })}
              onClick={() => onRemove(page)}
            />
          </span>
        </li>
      ))}
    </ol>
  );
}

/** A PDF of the pages, or the pictures themselves in a tool. */
function Actions({ pages }: { readonly pages: readonly Arrived[] }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>();
  const [pdf, setPdf] = useState<File | undefined>();
  const [handing, setHanding] = useState<readonly File[] | undefined>();
  const files = pages.map(({ file }) => file);
  const possible = operationOf(PICTURES_TO_PDF)?.availability.state === 'available';
  // A PDF of other pages than those that are shown would surprise.
  useEffect(() => setPdf(undefined), [pages, paper.value]);
  const make = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      setPdf(await makePdf(files, 'scan.pdf'));
    } catch (error) {
      setProblem(asProblem(error));
    }
    setBusy(false);
  };
  return (
    <>
      {possible && hasPaper() ? (
        <Segments
          label={t('Paper size')}
          value={paper.value}
          options={[
            { value: 'A4', label: 'A4' },
            { value: 'LETTER', label: t('Letter') },
          ]}
          onValue={(chosen) => (paper.value = chosen === 'LETTER' ? 'LETTER' : 'A4')}
        />
      ) : null}
      <div class="row">
        {possible ? (
          <Button kind="primary" icon="file-text" busy={busy} onClick={() => void make()}>
            {t('Make a PDF')}
          </Button>
        ) : null}
        <Button icon="arrow-right" onClick={() => setHanding(files)}>
          {t('Open the pictures in a tool')}
        </Button>
      </div>
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      {pdf === undefined ? null : (
        <Notice
          kind="done"
          title={t('The PDF is ready')}
          actions={
            <>
              <Button kind="primary" icon="download" onClick={() => saveFile(pdf, pdf.name)}>
                {t('Download')}
              </Button>
              <Button icon="arrow-right" onClick={() => setHanding([pdf])}>
                {t('Open in a tool')}
              </Button>
            </>
          }
        />
      )}
      {handing === undefined ? null : (
        <NextDialog
          from=""
          name={handing[0]?.name ?? ''}
          read={() => Promise.resolve(handing)}
          onClose={() => setHanding(undefined)}
        />
      )}
    </>
  );
}
