/** `GET /metrics`: the text format of Prometheus (version 0.0.4). A scraper sends a viewer's token. */
import type { AppContext } from '../app/context.ts';
import { type Metric, metrics } from '../app/metrics.ts';
import { VERSION } from '../version.ts';
import type { Route } from './types.ts';

export function metricsRoute(context: AppContext): Route {
  return {
    method: 'GET',
    path: '/metrics',
    role: 'viewer',
    handle: async () => ({
      status: 200,
      file: metricsText([BUILD, ...(await metrics(context))]),
      headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
    }),
  };
}

const BUILD: Metric = {
  name: 'hone_build_info',
  about: 'The version that runs.',
  kind: 'gauge',
  samples: [{ labels: { version: VERSION }, value: 1 }],
};

function metricsText(all: readonly Metric[]): string {
  return all
    .map(({ name, about, kind, samples }) => {
      const lines = samples.map(
        ({ labels = {}, value }) => `${name}${labelText(labels)} ${value}\n`,
      );
      return `# HELP ${name} ${about}\n# TYPE ${name} ${kind}\n${lines.join('')}`;
    })
    .join('');
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const parts = Object.entries(labels).map(
    ([name, value]) =>
      `${name}="${value.replace(/[\\"\n]/g, (one) => (one === '\n' ? '\\n' : `\\${one}`))}"`,
  );
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}
