/** The server's clock, by the `Date` of its answers: what is "3 min ago" does not depend on the viewer's clock. */

/** `Date` has whole seconds, and an answer is on its way for a while. */
const SAME_MS = 2_000;
let aheadMs = 0;

export function noteDate(date: string | null): void {
  const ms = date === null ? Number.NaN : Date.parse(date) - Date.now();
  if (Number.isFinite(ms)) aheadMs = Math.abs(ms) < SAME_MS ? 0 : ms;
}

export const serverNowMs = () => Date.now() + aheadMs;
