/** The day of docs/guides/first-day.md: a real service, git over HTTP, the sandbox, and GitHub's stand-in. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeInstallation } from '../../test/cli.ts';
import { ANN, APP_ID, GitHubStandIn, INSTALLATION_ID } from '../../test/github/stand-in.ts';
import { sandboxProblem } from '../../test/sandbox.ts';
import { CONNECTIONS, HOST_FOLDER, ServiceHost } from '../../test/service-host.ts';
import * as contracts from '../contracts/index.ts';
import { git, temporaryFolder } from '../git/test-repositories.ts';
import { calls, commitFiles } from './target.test-support.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const EXAMPLE = join(ROOT, 'examples', 'agent-service');
const GUIDE = join(ROOT, 'docs', 'guides', 'first-day.md');
const MINUTE_MS = 60_000;

const exampleFiles = Object.fromEntries(
  readdirSync(EXAMPLE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((file) => [relative(EXAMPLE, file), readFileSync(file, 'utf8')]),
);

/** The settings of the guide, with the places of this test. */
function inGuide(places: Readonly<Record<string, string>>): string {
  const [, yaml] = /^```yaml\n(observe:\n[^`]+)```$/m.exec(readFileSync(GUIDE, 'utf8'))!;
  return Object.entries(places).reduce((text, [from, to]) => text.replaceAll(from, to), yaml!);
}

async function openDay() {
  await using closing = new AsyncDisposableStack();
  const folder = closing.use(await temporaryFolder());
  const host = closing.use(await ServiceHost.open());
  const { clock } = host;
  const hub = closing.use(await GitHubStandIn.open(folder.path));
  hub.nowMs = () => clock.nowMs();
  const installation = closing.use(makeInstallation({ inProcess: true, clock }));
  const { repository } = installation;
  const first = (await commitFiles(repository, exampleFiles))!;
  git(repository, ['remote', 'add', 'origin', hub.gitUrl]);
  git(repository, ['push', '-q', hub.bare, 'main']);
  host.clone(hub.bare);
  await host.restart(first);
  writeFileSync(
    host.telemetry,
    calls({ agent: 'researcher', tool: 'web_search', untilMs: clock.nowMs() }),
  );
  await installation.stateDir();
  const settings = inGuide({
    '/srv/agents': host.folder,
    '[node, /opt/agent-service-host': `[${[...host.words, process.execPath].map((word) => JSON.stringify(word)).join(', ')}, ${HOST_FOLDER}`,
    'http://127.0.0.1:8080': host.url,
    'acme/agent-service': hub.repository,
    'https://api.github.com': hub.api,
    '123456': String(APP_ID),
    '7890123': String(INSTALLATION_ID),
    '/etc/hone/github-app.pem': hub.keyFile,
    '583231': String(ANN.id),
  });
  writeFileSync(join(repository, 'hone.yaml'), settings);
  const accepted = await installation.accept();
  expect(accepted.exit, accepted.err).toBe(0);
  const open = closing.move();
  return { hub, installation, host, first, [Symbol.asyncDispose]: () => open.disposeAsync() };
}

describe.skipIf(sandboxProblem() !== undefined)('a day with a service of agents', () => {
  test('a failure becomes a proven change, is reviewed, arrives, and is taken back when it harms', async () => {
    await using day = await openDay();
    const { hub, host, installation, first } = day;
    const { hone } = installation;
    /** What "hone up" does by itself. */
    const later = async (minutes: number) => {
      host.putForward(minutes * MINUTE_MS);
      const done = await hone('cycle');
      expect(done.exit, done.err).toBe(0);
    };
    // Waiting for a slow search is given up early enough to serve the others.
    expect(await host.rush()).toBe(CONNECTIONS);

    await later(0);
    const listed = await hone('proposals', 'list', '--json');
    const { id } = contracts.proposalsListJson.parse(listed.json()).proposals[0]!;
    const shown = async () => words((await hone('proposals', 'show', id)).out);
    const proven = await shown();
    expect(proven).toContain('unit: passed - The target’s own tests pass on the base');
    expect(proven).toMatch(
      /replay: passed - Of \d+ sessions, [1-9]\d* that failed now work and 0 that/,
    );
    expect(hub.pulls).toMatchObject([{ draft: true, state: 'open', base: 'main' }]);
    expect(hub.at('main')).toBe(first);

    hub.review(hub.pulls[0]!.number, ANN, 'APPROVED');
    await later(3);
    const deployed = hub.at('main')!;
    expect(deployed).not.toBe(first);
    expect(await host.version()).toBe(deployed);
    expect(await shown()).toContain('decision approved at approve for main of');
    expect(await shown()).toContain('arrival done');
    expect(await host.ask(8, 1000)).toBe(8);
    await later(2);
    expect(await shown()).toContain('State monitoring');

    // Waited for twice as long, the slow ones hold every connection.
    for (const _ of [1, 2]) {
      host.putForward(2 * MINUTE_MS);
      expect(await host.rush()).toBe(0);
    }
    await later(2);
    expect(await shown()).toContain('State reverted');
    expect(await host.version()).toBe(hub.at('main'));
    expect(git(hub.bare, ['diff', first, 'main'])).toBe('');
    expect(await host.rush()).toBe(CONNECTIONS);
    expect(hub.violations).toEqual([]);
    const verified = await hone('ledger', 'verify');
    expect(verified.exit, verified.err).toBe(0);
  });
});

const words = (text: string) => text.replace(/\s+/g, ' ');
