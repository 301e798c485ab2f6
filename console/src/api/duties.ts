import { signal } from '@preact/signals';

/** What an account has to do before it may do anything else. */
export type Duty = 'password' | 'secondFactor';

const duties: Readonly<Record<string, Duty>> = {
  PASSWORD_CHANGE_REQUIRED: 'password',
  MFA_SETUP_REQUIRED: 'secondFactor',
};

/** The duty whose dialog is open; calls wait for its end. */
export const dutyWanted = signal<Duty | undefined>(undefined);

let waiting: { readonly promise: Promise<boolean>; readonly end: (done: boolean) => void } | undefined;

/** The duty that an error code names. */
export function dutyOf(code: string): Duty | undefined {
  return duties[code];
}

/** Opens the dialog of a duty. Resolves to true once it is done, to false when the dialog was closed. */
export function askDuty(duty: Duty): Promise<boolean> {
  if (waiting === undefined) {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    waiting = { promise, end: resolve };
    dutyWanted.value = duty;
  }
  return waiting.promise;
}

/** Ends the dialog. */
export function endDuty(done: boolean): void {
  dutyWanted.value = undefined;
  waiting?.end(done);
  waiting = undefined;
}
