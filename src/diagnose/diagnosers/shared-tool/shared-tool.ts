/** Blames a tool that fails in the same way for several agents: it is more likely broken than they are. */
import { quotedName } from '../../../text/index.ts';
import { isBackground } from '../../transient.ts';
import type { Diagnoser } from '../../types.ts';

const CONFIDENCE = 0.6;
/** A tool that always loses some calls, each by itself, is not broken: that is how it is. */
const BACKGROUND_CONFIDENCE = 0.3;
const AGENTS_SHOWN_MAX = 5;

export const sharedTool: Diagnoser = {
  name: 'shared-tool',
  explain(failure, evidence) {
    const { all } = evidence;
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
        confidence: isBackground(failure, evidence) ? BACKGROUND_CONFIDENCE : CONFIDENCE,
        reasons: [{ text, events }],
        against: [],
      },
    ];
  },
};
