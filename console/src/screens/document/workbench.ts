import { batch, effect, signal } from '@preact/signals';
import { asProblem, operationOf, Problem } from '../../api/index.ts';
import { passwordOf, ViewedDocument, ViewError, type ViewFailure } from '../../viewer/index.ts';
import { Answers, appliedTo, sendDocument, type Fields } from './calls.ts';
import type { Applied, Change } from './part.ts';
import { t } from './texts.ts';
import { Versions } from './versions.ts';

const VALIDATE = 'security/validate-signature';
const REMOVE_SIGNATURES = 'security/remove-cert-sign';
const REMOVE_PASSWORD = 'security/remove-password';
const ADD_PASSWORD = 'security/add-password';
const REPAIR = 'misc/repair';

/** Why the viewer shows nothing, although operations may do their work. */
const WORKABLE: ReadonlySet<ViewFailure> = new Set([
  'tooLarge',
  'memory',
  'slow',
  'unsupported',
  'internal',
  'network',
]);

/** A file that is not open, and why. */
interface Refused {
  readonly file: File;
  readonly failure: ViewFailure | undefined;
  readonly problem: Problem | undefined;
}

/** Something that the workbench waits for. */
interface Running {
  readonly title: string;
  /** The share that was sent; undefined while the server works. */
  readonly sent: number | undefined;
}

/** Asked before a signed document is changed. */
interface SignedQuestion {
  /** The signatures become invalid or are removed; otherwise the change is appended to what was signed. */
  readonly breaks: boolean;
  readonly answer: (agreed: boolean) => void;
}

