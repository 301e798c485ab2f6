import type { ScreenProps } from '../../app/screen-props.ts';
import { AutomationPage } from './history/automation-page.tsx';
import { Editor } from './editor/editor.tsx';
import { AutomationList } from './list.tsx';
import './automations.css';

/** All automations, one with its history (`automations/<id>`), or the editor (`…/new`, `…/<id>/edit`). */
export function Screen({ params }: ScreenProps) {
  const [first = '', mode = ''] = (params['rest'] ?? '').split('/');
  const id = decodeURIComponent(first);
  if (id === '') return <AutomationList />;
  if (id === 'new') return <Editor key="new" />;
  return mode === 'edit' ? <Editor key={`edit ${id}`} id={id} /> : <AutomationPage key={id} id={id} />;
}
