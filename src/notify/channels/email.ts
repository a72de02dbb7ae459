/**
 * E-mail: a message of RFC 5322 with a text part, given to a command of the accepted configuration that sends it, such as
 * `sendmail -t -i`. Its lines end as programs of the machine write them; whoever sends it makes them CRLF. The `Message-ID` is made of
 * our key, but no mail server promises to honour that: what may have been sent is not sent again by itself.
 *
 * Titles and texts are foreign: in a header they are one line of encoded words, and the body is encoded whole, so that neither can add a
 * header, an addressee or a part.
 */
import { z } from 'zod';
import { sha256Hex } from '../../base/index.ts';
import { field } from '../../config/index.ts';
import type { Effect } from '../../outbox/index.ts';
import type { Channel, NoticePayload } from '../types.ts';
import { openCommands, plain } from './command.ts';

/** A plain address, without a name, a comment or quotes. */
const address = z
  .string()
  .max(254)
  .regex(/^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/);

const type = z
  .array(
    z.strictObject({
      name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,40}$/),
      from: address,
      to: z.array(address).min(1).max(50),
      run: z
        .array(z.string().min(1).max(1000))
        .min(1)
        .max(50)
        .default(['/usr/sbin/sendmail', '-t', '-i']),
    }),
  )
  .max(20);

type Setting = z.output<typeof type>[number];

const nameOf = ({ name }: { readonly name: string }) => `email:${name}`;

export const emails: Channel<typeof type> = {
  setting: field(type, [], {
    weakens: 'any',
    comment: 'E-mail: name, from, to (addresses), run (sendmail -t -i unless given).',
  }),
  destinations: (configured) => configured.map(nameOf),
  open: (configured, ports) =>
    openCommands<Setting>(configured, ports, {
      nameOf,
      given: (one, effect) => ({
        variables: {},
        input: messageOf(one, effect, ports.clock.nowMs()),
      }),
    }),
};

/** More than anybody reads in one message. */
const TEXT_MAX = 30_000;

function messageOf({ from, to }: Setting, { key, payload }: Effect, nowMs: number): string {
  const { to: addressee, severity, title, text } = payload as unknown as NoticePayload;
  const lines = text.split('\n').map(plain).join('\n').slice(0, TEXT_MAX).toWellFormed();
  const body = `For ${plain(addressee)}.\n\n${lines}\n`;
  return [
    `From: ${from}`,
    `To: ${to.join(',\n ')}`,
    `Subject: ${encodedWords(`[${severity}] ${plain(title)}`)}`,
    `Date: ${new Date(nowMs).toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${sha256Hex(key).slice(0, 40)}@hone.invalid>`,
    // Nobody's absence is answered to it (RFC 3834).
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    ...(Buffer.from(body)
      .toString('base64')
      .match(/.{1,76}/g) ?? []),
    '',
  ].join('\n');
}

/** Of one word: 75 characters with its frame (RFC 2047), of three bytes each four. */
const WORD_BYTES_MAX = 45;
const SUBJECT_MAX = 200;

/** Any text as one header's value, folded. What is short and plain stays readable. */
function encodedWords(text: string): string {
  if (/^[\x20-\x7e]{1,60}$/.test(text) && !text.includes('=?')) return text;
  const words: string[] = [];
  let word = '';
  for (const sign of [...text.toWellFormed()].slice(0, SUBJECT_MAX)) {
    if (Buffer.byteLength(word + sign) > WORD_BYTES_MAX) {
      words.push(word);
      word = '';
    }
    word += sign;
  }
  return [...words, word]
    .map((one) => `=?UTF-8?B?${Buffer.from(one).toString('base64')}?=`)
    .join('\n ');
}
