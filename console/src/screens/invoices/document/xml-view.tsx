import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { t } from '../texts.ts';

/** A line of the text that was chosen, 1-based; each new object shows it again. */
export interface ChosenLine {
  readonly line: number;
}

interface XmlViewProps {
  readonly text: string;
  readonly name: string;
  readonly chosen: ChosenLine | undefined;
}

/** Height of a line, as in the style sheet. */
const LINE_PIXELS = 20;
/** Lines above and below those in view. */
const NEAR = 20;
/** Longer lines are cut for the view: a file attached to an invoice is one line of megabytes. */
const MOST_CHARACTERS = 2000;

/** The XML of an invoice with the numbers of its lines; only those in view exist. */
export function XmlView({ text, name, chosen }: XmlViewProps) {
  const box = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => text.split(/\r\n?|\n/), [text]);
  const [view, setView] = useState({ top: 0, height: 900 });
  const digits = String(lines.length).length;
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || chosen === undefined) return;
    element.scrollTop = (chosen.line - 1) * LINE_PIXELS - element.clientHeight / 3;
  }, [chosen]);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const update = (): void => setView({ top: element.scrollTop, height: element.clientHeight });
    update();
    const observer = new ResizeObserver(update);
    observer.observe(element);
    element.addEventListener('scroll', update, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', update);
    };
  }, []);
  const first = Math.max(0, Math.floor(view.top / LINE_PIXELS) - NEAR);
  const last = Math.min(lines.length, Math.ceil((view.top + view.height) / LINE_PIXELS) + NEAR);
  return (
    <div class="xml-view" ref={box} tabIndex={0} role="region" aria-label={t('XML of “{name}”', { name })} dir="ltr">
      <ol style={{ height: `${lines.length * LINE_PIXELS}px`, '--digits': digits }}>
        {lines.slice(first, last).map((line, i) => (
          <li
            key={first + i}
            value={first + i + 1}
            class={chosen?.line === first + i + 1 ? 'chosen' : ''}
            aria-current={chosen?.line === first + i + 1 ? 'location' : undefined}
            style={{ top: `${(first + i) * LINE_PIXELS}px` }}
          >
            <span class="xml-number" aria-hidden="true">
              {first + i + 1}
            </span>
            <code>{line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS)}…` : line}</code>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** The first line on which an element or attribute holds this value; undefined if there is none. */
export function lineOf(text: string, value: string): number | undefined {
  if (value.trim() === '') return undefined;
  const written = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  // Dates of CII have no hyphens.
  const forms = /^\d{4}-\d\d-\d\d$/.test(value) ? [written, value.replaceAll('-', '')] : [written];
  const at = forms.map((form) => text.indexOf(`>${form}<`)).find((found) => found >= 0);
  return at === undefined ? undefined : text.slice(0, at).split(/\r\n?|\n/).length;
}
