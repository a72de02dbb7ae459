/**
 * Which contract a tool is under. `blocked` holds whatever else matches; of the others the one with the most letters
 * that are not `*` does, and of equals the strictest. A tool without a contract is at least `medium`: hints of its
 * server are claims of its server.
 */
import { TOOL_RISKS } from '../facts/index.ts';
import { matchesAnyCase, matchesTool } from './names.ts';
import { SHIPPED_CONTRACTS } from './shipped-contracts.ts';
import type { Contract } from './types.ts';

/** More tools than any client uses; a server that keeps inventing names is not remembered. */
const REMEMBERED_MAX = 10_000;

export class ContractBook {
  readonly #contracts: readonly Contract[];
  readonly #found = new Map<string, Contract | undefined>();

  /** The team's own come first: those shipped apply where none of theirs does. */
  constructor(contracts: readonly Contract[]) {
    this.#contracts = contracts;
  }

  /** `name` is `server/tool`, both plain. */
  of(name: string): Contract | undefined {
    if (this.#found.has(name)) return this.#found.get(name);
    const found = strictest(this.#contracts, name) ?? strictest(SHIPPED_CONTRACTS, name);
    if (this.#found.size >= REMEMBERED_MAX) this.#found.clear();
    this.#found.set(name, found);
    return found;
  }
}

function strictest(contracts: readonly Contract[], name: string): Contract | undefined {
  return contracts
    .filter(({ tool, risk }) =>
      risk === 'blocked' ? matchesAnyCase(name, tool) : matchesTool(name, tool),
    )
    .reduce<Contract | undefined>(
      (best, one) => (best === undefined || holdsBefore(one, best) ? one : best),
      undefined,
    );
}

function holdsBefore(one: Contract, other: Contract): boolean {
  if ((one.risk === 'blocked') !== (other.risk === 'blocked')) return one.risk === 'blocked';
  const [mine, others] = [letters(one), letters(other)];
  return mine === others ? riskOf(one) > riskOf(other) : mine > others;
}

const letters = ({ tool }: Contract) => tool.replaceAll('*', '').length;
const riskOf = ({ risk }: Contract) => TOOL_RISKS.indexOf(risk);
