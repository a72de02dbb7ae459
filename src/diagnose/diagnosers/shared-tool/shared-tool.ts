/** Blames a tool that fails in the same way for several agents: it is more likely broken than they are. */
import { quotedName } from '../../../text/index.ts';
import type { Diagnoser } from '../../types.ts';

const CONFIDENCE = 0.6;
const AGENTS_SHOWN_MAX = 5;

export const sharedTool: Diagnoser = {
  name: 'shared-tool',
  explain(failure, { all }) {
    const { event = 'tool_call', tool, kind, errorCode } = failure;
    if (tool === '' || event !== 'tool_call') return [];
    const alike = all.filter(
      (one) =>
        (one.event ?? event) === event &&
        one.tool === tool &&
        one.kind === kind &&
        one.errorCode === errorCode,
    );
    const agents = [...new Set(alike.map(({ agent }) => agent))].sort();
    if (agents.length < 2) return [];
    const names = agents.slice(0, AGENTS_SHOWN_MAX).map((agent) => quotedName(agent));
    const text = `${quotedName(tool)} fails in the same way for ${agents.length} agents: ${names.join(', ')}.`;
    const events = failure.examples.map(({ id }) => id);
    return [
      {
        subject: { kind: 'service', name: tool },
        layer: 'tool',
        confidence: CONFIDENCE,
        reasons: [{ text, events }],
        against: [],
      },
    ];
  },
};
