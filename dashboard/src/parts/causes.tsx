/** The causes that competed, the likeliest first, with what speaks for and against each. */
import type { ShownPattern } from '../../../src/contracts/pattern.ts';
import { percent } from '../format.ts';
import { Prose } from './prose.tsx';
import { Tag } from './states.tsx';

export function Causes({ considered, settledBy }: Pick<ShownPattern, 'considered' | 'settledBy'>) {
  if (considered.length === 0) return null;
  return (
    <>
      <h3>Causes that competed</h3>
      {considered.map((cause) => (
        <div key={cause.what} className="cause">
          <b>{percent(cause.confidence)}</b> {cause.what} <Tag word={cause.layer} />
          <div className="meter" aria-hidden="true">
            <svg viewBox="0 0 100 4" preserveAspectRatio="none">
              <title>{percent(cause.confidence)}</title>
              <rect width={100 * cause.confidence} height="4" fill="var(--accent)" />
            </svg>
          </div>
          <ul>
            {cause.for.map((one) => (
              <li key={one} className="for">
                <Prose text={one} />
              </li>
            ))}
            {cause.against.map((one) => (
              <li key={one} className="against">
                <Prose text={one} />
              </li>
            ))}
          </ul>
        </div>
      ))}
      {settledBy === null ? null : (
        <p className="soft">
          What would settle it: <Prose text={settledBy} />
        </p>
      )}
    </>
  );
}
