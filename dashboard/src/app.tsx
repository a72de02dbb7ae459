/** The frame of every page: where one is, who one is, whether what is shown is live. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ShownSession } from '../../src/contracts/server.ts';
import type { Status } from '../../src/contracts/status.ts';
import icon from './icon.svg';
import { follow, useConnection } from './live.ts';
import { PageAt, placeOf } from './page-loader.tsx';
import { useAsks } from './parts/asks.tsx';
import { Door } from './parts/door.tsx';
import { useNeeds } from './parts/needs.tsx';
import { TokenDialog } from './parts/token-dialog.tsx';
import { Link, usePath } from './router.tsx';
import { switchTheme } from './theme.ts';
import { useApi, useSession } from './use-api.ts';

const NAV = [
  ...['', 'queue', 'patterns', 'traces', 'changes', 'tasks', 'loop', 'ledger', 'health'],
  'sources',
];
const nameOf = (word: string) => (word === '' ? 'Home' : word[0]!.toUpperCase() + word.slice(1));

export function App() {
  const session = useSession();
  if (session.data === undefined)
    return session.error === null ? null : <Door why={session.error.message} />;
  if (session.data.session === null) return <Door />;
  return <Shell shown={session.data} />;
}

function Shell({ shown }: { readonly shown: ShownSession }) {
  const client = useQueryClient();
  useEffect(() => follow(client), [client]);
  const path = usePath();
  const { word } = placeOf(path);
  const section = word === 'proposals' ? 'queue' : word;
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    document.title = `${nameOf(section)} · Hone`;
  }, [section]);
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <Side section={section} shown={shown} />
      <main id="main" ref={main} tabIndex={-1}>
        <Banners version={shown.version} />
        <PageAt path={path} none={<NoPage />} />
      </main>
    </div>
  );
}

function Side({ section, shown }: { readonly section: string; readonly shown: ShownSession }) {
  const connection = useConnection();
  const [isEntering, setEntering] = useState(false);
  const asked = useAsks();
  const waiting =
    (useNeeds()?.length ?? 0) + (asked?.asks.length ?? 0) + (asked?.tasks.length ?? 0);
  const { actor, named, role } = shown.session!;
  return (
    <div className="side">
      <Link to="/" className="brand">
        <img src={icon} alt="" />
        <span>Hone</span>
      </Link>
      <nav aria-label="Pages">
        {NAV.map((word) => (
          <Link key={word} to={`/${word}`} current={word === section}>
            {nameOf(word)}
            {word === 'queue' && waiting > 0 ? (
              <span className="badge">
                {waiting}
                <span className="skip"> waiting</span>
              </span>
            ) : null}
          </Link>
        ))}
      </nav>
      <div className="foot">
        <span title={actor.id}>
          <span className="clip">{actor.id}</span>
          {named ? `token, ${role}` : 'this machine'}
          {' · '}
          <button type="button" className="plain" onClick={() => setEntering(true)}>
            {named ? 'change' : 'enter a token'}
          </button>
        </span>
        <span>
          <span className={`dot ${connection}`} />
          {connection === 'live'
            ? 'live'
            : connection === 'lost'
              ? 'connection lost'
              : 'connecting'}
          {' · '}
          <button type="button" className="plain" onClick={switchTheme}>
            theme
          </button>
        </span>
      </div>
      {isEntering ? <TokenDialog named={named} close={() => setEntering(false)} /> : null}
    </div>
  );
}

/** What concerns every page. */
function Banners({ version }: { readonly version: string }) {
  const connection = useConnection();
  const first = useRef(version);
  const { data } = useApi<Status>('/api/status');
  return (
    <div role="status">
      {connection === 'lost' ? (
        <p className="note warn">
          The connection to Hone is lost. What you see may be old; the page resumes by itself.
        </p>
      ) : null}
      {first.current === version ? null : (
        <p className="note">
          Hone was updated to {version}.{' '}
          <button type="button" className="plain" onClick={() => location.reload()}>
            Reload this page
          </button>
        </p>
      )}
      {data?.stopped === true ? (
        <p className="note bad">
          Everything automatic is stopped: {data.stopReason}. <Link to="/loop">Loop</Link>
        </p>
      ) : null}
    </div>
  );
}

function NoPage() {
  return (
    <div className="empty">
      <b>There is no such page.</b>
      <Link to="/">Home</Link>
    </div>
  );
}
