import { useEffect, useRef, useState } from 'preact/hooks';
import { Segments, Tabs } from '../../components/index.ts';
import { t } from '../texts.ts';
import '../viewer.css';
import { DrawPad } from './draw-pad.tsx';
import { LoadPad } from './load-pad.tsx';
import type { PadProps } from './pad-props.ts';
import './signature.css';
import { TypePad } from './type-pad.tsx';

export interface SignaturePadProps {
  /** A PNG with a transparent background, or undefined while there is none. */
  readonly value: Blob | undefined;
  readonly onValue: (png: Blob | undefined) => void;
  /** The name that is offered for typing. */
  readonly name?: string;
}

const colours = { black: '#14141c', blue: '#16389c', red: '#a3171f' } as const;
type Colour = keyof typeof colours;

/** A signature: drawn, typed in a handwriting font, or loaded. */
export function SignaturePad({ value, onValue, name = '' }: SignaturePadProps) {
  const [way, setWay] = useState('draw');
  const [colour, setColour] = useState<Colour>('black');
  const pad: PadProps = { colour: colours[colour], onPng: onValue };
  const chosen = useRef(way);
  useEffect(() => {
    // What another way made does not stand for this one.
    if (chosen.current !== way) onValue(undefined);
    chosen.current = way;
  }, [way]);
  return (
    <div class="signature-pad">
      <Tabs
        label={t('How to sign')}
        chosen={way}
        onChoose={setWay}
        tabs={[
          { id: 'draw', label: t('Draw'), content: () => <DrawPad {...pad} /> },
          { id: 'type', label: t('Type'), content: () => <TypePad {...pad} name={name} /> },
          { id: 'load', label: t('Load a picture'), content: () => <LoadPad {...pad} /> },
        ]}
      />
      {way === 'load' ? null : (
        <Segments
          label={t('Colour of the ink')}
          value={colour}
          options={[
            { value: 'black', label: t('Black') },
            { value: 'blue', label: t('Blue') },
            { value: 'red', label: t('Red') },
          ]}
          onValue={(chosenColour) => setColour(chosenColour as Colour)}
        />
      )}
      <p class="hidden-visually" role="status">
        {value === undefined ? '' : t('The signature is ready.')}
      </p>
    </div>
  );
}
