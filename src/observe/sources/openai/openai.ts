/**
 * Files of OpenAI's interfaces and of those who speak them: kept completions, outputs of batches, logs of evaluations,
 * conversations for fine-tuning, runs of assistants.
 */
import { pathKey } from '../../files/file-source.ts';
import { bothForms, DOCUMENT_BYTES_MAX } from '../../reading/both-forms.ts';
import { valuesOf } from '../../reading/documents.ts';
import { NOT_JSON } from '../../reading/records.ts';
import { documentOf, objectsOf, recordsOf } from '../../reading/sample-reading.ts';
import { type Fields, fieldsIn, fieldsOf, isFields, listOf, own } from '../../reading/values.ts';
import type { Decoder, Recognised, Sample, SourceKind } from '../../types.ts';
import { suiteIn } from './evaluations.ts';
import { isModelAnswer, openaiEvents } from './openai-events.ts';

const keys = { path: pathKey };

export const openai: SourceKind<typeof keys> = {
  kind: 'openai',
  about:
    'files in the forms of OpenAI: completions, outputs of batches, evaluations, conversations with tool calls, run steps',
  keys,
  place: ({ path }) => path,
  open: ({ path }, ports) =>
    bothForms(
      path,
      {
        documents: {
          wanted: { extensions: ['json'] },
          decoder: openaiDocuments,
          unit: 'document',
          payloadBytesMax: DOCUMENT_BYTES_MAX,
        },
        lines: {
          wanted: { extensions: ['jsonl', 'ndjson'] },
          decoder: openaiLines,
          payloadBytesMax: 1024 * 1024,
        },
      },
      ports,
    ),
  recognise,
};

export const openaiDocuments: Decoder<null> = {
  start: null,
  decode(payload, _, about) {
    const { values, broken } = valuesOf(payload);
    const suite = values.map(suiteIn).find((one) => one !== undefined);
    const records = values.flatMap((value) => openaiEvents(value, { about, suite }));
    return {
      records: broken > 0 || values.length === 0 ? [...records, NOT_JSON] : records,
      state: null,
    };
  },
};

type LinesState = { readonly suite: string | null };

export const openaiLines: Decoder<LinesState> = {
  start: { suite: null },
  decode(line, state, about) {
    const record = fieldsIn(line);
    if (record === undefined) return { records: [NOT_JSON], state };
    const suite = suiteIn(record) ?? state.suite ?? undefined;
    return { records: openaiEvents(record, { about, suite }), state: { suite: suite ?? null } };
  },
};

const ROLES = new Set('system developer user assistant tool function'.split(' '));

function recognise(sample: Sample): Recognised | undefined {
  const lines = recordsOf(sample);
  const isLines = lines !== undefined && lines.length > 1;
  const found = isLines ? lines : objectsOf(documentOf(sample) ?? lines?.[0], 'data');
  for (const record of found.slice(0, 5)) {
    const what = formOf(record);
    if (what !== undefined) return { certainty: what.startsWith('Conv') ? 0.85 : 0.95, what };
  }
  return undefined;
}

function formOf(record: Fields): string | undefined {
  if (own(record, 'custom_id') !== undefined && 'response' in record && 'error' in record)
    return 'Output of an OpenAI batch';
  if (record['object'] === 'thread.run.step' || record['object'] === 'thread.run')
    return 'Runs of OpenAI assistants';
  if (record['object'] === 'eval.run.output_item') return 'Results of an OpenAI evaluation';
  if (isFields(record['spec']) && suiteIn(record) !== undefined) return 'Log of openai/evals';
  if (
    typeof record['event_id'] === 'number' &&
    record['sample_id'] !== undefined &&
    record['run_id'] !== undefined
  )
    return 'Log of openai/evals';
  if (isModelAnswer(record)) return 'Chat completions';
  const response = fieldsOf(record['response']);
  if (response !== undefined && isModelAnswer(response)) return 'Requests and chat completions';
  const messages = listOf(record['messages']);
  const isChat =
    messages.length > 0 && messages.every((one) => isFields(one) && ROLES.has(String(one['role'])));
  return isChat ? 'Conversations in the form of OpenAI' : undefined;
}
