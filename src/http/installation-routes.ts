/**
 * Routes about the installation itself: its configuration, its sources, its backups, and the checks that work on a given
 * text. Where a path is given it is one of the server's machine, so only an operator names it; nothing is written
 * where a caller says.
 */
import { acceptFile } from '../app/accept-file.ts';
import { addSource } from '../app/add-source.ts';
import { takeBackup } from '../app/backup.ts';
import { checkConfiguration } from '../app/configuration.ts';
import { ingest } from '../app/ingest.ts';
import { checkPolicies } from '../app/policy-check.ts';
import { sanitiseGiven } from '../app/sanitise-text.ts';
import * as contracts from '../contracts/index.ts';
import { type ApiRoute, decide, inspect, operate } from './route.ts';

export const INSTALLATION_ROUTES: readonly ApiRoute[] = [
  inspect('/api/configuration/check', {
    about: 'Every mistake in hone.yaml, and what does not fit the repository.',
    answer: contracts.configCheckJson,
    call: checkConfiguration,
  }),
  operate('/api/configuration/accept', 'accept_configuration', {
    about: 'Puts the edited hone.yaml into effect.',
    input: contracts.configAcceptInput,
    answer: contracts.configAcceptJson,
    call: (context, { digest }) => acceptFile(context, digest === undefined ? {} : { digest }),
  }),
  operate('/api/sources', 'connect_telemetry', {
    about: 'Connects telemetry on the server’s machine: writes it into hone.yaml, to be accepted.',
    input: contracts.sourceAddInput,
    answer: contracts.sourceAddedJson,
    call: addSource,
  }),
  operate('/api/telemetry/files', 'connect_telemetry', {
    about: 'Reads files or a folder of the server’s machine into the telemetry, once.',
    input: contracts.ingestFilesInput,
    answer: contracts.ingestJson,
    call: (context, input) => ingest(context, input, { stdin: none(), signal: never }),
  }),
  operate('/api/backups', 'keep_data', {
    about: 'Writes all of this installation, without its key, to a file in its state folder.',
    answer: contracts.backupJson,
    call: (context) => takeBackup(context, { withKey: false, signal: never }),
  }),
  decide('/api/policy/check', 'check_text', {
    about: 'What the policy says of a diff on the checked-out commit, or of a range of commits.',
    input: contracts.policyCheckInput,
    answer: contracts.policyCheckJson,
    call: (context, { diff, range }) =>
      checkPolicies(
        context,
        { ...(diff === undefined ? {} : { diff: '-' }), ...(range === undefined ? {} : { range }) },
        textOnce(diff ?? ''),
      ),
  }),
  decide('/api/sanitize', 'check_text', {
    about: 'A text as Hone would keep it, and what was replaced. Nothing is kept.',
    input: contracts.sanitizeInput,
    answer: contracts.sanitizedJson,
    call: (context, { text }) => sanitiseGiven(context, text),
  }),
];

/** They come to an end by themselves. */
const never = new AbortController().signal;

async function* none(): AsyncGenerator<Uint8Array> {}

async function* textOnce(text: string): AsyncGenerator<string> {
  yield text;
}
