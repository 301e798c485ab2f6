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
  /** Tells that a version has what was entered; what is entered meanwhile stays entered. */
  readonly keepFor: (file: File) => void;
}

type Found = Omit<FormState, 'reload' | 'keepFor'>;

const nothing: Found = { form: undefined, problem: undefined, xfa: undefined };

/** Reads the form of each version. */
export function useForm({ file, ask }: Pick<PartProps, 'file' | 'ask'>): FormState {
  const [found, setFound] = useState(nothing);
  const [attempt, setAttempt] = useState(0);
  const last = useRef<FilledForm | undefined>(undefined);
  const own = useRef<File | undefined>(undefined);
  useEffect(() => {
    let left = false;
    read(ask).then(
      (next) => {
        if (left) return;
        if (last.current !== undefined && own.current === file) next.form?.adopt(last.current);
        last.current = next.form;
        setFound(next);
      },
      (error: unknown) => left || setFound({ ...nothing, problem: asProblem(error) }),
    );
    return () => void (left = true);
  }, [file, attempt]);
  return { ...found, reload: () => setAttempt(attempt + 1), keepFor: (version) => void (own.current = version) };
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
