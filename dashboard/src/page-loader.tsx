/**
 * Pages by address, each loaded when it is first opened. Not by `lazy` and `Suspense`: React holds a page that arrives
 * behind a fallback back for 300 ms, and a file that an update took away would leave nothing on the screen.
 */
import { Component, type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { Waiting } from './parts/states.tsx';

type Page = ComponentType<{ readonly id: string }>;
type Load = () => Promise<{ readonly default: Page }>;

/** By the first word of the address, and whether something of it is named. */
const PAGES: Readonly<Record<string, Load>> = {
  '': () => import('./pages/home.tsx'),
  queue: () => import('./pages/queue.tsx'),
  'proposals/': () => import('./pages/proposal.tsx'),
  patterns: () => import('./pages/patterns.tsx'),
  'patterns/': () => import('./pages/pattern.tsx'),
  traces: () => import('./pages/traces.tsx'),
  'traces/': () => import('./pages/trace.tsx'),
  tasks: () => import('./pages/tasks.tsx'),
  'tasks/': () => import('./pages/task.tsx'),
  changes: () => import('./pages/changes.tsx'),
  'changes/': () => import('./pages/change.tsx'),
  loop: () => import('./pages/loop.tsx'),
  'loop/': () => import('./pages/cycle.tsx'),
  ledger: () => import('./pages/ledger.tsx'),
  health: () => import('./pages/health.tsx'),
  sources: () => import('./pages/sources.tsx'),
};

export interface Place {
  readonly word: string;
  readonly id: string;
}

export function placeOf(path: string): Place {
  const [, word = '', id = ''] = /^\/([^/]*)\/?(.*)$/.exec(path) ?? [];
  return { word, id };
}

const keyOf = ({ word, id }: Place) => (id === '' ? word : `${word}/`);

const loaded = new Map<string, Page>();

/** Undefined where there is no such page; rejects where its file is gone. */
async function load(key: string): Promise<Page | undefined> {
  const known = loaded.get(key);
  if (known !== undefined) return known;
  const page = (await PAGES[key]?.())?.default;
  if (page !== undefined) loaded.set(key, page);
  return page;
}

/** While the session is still asked for. What fails is tried again, and said, when the page is shown. */
export function loadAhead(path: string): void {
  load(keyOf(placeOf(path))).catch(() => {});
}

export function PageAt({ path, none }: { readonly path: string; readonly none: ReactNode }) {
  const place = placeOf(path);
  const key = keyOf(place);
  const [state, setState] = useState<{ readonly key: string; readonly failed: boolean }>();
  const Shown = loaded.get(key);
  const isKnown = key in PAGES;
  useEffect(() => {
    if (Shown !== undefined || !isKnown) return;
    let isHere = true;
    const settle = (failed: boolean) => () => {
      if (isHere) setState({ key, failed });
    };
    load(key).then(settle(false), settle(true));
    return () => {
      isHere = false;
    };
  }, [key, Shown, isKnown]);
  if (!isKnown) return none;
  if (Shown !== undefined)
    return (
      <Broken key={path}>
        <Shown id={decoded(place.id)} />
      </Broken>
    );
  return state?.key === key && state.failed ? <Gone /> : <Waiting />;
}

/** Somebody may type anything. */
function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** A page that was opened before an update asks for files that the new build does not have. */
function Gone() {
  return (
    <Reload>
      This page could not be loaded. Hone may have been updated, or it does not answer.
    </Reload>
  );
}

function Reload({ children }: { readonly children: ReactNode }) {
  return (
    <div className="note warn" role="alert">
      {children}{' '}
      <button type="button" className="plain" onClick={() => location.reload()}>
        Reload this page
      </button>
    </div>
  );
}

/** Answers of another build may have another form. The frame stays, and says what to do. */
class Broken extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Reload>
        This page could not be shown. If Hone was updated meanwhile, it shows again after a reload.
      </Reload>
    );
  }
}
