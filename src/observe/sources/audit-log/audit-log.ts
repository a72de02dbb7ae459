/** A gateway's audit log: one JSON object for each decision or request. */
import { pathKey } from '../../files/file-source.ts';
import { bothForms, DOCUMENT_BYTES_MAX } from '../../reading/both-forms.ts';
import { valuesOf } from '../../reading/documents.ts';
import { NOT_JSON } from '../../reading/records.ts';
import { rolesOf, successIn } from '../../reading/roles.ts';
import { documentOf, objectsOf, recordsOf } from '../../reading/sample-reading.ts';
import { timeOf } from '../../reading/times.ts';
import { type Fields, fieldsIn, fieldsOf } from '../../reading/values.ts';
import type { Decoder, Recognised, Sample, SourceKind } from '../../types.ts';
import { auditEvents, isEnvoy, isKong, isLitellm } from './audit-event.ts';

const keys = { path: pathKey };

export const auditLog: SourceKind<typeof keys> = {
  kind: 'audit-log',
  about:
    'the JSON audit log of a gateway: MCP gateways, LiteLLM, Kong, Envoy, or entries with action, success and error',
  keys,
  place: ({ path }) => path,
  open: ({ path }, ports) =>
    bothForms(
      path,
      {
        documents: {
          wanted: { extensions: ['json'] },
          decoder: auditDocuments,
          unit: 'document',
          payloadBytesMax: DOCUMENT_BYTES_MAX,
        },
        lines: { wanted: { extensions: ['log', 'jsonl', 'ndjson'] }, decoder: auditLines },
      },
      ports,
    ),
  recognise,
};

export const auditLines: Decoder<null> = {
  start: null,
  decode(line, _, about) {
    const entry = fieldsIn(line);
    return { records: entry === undefined ? [NOT_JSON] : auditEvents(entry, about), state: null };
  },
};

export const auditDocuments: Decoder<null> = {
  start: null,
  decode(payload, _, about) {
    const { values, broken } = valuesOf(payload);
    const entries = values.flatMap((value) =>
      objectsOf(value, 'entries', 'events', 'logs', 'data'),
    );
    const records = entries.flatMap((entry) => auditEvents(entry, about));
    return {
      records: broken > 0 || entries.length === 0 ? [...records, NOT_JSON] : records,
      state: null,
    };
  },
};

function recognise(sample: Sample): Recognised | undefined {
  const entries = (
    recordsOf(sample) ?? objectsOf(documentOf(sample), 'entries', 'events', 'logs')
  ).slice(0, 50);
  if (entries.length === 0) return undefined;
  const found = entries.map(formOf).filter((one) => one !== undefined);
  if (found.length < 0.7 * entries.length) return undefined;
  const [best] = found.toSorted((a, b) => b.certainty - a.certainty);
  return best;
}

function formOf(entry: Fields): Recognised | undefined {
  if (isLitellm(fieldsOf(entry['standard_logging_object']) ?? entry))
    return { certainty: 0.94, what: 'Log of LiteLLM' };
  if (isKong(entry)) return { certainty: 0.94, what: 'Log of Kong' };
  if (isEnvoy(entry)) return { certainty: 0.92, what: 'Access log of Envoy' };
  const roles = rolesOf(entry);
  if (timeOf(roles.time?.value) === undefined || roles.tool === undefined) return undefined;
  // A log says a level and a message; an audit log decides and counts.
  if (roles.level !== undefined) return undefined;
  if (roles.decision !== undefined && successIn(roles) !== undefined)
    return { certainty: 0.88, what: 'Audit log of a gateway' };
  if (successIn(roles) === undefined) return undefined;
  const isSure = roles.success !== undefined || roles.latency !== undefined;
  return { certainty: isSure ? 0.78 : 0.62, what: 'Audit log with an outcome for each action' };
}
