import { language } from '../../i18n/index.ts';
import type { Violation } from './answers.ts';

/** The sentence of a violation: German for German pages, English for all others. */
export function ViolationText({ violation: { message } }: { readonly violation: Violation }) {
  const spoken = language.value === 'de' ? 'de' : 'en';
  return (
    <span class="break" lang={spoken} dir="auto">
      {message[spoken]}
    </span>
  );
}
