/** Who did it, in which session, in which version: by the names of all conventions that are in use. */
import type { Attributes } from './attributes.ts';
import { boundedId, boundedName, known } from './bounds.ts';
import type { Origin } from './model.ts';

/** Fields that every event has. */
export interface Common {
  readonly session: string;
  readonly variant?: string;
  readonly traceId?: string;
  readonly spanId?: string;
  readonly parentSpanId?: string;
  readonly version?: string;
  readonly model?: string;
  readonly provider?: string;
}

const SESSION = [
  'gen_ai.conversation.id',
  'session.id',
  'conversation.id',
  'thread.id',
  'langfuse.session.id',
  'traceloop.association.properties.session_id',
] as const;
const AGENT = ['gen_ai.agent.name', 'agent.name', 'agent_name'] as const;
const VARIANT = ['hone.variant', 'variant'] as const;
const VERSION = ['gen_ai.agent.version', 'app.version', 'service.version'] as const;
const MODEL = [
  'gen_ai.response.model',
  'gen_ai.request.model',
  'llm.model_name',
  'embedding.model_name',
  'reranker.model_name',
  'llm.response.model',
  'llm.request.model',
  'ai.model.id',
  'model',
  'model_name',
] as const;
const PROVIDER = [
  'gen_ai.provider.name',
  'gen_ai.system',
  'llm.provider',
  'llm.system',
  'ai.model.provider',
  'mcp.server.name',
  'mcp_server_name',
  'mcp_server',
  'server.address',
  'net.peer.name',
  'peer.service',
  'http.host',
] as const;

export interface Place {
  readonly traceId?: string | undefined;
  readonly spanId?: string | undefined;
  readonly parentSpanId?: string | undefined;
}

/** Without a session of its own, a trace is one; a record that names neither belongs to its sender. */
export function commonOf(attributes: Attributes, { resource }: Origin, place: Place): Common {
  const session =
    boundedId(attributes.text(...SESSION)) ??
    boundedId(resource.text(...SESSION)) ??
    place.traceId ??
    boundedId(resource.text('service.instance.id', 'service.name'));
  return known<Common>({
    session: session ?? 'unknown',
    variant: boundedName(attributes.text(...VARIANT) ?? resource.text(...VARIANT)),
    traceId: place.traceId,
    spanId: place.spanId,
    parentSpanId: place.parentSpanId,
    version: boundedName(attributes.text(...VERSION) ?? resource.text(...VERSION)),
    model: boundedName(attributes.text(...MODEL)),
    provider: boundedName(attributes.text(...PROVIDER) ?? hostOf(attributes)),
  });
}

/** An agent's own name; undefined if only the program's is known. */
export function ownAgentOf(attributes: Attributes): string | undefined {
  return boundedName(attributes.text(...AGENT));
}

export function agentOf(attributes: Attributes, { resource, scope }: Origin): string {
  const named = ownAgentOf(attributes) ?? boundedName(resource.text(...AGENT, 'service.name'));
  return named ?? boundedName(scope) ?? 'unknown';
}

function hostOf(attributes: Attributes): string | undefined {
  const url = attributes.text('url.full', 'http.url');
  return url === undefined || url.length > 4000 ? undefined : URL.parse(url)?.hostname || undefined;
}
