/** What every mode of validation promises. A member's test calls it with changes that it can judge. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { canonicalJson } from '../base/index.ts';
import { attestationScopes } from '../facts/schemas.ts';
import { MODES } from './modes.ts';
import type { CandidateChange, ValidatePorts, ValidationMode } from './types.ts';

export interface ModeCase {
  readonly change: CandidateChange;
  readonly ports: ValidatePorts;
}

export interface ModeCases {
  /** A change with nothing against it. */
  good(): Promise<ModeCase>;
  /** That it must not pass. */
  bad(): Promise<ModeCase>;
  /** That it can say nothing about, such as for want of a checker; undefined for a mode that always can. */
  readonly unclear: (() => Promise<ModeCase>) | undefined;
}

const never = new AbortController().signal;

async function verdictOf(mode: ValidationMode, { change, ports }: ModeCase) {
  const answer = await mode.judge(change, ports, never);
  if ('pending' in answer) throw new Error(`it is not done yet: ${answer.pending}`);
  return answer;
}

export function modeContract(mode: ValidationMode, cases: ModeCases): void {
  const { good, bad, unclear } = cases;
  const all = [good, bad, ...(unclear === undefined ? [] : [unclear])];

  describe(`the contract of a mode of validation: ${mode.name}`, () => {
    test('has words for the record, and says what its verdict takes for granted', () => {
      const { name, evidenceKinds, assumes } = mode;
      const scope = { mode: name, evidenceKinds: [...evidenceKinds], improvesTarget: null };
      expect(z.strictObject(attestationScopes.validation).parse(scope)).toEqual(scope);
      expect(assumes.filter((one) => !/^[A-Z][^\n\p{Cc}\p{Cf}]{10,300}\.$/u.test(one))).toEqual([]);
    });

    test('is in the list once, those that run the change after those that only read it', () => {
      expect(MODES.filter(({ name }) => name === mode.name)).toEqual([mode]);
      const runs = MODES.map(({ runsChange }) => runsChange);
      expect(runs).toEqual(runs.toSorted((one, other) => Number(one) - Number(other)));
    });

    test('passes what nothing stands against, and never what does', async () => {
      expect((await verdictOf(mode, await good())).verdict).toBe('passed');
      expect((await verdictOf(mode, await bad())).verdict).toBe('failed');
      if (unclear !== undefined)
        expect((await verdictOf(mode, await unclear())).verdict).toBe('inconclusive');
    });

    test('gives its reasons in plain sentences, and a report that is JSON', async () => {
      for (const make of all) {
        const { reasons, found, improvesTarget, verdict } = await verdictOf(mode, await make());
        expect(reasons.length).toBeGreaterThan(0);
        for (const reason of reasons) expect(reason).toMatch(/^[^\p{Cc}\p{Cs}]+$/u);
        expect(JSON.parse(canonicalJson(found))).toEqual(found);
        // A failed or inconclusive verdict never says that it helps.
        if (verdict !== 'passed') expect(improvesTarget).not.toBe(true);
        if (!mode.runsChange) expect(improvesTarget).toBeNull();
      }
    });

    test('taken again after an interruption, it says the same', async () => {
      for (const make of all) {
        const { change, ports } = await make();
        const interrupted = new AbortController();
        const first = mode.judge(change, ports, interrupted.signal);
        interrupted.abort(new Error('the lease is lost'));
        // It ends: with an answer that nobody uses, or with the signal's reason.
        await first.catch((error: unknown) => expect(error).toBe(interrupted.signal.reason));
        const again = await verdictOf(mode, { change, ports });
        expect(await verdictOf(mode, { change, ports })).toEqual(again);
        const fresh = await make();
        expect((await verdictOf(mode, fresh)).verdict).toBe(again.verdict);
      }
    });
  });
}
