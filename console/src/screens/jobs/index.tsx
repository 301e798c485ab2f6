import type { ScreenProps } from '../../app/screen-props.ts';
import { JobDetail } from './job-detail.tsx';
import { JobsList } from './jobs-list.tsx';
import './jobs.css';

/** All jobs, or one of them. */
export function Screen({ params }: ScreenProps) {
  const id = params['rest'] ?? '';
  return id === '' ? <JobsList /> : <JobDetail key={id} jobId={decodeURIComponent(id)} />;
}
