import type { ShownField } from '@quire/registry';
import type { ControlProps } from '../../components/index.ts';
import type { FormValue } from '../values.ts';

/** What the control of a field gets. */
export interface WidgetProps {
  readonly field: ShownField;
  readonly value: FormValue;
  readonly onValue: (value: FormValue) => void;
  readonly control: ControlProps;
}
