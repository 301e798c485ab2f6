import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { asProblem, loadCatalog, loadConfig } from '../../api/index.ts';
import { navigate } from '../../app/router.ts';
import type { ScreenProps } from '../../app/screen-props.ts';
import { Button, Icon, LinkButton, LoadedView, toast, useLoaded } from '../../components/index.ts';
import { Programs } from '../administration/programs.tsx';
import { FoldersStep } from './folders-step.tsx';
import { LoginStep } from './login-step.tsx';
import { PasswordStep } from './password-step.tsx';
import { finishSetup, loadSetup, type StepProps } from './setup.ts';
import { t } from './texts.ts';
import './welcome.css';

interface Step {
  readonly id: string;
  readonly title: string;
  readonly Content: ComponentType<StepProps>;
}

const password: Step = { id: 'password', title: /* t */ 'Your password', Content: PasswordStep };
const others: readonly Step[] = [
  { id: 'login', title: /* t */ 'Login', Content: LoginStep },
  { id: 'programs', title: /* t */ 'Programs', Content: ProgramsStep },
  { id: 'folders', title: /* t */ 'Folders', Content: FoldersStep },
];

/** Leads an administrator through what a new server needs. */
export function Screen({ params }: ScreenProps) {
  const loaded = useLoaded(loadSetup, []);
  useEffect(() => void loadCatalog(), []);
  return (
    <div class="page welcome">
      <header class="page-head">
        <h1>{t('First steps')}</h1>
        <p class="soft">{t('What to look at before others use this server. Everything can be changed later.')}</p>
      </header>
      <LoadedView loaded={loaded}>
        {(setup) => <Steps setup={setup} reload={loaded.reload} chosen={params['rest'] ?? ''} />}
      </LoadedView>
    </div>
  );
}

function Steps({ setup, reload, chosen }: StepProps & { readonly chosen: string }) {
  const steps = setup.login.enabled ? [password, ...others] : others;
  const at = Math.max(
    0,
    steps.findIndex(({ id }) => id === chosen),
  );
  const { title, Content } = steps[at]!;
  const [before, after] = [steps[at - 1], steps[at + 1]];
  return (
    <>
      <nav aria-label={t('Steps')}>
        <ol class="steps">
          {steps.map((step, i) => (
            <li key={step.id}>
              <a href={`welcome/${step.id}`} aria-current={i === at ? 'step' : undefined}>
                <span class="step-number">{i < at ? <Icon name="check" size={16} /> : i + 1}</span>
                {t(step.title)}
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <section class="card stack">
        <h2 id="step-title">{t(title)}</h2>
        <Content setup={setup} reload={reload} />
      </section>
      <div class="row between">
        {before === undefined ? <EndButton text={t('Skip the first steps')} /> : null}
        {before === undefined ? null : <LinkButton href={`welcome/${before.id}`}>{t('Back')}</LinkButton>}
        {after === undefined ? (
          <EndButton text={t('Finish')} kind="primary" />
        ) : (
          <LinkButton kind="primary" href={`welcome/${after.id}`}>
            {t('Next')}
          </LinkButton>
        )}
      </div>
    </>
  );
}

/** Marks the steps as done and shows the tools. */
function EndButton({ text, kind = 'plain' }: { readonly text: string; readonly kind?: 'plain' | 'primary' }) {
  const [busy, setBusy] = useState(false);
  const end = async (): Promise<void> => {
    setBusy(true);
    try {
      await finishSetup();
      await loadConfig();
      navigate('./');
    } catch (error) {
      toast(asProblem(error).message, 'error');
      setBusy(false);
    }
  };
  return (
    <Button kind={kind} busy={busy} onClick={() => void end()}>
      {text}
    </Button>
  );
}

function ProgramsStep() {
  return (
    <>
      <p class="soft">
        {t(
          'Some tools need programs beside the server. Without them these tools say what is missing; all others work.',
        )}
      </p>
      <Programs />
    </>
  );
}
