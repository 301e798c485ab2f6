import { useEffect, useState } from 'preact/hooks';
import { asProblem, callJson, pause, type Problem } from '../../../api/index.ts';
import { Button, LinkButton, Notice } from '../../../components/index.ts';
import type { Report, Trial } from './provider-facts.ts';
import { ReportView } from './report-view.tsx';
import { faultWords, noteWords } from './trial-words.ts';
import { t } from './texts.ts';

interface TrialPanelProps {
  /** Preset of the provider. */
  readonly provider: string;
  readonly title: string;
  /** Values that are not saved yet. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly onProblem: (problem: Problem | undefined) => void;
  /** Enters the issuer that the provider names itself. */
  readonly onIssuer: (issuer: string) => void;
}

/** Whether the login works, with what was entered: first without, then with somebody who logs in. */
export function TrialPanel({ provider, title, values, onProblem, onIssuer }: TrialPanelProps) {
  const [trial, setTrial] = useState<Trial | undefined>();
  const [busy, setBusy] = useState(false);
  const begin = async (): Promise<void> => {
    setBusy(true);
    setTrial(undefined);
    onProblem(undefined);
    try {
      setTrial(await callJson<Trial>('admin/login-providers/trials', { body: { provider, settings: values } }));
    } catch (error) {
      onProblem(asProblem(error));
    }
    setBusy(false);
  };
  return (
    <section class="card stack" aria-live="polite">
      <div>
        <h2>{t('Test this login')}</h2>
        <p class="soft small">
          {t('With what is entered above, saved or not. Nobody is logged in, and no account is created or changed.')}
        </p>
      </div>
      <div class="row">
        <Button icon="flask-conical" busy={busy} onClick={() => void begin()}>
          {t('Begin a test')}
        </Button>
      </div>
      {trial === undefined ? null : <Begun key={trial.id} trial={trial} title={title} onIssuer={onIssuer} />}
    </section>
  );
}

interface BegunProps {
  readonly trial: Trial;
  readonly title: string;
  readonly onIssuer: (issuer: string) => void;
}

function Begun({ trial: { id, url, fault, detail, issuer, notes }, title, onIssuer }: BegunProps) {
  const report = useReport(id);
  return (
    <>
      {fault === undefined ? null : (
        <Notice
          kind={url === null ? 'error' : 'warning'}
          title={url === null ? t('The provider cannot be used') : t('The provider may refuse the login')}
          actions={
            issuer === undefined ? undefined : (
              <Button size="small" onClick={() => onIssuer(issuer)}>
                {t('Enter this issuer')}
              </Button>
            )
          }
        >
          <p>{faultWords(fault, issuer)}</p>
          {detail === undefined ? null : <p class="soft small break">{detail}</p>}
        </Notice>
      )}
      {fault === undefined && url !== null ? (
        <Notice kind="done">
          <p>{t('The provider answers, and describes what this server needs.')}</p>
        </Notice>
      ) : null}
      {notes.map((note) => (
        <Notice key={note} kind="warning">
          <p>{noteWords(note)}</p>
        </Notice>
      ))}
      {url === null || report !== undefined ? null : (
        <>
          <div class="row">
            <LinkButton kind="primary" icon="log-in" href={url} target="_blank" rel="noopener">
              {t('Log in at {provider}', { provider: title })}
            </LinkButton>
          </div>
          <p class="soft small">
            {t('It opens in another tab; the result appears here.')}{' '}
            {t('If the provider shows an error about the redirect URI there, register the one above exactly as it is.')}
          </p>
        </>
      )}
      {report === undefined ? null : <ReportView report={report} />}
    </>
  );
}

const POLL_MS = 1500;

/** The report of a trial, once there is one. */
function useReport(id: string | null): Report | undefined {
  const [report, setReport] = useState<Report | undefined>();
  useEffect(() => {
    if (id === null) return undefined;
    const stop = new AbortController();
    const follow = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        await pause(POLL_MS, stop.signal);
        const { signal } = stop;
        const found = await callJson<Report>(`admin/login-providers/trials/${id}`, { signal });
        if (found.state === 'finished') return void setReport(found);
      }
    };
    // It is over after a quarter of an hour.
    void follow().catch(() => undefined);
    return () => stop.abort();
  }, [id]);
  return report;
}
