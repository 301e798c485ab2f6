import type { ShownField, Widget } from '@quire/registry';
import type { ComponentType } from 'preact';
import { ConnectionWidget } from './connection-widget.tsx';
import { FolderWidget } from './folder-widget.tsx';
import { LanguageWidget } from './language-widget.tsx';
import { ListWidget, MapWidget } from './list-widgets.tsx';
import {
  ChoiceWidget,
  ColourWidget,
  DateWidget,
  MultilineWidget,
  NumberWidget,
  OpacityWidget,
  PagesWidget,
  PositionWidget,
  SecretWidget,
  SizeWidget,
  TextWidget,
  usesSegments,
} from './text-widgets.tsx';
import type { WidgetProps } from './widget.ts';

/** The control of each widget; a switch is on the line of its label (`form.tsx`). */
export const widgets: Readonly<Record<Exclude<Widget, 'switch'>, ComponentType<WidgetProps>>> = {
  text: TextWidget,
  multiline: MultilineWidget,
  number: NumberWidget,
  choice: ChoiceWidget,
  list: ListWidget,
  map: MapWidget,
  json: MultilineWidget,
  pages: PagesWidget,
  pageOrder: PagesWidget,
  position: PositionWidget,
  colour: ColourWidget,
  opacity: OpacityWidget,
  secret: SecretWidget,
  size: SizeWidget,
  language: LanguageWidget,
  folder: FolderWidget,
  connection: ConnectionWidget,
  date: DateWidget,
  signature: TextWidget,
};

const severalControls: ReadonlySet<Widget> = new Set(['list', 'map', 'position', 'language']);

/** Whether a field has several controls, which its label names as a group. */
export function isGroup(field: ShownField): boolean {
  if (field.element !== undefined) return true;
  return severalControls.has(field.widget) || (field.widget === 'choice' && usesSegments(field));
}

export { ElementWidget } from './element-widget.tsx';
export type { WidgetProps } from './widget.ts';
