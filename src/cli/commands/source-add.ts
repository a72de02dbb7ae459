/** `hone sources add`: what was recognised, three events of it, and what remains to do. */
import { addSource } from '../../app/add-source.ts';
import type { SourceAdded, SourceAddInput } from '../../contracts/source.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import type { Io } from '../io.ts';
import { fields, wrap } from '../layout.ts';
import { counted } from '../quantities.ts';
import { shown } from '../shown.ts';

export function sourcesAdd(
  context: Context,
  place: string,
  options: Omit<SourceAddInput, 'place'>,
): Promise<number> {
  const { io } = context;
  return answer(context, addSource(context, { ...options, place }), (added) =>
    addedText(added, io),
  );
}

function addedText(added: SourceAdded, io: Io): string {
  const { columns } = io;
  const { what, files, others, exporter, entry, written, configPath } = added;
  const count = files > 0 ? `: ${counted(files, 'file')}` : '';
  return [
    wrap(`Recognised ${shown(what)}${count}.`, columns),
    others.length > 0
      ? wrap(`It could also be read as ${others.join(' or ')}: --kind says so.`, columns)
      : '',
    eventsText(added, io),
    exporter.length > 0 ? `\nTo send it there, set\n${lines(exporter)}` : '',
    entry === null ? '' : `\n${wrap(entryWords(written, shown(configPath)), columns)}`,
    entry === null ? '' : `  ${shown(JSON.stringify(entry))}\n`,
    '\nNext:\n',
    ...added.next.map((step, at) => fields([[`${at + 1}.`, shown(step)]], columns, '  ')),
  ].join('');
}

const entryWords = (written: boolean, file: string) =>
  written ? `Added to ${file} under observe.sources:` : `An entry of observe.sources in ${file}:`;

const lines = (all: readonly string[]) =>
  all
    .map((line) => `  ${line}`.trimEnd())
    .join('\n')
    .concat('\n');

function eventsText(
  { events, eventsSeen, asideSeen, reasons, exporter }: SourceAdded,
  io: Io,
): string {
  const { columns } = io;
  if (exporter.length > 0) return '';
  const aside = reasons.map(({ detail, lines: of }) =>
    wrap(`${of} × ${shown(detail)}`, columns, '    '),
  );
  const asideTitle = `${counted(asideSeen, 'line')} could not be used, because`;
  if (events.length === 0 && asideSeen === 0) return wrap('There is no event in it yet.', columns);
  return [
    wrap(`Read ${counted(eventsSeen, 'event')} to try it. As Hone would keep them:`, columns),
    ...events.map(({ event }) => `  ${shown(JSON.stringify(event))}\n`),
    asideSeen > 0 ? wrap(asideTitle, columns, '  ') : '',
    ...aside,
  ].join('');
}
