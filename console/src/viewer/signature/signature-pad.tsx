import { useState } from 'preact/hooks';
import { Segments, Tabs, type Tab } from '../../components/index.ts';
import { t } from '../texts.ts';
import '../viewer.css';
import { DrawPad } from './draw-pad.tsx';
import { KeptPad } from './kept-pad.tsx';
import { forgetSignature, keptSignature } from './kept-signature.ts';
import { LoadPad } from './load-pad.tsx';
import type { PadProps } from './pad-props.ts';
import './signature.css';
import type { Stroke } from './strokes.ts';
import { TypePad } from './type-pad.tsx';

export { keepSignature } from './kept-signature.ts';

export interface SignaturePadProps {
  /** A PNG with a transparent background, or undefined while there is none. */
  readonly value: Blob | undefined;
  readonly onValue: (png: Blob | undefined) => void;
  /** Whether the signature is to be kept in this browser. */
  readonly keeps: boolean;
  readonly onKeeps: (keeps: boolean) => void;
  /** The name that is offered for typing. */
  readonly name?: string;
}

const colours = { black: '#14141c', blue: '#16389c', red: '#a3171f' } as const;
type Colour = keyof typeof colours;

type Way = 'kept' | 'draw' | 'type' | 'load';

/** A signature: drawn, typed in a handwriting font, loaded, or kept from the last time. */
export function SignaturePad({ value, onValue, keeps, onKeeps, name = '' }: SignaturePadProps) {
  const [kept, setKept] = useState(keptSignature);
  const [way, setWay] = useState<Way>(kept === undefined ? 'draw' : 'kept');
  const [colour, setColour] = useState<Colour>('black');
  // Outside of its tab, so that a drawing is still there after a look at another one.
  const [strokes, setStrokes] = useState<readonly Stroke[]>([]);
  const pad: PadProps = { colour: colours[colour], onPng: onValue };
  const choose = (next: Way): void => {
    // What another way made does not stand for this one.
    if (next !== way) onValue(undefined);
    setWay(next);
  };
  const forget = (): void => {
    forgetSignature();
    setKept(undefined);
    choose('draw');
  };
  const tabs: readonly Tab[] = [
    ...(kept === undefined
      ? []
      : [
          {
            id: 'kept',
            label: t('Saved signature'),
            content: () => <KeptPad png={kept} onPng={onValue} onForget={forget} />,
          },
        ]),
    { id: 'draw', label: t('Draw'), content: () => <DrawPad {...pad} strokes={strokes} onStrokes={setStrokes} /> },
    { id: 'type', label: t('Type your name'), content: () => <TypePad {...pad} name={name} /> },
    { id: 'load', label: t('Load a picture'), content: () => <LoadPad {...pad} /> },
  ];
  return (
    <div class="signature-pad">
      <Tabs label={t('How to sign')} chosen={way} onChoose={(id) => choose(id as Way)} tabs={tabs} />
      {way === 'draw' || way === 'type' ? (
        <Segments
          label={t('Colour of the ink')}
          value={colour}
          options={[
            { value: 'black', label: t('Black') },
            { value: 'blue', label: t('Blue') },
            { value: 'red', label: t('Red') },
          ]}
          onValue={(chosen) => setColour(chosen as Colour)}
        />
      ) : null}
      {way === 'kept' ? null : (
        <label class="check">
          <input type="checkbox" checked={keeps} onChange={(event) => onKeeps(event.currentTarget.checked)} />
          {t('Save this signature in this browser')}
        </label>
      )}
      <p class="hidden-visually" role="status">
        {value === undefined ? '' : t('The signature is ready.')}
      </p>
    </div>
  );
}
