import { useEffect, useRef, useState } from 'preact/hooks';
import { asProblem, callJson, type Problem } from '../../../api/index.ts';
import { ProblemNotice } from '../../../components/index.ts';
import { formatBytes, formatNumber } from '../../../i18n/index.ts';
import { t } from '../texts.ts';
import { drawPlot, type Plot } from './plot.ts';

interface Load {
  readonly time: string;
  readonly requests: number;
  readonly busyWorkers: number;
  readonly workers: number;
  readonly waitingCalls: number;
  readonly queuedJobs: number;
  readonly runningJobs: number;
  readonly memoryBytes: number;
}

const EVERY_MS = 2000;
/** Ten minutes. */
const MOST_SAMPLES = 300;

/** Asks for the load while the page is open, and draws what was seen. */
export function LoadPlots() {
  const [samples, setSamples] = useState<readonly Load[]>([]);
  const [problem, setProblem] = useState<Problem | undefined>();
  useEffect(() => {
    const stop = new AbortController();
    const ask = async (): Promise<void> => {
      try {
        const load = await callJson<Load>('admin/load', { signal: stop.signal });
        setSamples((before) => [...before, load].slice(-MOST_SAMPLES));
        setProblem(undefined);
      } catch (error) {
        if (!stop.signal.aborted) setProblem(asProblem(error));
      }
      if (!stop.signal.aborted) timer = setTimeout(() => void ask(), EVERY_MS);
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    void ask();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, []);
  const last = samples.at(-1);
  const times = samples.map(({ time }) => Date.parse(time) / 1000);
  const rates = samples.map(({ requests }, i) => {
    const before = samples[i - 1];
    const seconds = (times[i] ?? 0) - (times[i - 1] ?? 0);
    return before === undefined || seconds <= 0 ? null : Math.max(0, (requests - before.requests) / seconds);
  });
  if (problem !== undefined && last === undefined) return <ProblemNotice problem={problem} />;
  return (
    <div class="plots">
      <PlotCard
        title={t('Requests per second')}
        now={formatNumber(rates.at(-1) ?? 0, { maximumFractionDigits: 1 })}
        times={times}
        lines={[{ label: t('Requests per second'), values: rates }]}
      />
      <PlotCard
        title={t('Work')}
        now={t('{busy} of {workers} workers', { busy: last?.busyWorkers ?? 0, workers: last?.workers ?? 0 })}
        times={times}
        lines={[
          { label: t('Busy workers'), values: samples.map(({ busyWorkers }) => busyWorkers) },
          { label: t('Waiting calls'), values: samples.map(({ waitingCalls }) => waitingCalls) },
          { label: t('Running jobs'), values: samples.map(({ runningJobs }) => runningJobs) },
          { label: t('Waiting jobs'), values: samples.map(({ queuedJobs }) => queuedJobs) },
        ]}
      />
      <PlotCard
        title={t('Memory of the server')}
        now={formatBytes(last?.memoryBytes ?? 0)}
        times={times}
        lines={[{ label: t('Memory in MB'), values: samples.map(({ memoryBytes }) => memoryBytes / 1e6) }]}
      />
    </div>
  );
}

interface PlotCardProps {
  readonly title: string;
  readonly now: string;
  readonly times: readonly number[];
  readonly lines: readonly { readonly label: string; readonly values: readonly (number | null)[] }[];
}

function PlotCard({ title, now, times, lines }: PlotCardProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot | undefined>(undefined);
  const labels = lines.map(({ label }) => label).join();
  useEffect(() => {
    if (box.current === null) return;
    const drawn = (plot.current = drawPlot(
      box.current,
      lines.map(({ label }) => label),
      t('Time'),
    ));
    return () => drawn.remove();
  }, [labels]);
  useEffect(() => plot.current?.show([times, ...lines.map(({ values }) => values)]), [times.at(-1)]);
  return (
    <section class="card stack" aria-label={title}>
      <div class="row between">
        <h2>{title}</h2>
        <strong>{now}</strong>
      </div>
      <div class="plot" ref={box} aria-hidden="true" />
    </section>
  );
}
