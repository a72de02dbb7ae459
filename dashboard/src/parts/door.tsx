/** Where nobody has opened the dashboard yet, or the server began anew. */
import { TokenForm } from './token-dialog.tsx';

export function Door({ why }: { readonly why?: string }) {
  const isSpent = new URLSearchParams(location.search).get('key') === 'spent';
  return (
    <main className="door">
      <h1>Hone</h1>
      {why === undefined ? null : (
        <p className="note bad" role="alert">
          {why} Start it with <code>hone up</code>; then reload this page.
        </p>
      )}
      {isSpent ? (
        <p className="note warn">This link was used already, or is older than a minute.</p>
      ) : null}
      <p>
        On the machine where Hone runs, open this page with <code>hone open</code>.
      </p>
      <p className="soft">From elsewhere, enter the secret of your token.</p>
      <TokenForm done={() => location.assign('/')} />
    </main>
  );
}
