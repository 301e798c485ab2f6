import { useEffect, useRef, useState } from 'preact/hooks';
import { asProblem, type Problem } from '../../../api/index.ts';
import type { PartProps } from '../part.ts';
import type { FormField } from './fields.ts';
import { FilledForm } from './filled-form.ts';

/** The form of the current version, or why there is none. */
export interface FormState {
  /** That of the version before while the next one is read. */
  readonly form: FilledForm | undefined;
  readonly problem: Problem | undefined;
  /** The document has only an XFA form; the server's words about it. */
  readonly xfa: Problem | undefined;
  readonly reload: () => void;
}

type Found = Omit<FormState, 'reload'>;

const nothing: Found = { form: undefined, problem: undefined, xfa: undefined };

/** Reads the form of each version. What was entered into the version before and not applied stays entered. */
export function useForm({ file, ask }: Pick<PartProps, 'file' | 'ask'>): FormState {
  const [found, setFound] = useState(nothing);
  const [attempt, setAttempt] = useState(0);
  const last = useRef<FilledForm | undefined>(undefined);
  useEffect(() => {
    let left = false;
    read(ask).then(
      (next) => {
        if (left) return;
        if (next.form !== undefined && last.current !== undefined) next.form.adopt(last.current);
        last.current = next.form;
        setFound(next);
      },
      (error: unknown) => left || setFound({ ...nothing, problem: asProblem(error) }),
    );
    return () => void (left = true);
  }, [file, attempt]);
  return { ...found, reload: () => setAttempt(attempt + 1) };
}

async function read(ask: PartProps['ask']): Promise<Found> {
  const form = new FilledForm(await ask<readonly FormField[]>('form/fields-with-coordinates'));
  if (form.hasOpenFields) return { ...nothing, form };
  const { xfa } = await ask<{ readonly xfa?: string }>('form/fields');
  return { ...nothing, form, xfa: xfa === 'dynamic' ? await refusalOf(ask) : undefined };
}

/** What the server says to filling in such a form, which it always refuses. */
function refusalOf(ask: PartProps['ask']): Promise<Problem | undefined> {
  return ask('form/fill', { data: '{}', flatten: 'true' }).then(() => undefined, asProblem);
}