/** The document that is edited. It stays while other screens are shown. */
class Workbench {
  readonly versions = new Versions();
  /** 0-based; the page that all parts show. */
  readonly page = signal(0);
  readonly opening = signal<File | undefined>(undefined);
  readonly refused = signal<Refused | undefined>(undefined);
  readonly running = signal<Running | undefined>(undefined);
  /** A part holds edits that are not applied. */
  readonly edited = signal(false);
  /** The password that opened the document; versions are without it, and saved files have it again. */
  readonly password = signal<string | undefined>(undefined);
  readonly keepPassword = signal(true);
  /** The first change of a signed document waits for an answer. */
  readonly signedQuestion = signal<SignedQuestion | undefined>(undefined);
  /** What the server said beside its answers. */
  readonly remarks = signal<ReadonlyMap<File, readonly string[]>>(new Map());
  /** What people agreed to: nothing yet, changes that are appended, or also those that break signatures. */
  #agreed: 'nothing' | 'append' | 'break' = 'nothing';
  #stop = new AbortController();
  #queue: Promise<unknown> = Promise.resolve();
  readonly #answers = new Answers((file, warnings) => {
    const known = this.remarks.value.get(file) ?? [];
    this.remarks.value = new Map([...this.remarks.value, [file, [...new Set([...known, ...warnings])]]]);
  });

  get file(): File | undefined {
    return this.versions.current.value?.file;
  }

  /** Opens a file instead of the current one, once it can be read. A locked one waits for its password. */
  async open(file: File): Promise<void> {
    batch(() => {
      this.opening.value = file;
      this.refused.value = undefined;
    });
    try {
      const failure = await failureOf(file);
      if (failure !== undefined && !WORKABLE.has(failure)) this.#refuse(file, failure);
      else this.#begin(await this.#unlocked(file), passwordOf(file));
    } catch (error) {
      this.#refuse(file, undefined, asProblem(error));
    } finally {
      if (this.opening.value === file) this.opening.value = undefined;
    }
  }

  /** Opens what `misc/repair` makes of a damaged file. */
  async repair(file: File): Promise<void> {
    this.opening.value = file;
    try {
      const { file: repaired, warnings } = await this.#send(t('Repairing'), file, REPAIR, {});
      this.#begin(file, undefined);
      this.versions.add({ file: repaired, title: t('Damage repaired'), warnings });
    } catch (error) {
      this.#refuse(file, undefined, asProblem(error));
    } finally {
      this.opening.value = undefined;
    }
  }

  dismiss(): void {
    this.refused.value = undefined;
  }

  /** Closes the document; what is not saved is lost. */
  close(): void {
    this.#stop.abort();
    this.#forget();
    this.versions.clear();
  }

  /** Goes on with a file that another tool made of this document. */
  continueWith(file: File, title: string): void {
    const name = this.file?.name ?? file.name;
    this.versions.add({ file: new File([file], name, { type: 'application/pdf' }), title, warnings: [] });
  }

  ask = <T>(operation: string, fields: Readonly<Record<string, string>> = {}): Promise<T> =>
    this.file === undefined ? Promise.reject(stopped()) : this.#answers.ask<T>(this.file, operation, fields);

  /** Changes wait for each other: each begins with the result of the one before. */
  apply = (change: Change): Promise<Applied> => {
    const applied = this.#queue.then(() => this.#apply(change));
    this.#queue = applied.catch(() => undefined);
    return applied;
  };

  cancel(): void {
    this.#stop.abort();
  }

  /** Shows another version, unless a change is under way. */
  goTo(at: number): void {
    if (this.running.value === undefined) this.versions.goTo(at);
  }

  undo(): void {
    this.goTo(this.versions.at.value - 1);
  }

  redo(): void {
    this.goTo(this.versions.at.value + 1);
  }

  /** The file as it is saved: with its password again, where it had one. Rejects with a `Problem`. */
  async fileToSave(): Promise<File> {
    const { file } = this;
    const password = this.password.value;
    if (file === undefined) throw stopped();
    const name = this.versions.unsaved.value ? file.name.replace(/(\.pdf)?$/i, '_edited.pdf') : file.name;
    const made =
      password === undefined || !this.keepPassword.value
        ? file
        : (await this.#send(t('Putting the password back'), file, ADD_PASSWORD, { password })).file;
    return new File([made], name, { type: 'application/pdf' });
  }

  async #apply(change: Change): Promise<Applied> {
    const breaks = operationOf(change.operation)?.effects.includes('breaksSignature') === true;
    const agreed = this.#agreed === 'break' || (this.#agreed === 'append' && !breaks);
    if (!agreed && (await this.#isSigned())) await this.#ask(breaks);
    try {
      return await this.#change(change);
    } catch (error) {
      const problem = asProblem(error);
      if (problem.code !== 'PDF_SIGNED') throw problem;
      // The server changes such a document only without its signatures.
      if (this.#agreed !== 'break') await this.#ask(true);
      await this.#change({ title: t('Signatures removed'), operation: REMOVE_SIGNATURES, fields: {} });
      return this.#change(change);
    }
  }

  /** False where the server cannot tell. */
  async #isSigned(): Promise<boolean> {
    try {
      return (await this.ask<readonly unknown[]>(VALIDATE)).length > 0;
    } catch {
      return false;
    }
  }

  /** Rejects if people do not agree. */
  async #ask(breaks: boolean): Promise<void> {
    const agreed = await new Promise<boolean>((answer) => (this.signedQuestion.value = { breaks, answer }));
    this.signedQuestion.value = undefined;
    if (!agreed) throw stopped();
    this.#agreed = breaks ? 'break' : 'append';
  }

  async #change({ title, operation, fields }: Change): Promise<Applied> {
    const { file } = this;
    if (file === undefined) throw stopped();
    const applied = await this.#send(title, file, operation, fields);
    // Another document was opened meanwhile.
    if (this.file !== file) throw stopped();
    this.versions.add({ file: applied.file, title, warnings: applied.warnings });
    return applied;
  }

  async #send(title: string, file: File, operation: string, fields: Fields): Promise<Applied> {
    const { signal: stop } = (this.#stop = new AbortController());
    this.running.value = { title, sent: 0 };
    try {
      const progress = (sent: number | undefined): void => void (this.running.value = { title, sent });
      return appliedTo(file, await sendDocument(operation, file, fields, { signal: stop, progress }));
    } catch (error) {
      const problem = asProblem(error);
      throw problem.isAbort ? stopped() : problem;
    } finally {
      this.running.value = undefined;
    }
  }

  /** The operations know no password: they work on a copy without it. */
  async #unlocked(file: File): Promise<File> {
    const password = passwordOf(file);
    if (password === undefined) return file;
    return (await this.#send(t('Opening “{name}”', { name: file.name }), file, REMOVE_PASSWORD, { password })).file;
  }

  #begin(file: File, password: string | undefined): void {
    batch(() => {
      this.#forget();
      this.password.value = password;
      this.versions.start({ file, title: t('Opened'), warnings: [] });
    });
  }

  #forget(): void {
    this.#agreed = 'nothing';
    this.signedQuestion.value?.answer(false);
    batch(() => {
      this.page.value = 0;
      this.edited.value = false;
      this.refused.value = undefined;
      this.password.value = undefined;
      this.keepPassword.value = true;
      this.remarks.value = new Map();
    });
  }

  #refuse(file: File, failure: ViewFailure | undefined, problem?: Problem): void {
    this.refused.value = { file, failure, problem };
  }
}

/** Nothing was changed, because people decided so. */
function stopped(): Problem {
  return new Problem(0, { code: 'ABORTED', detail: t('Nothing was changed.') });
}

/** Why the file cannot be shown; undefined if it can. */
async function failureOf(file: File): Promise<ViewFailure | undefined> {
  try {
    (await ViewedDocument.open(file, passwordOf(file))).close();
    return undefined;
  } catch (error) {
    return error instanceof ViewError ? error.code : 'internal';
  }
}

export const workbench = new Workbench();

effect(() => {
  const ask = (event: Event): void => event.preventDefault();
  if (!workbench.versions.unsaved.value && !workbench.edited.value) return undefined;
  addEventListener('beforeunload', ask);
  return () => removeEventListener('beforeunload', ask);
});
