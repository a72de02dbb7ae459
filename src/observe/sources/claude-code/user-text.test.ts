/** Who says what in Claude Code's lines, and which of it corrects the agent. */
import { describe, expect, test } from 'vitest';
import { decodeAll, ofKind } from '../transcripts/decode.test-support.ts';
import { claudeDecoder } from './decoder.ts';
import { Session, START_MS } from './lines.test-support.ts';

const corrections = (...lines: readonly object[]) =>
  ofKind(
    decodeAll(
      claudeDecoder(() => true),
      lines,
    ).events,
    'user_correction',
  );

/** A request, and an edit that answers it. */
function worked(s = new Session()): object[] {
  return [
    s.says('Add a dark mode toggle to the settings page'),
    s.calls('e1', 'Edit', { file_path: '/a', old_string: 'light', new_string: 'dark' }),
    s.gets('e1', 'updated'),
    s.answers({ type: 'text', text: 'Done.' }, { id: 'm2', stop_reason: 'end_turn' }),
  ];
}
const NO = 'no, that is wrong, the toggle belongs in the header';

describe('OBS-2 a correction by the user', () => {
  test('that was typed is reported with how sure it is', () => {
    const s = new Session();
    const [found, ...others] = corrections(...worked(s), s.says(NO));
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      kind: 'user_correction',
      agent: 'claude-code',
      correction: 'rephrase',
      atMs: START_MS + 5000,
    });
    expect(found!.certainty).toBeGreaterThan(0.7);
    expect(found!.certainty).toBeLessThan(1);
  });

  test('the same request again is a retry', () => {
    const s = new Session();
    const again = s.says('Add a dark mode toggle to the settings page');
    expect(corrections(...worked(s), again)).toMatchObject([{ correction: 'retry' }]);
  });

  test('before the agent did anything there is nothing to correct', () => {
    const s = new Session();
    expect(corrections(s.says('add a toggle'), s.says(NO))).toEqual([]);
  });

  test('typed while the agent works it counts too', () => {
    const s = new Session();
    const prompt = { type: 'queued_command', commandMode: 'prompt', prompt: NO };
    expect(corrections(...worked(s), s.line('attachment', { attachment: prompt }))).toHaveLength(1);
    const peer = { ...prompt, origin: { kind: 'peer' } };
    expect(corrections(...worked(s), s.line('attachment', { attachment: peer }))).toEqual([]);
  });

  test.each([
    ['a result', (s: Session) => s.gets('e9', NO)],
    ['a reminder', (s: Session) => s.says(`<system-reminder>\n${NO}</system-reminder>`)],
    [
      'the output of a command',
      (s: Session) => s.says(`<local-command-stdout>${NO}</local-command-stdout>`),
    ],
    ['a slash command', (s: Session) => s.says('/undo no, wrong')],
    [
      'its markup',
      (s: Session) => s.says(`<command-name>/x</command-name><command-args>${NO}</command-args>`),
    ],
    ['a line that is meta', (s: Session) => s.says(NO, { isMeta: true })],
    [
      'a summary',
      (s: Session) => s.says(NO, { isCompactSummary: true, isVisibleInTranscriptOnly: true }),
    ],
    [
      'a summary of 1.0',
      (s: Session) =>
        s.says('This session is being continued from a previous conversation. No, wrong.'),
    ],
    ['a hook', (s: Session) => s.says('Stop hook feedback:\nno, wrong, tests fail')],
    ['another agent', (s: Session) => s.says(NO, { origin: { kind: 'peer' } })],
    ['a timer', (s: Session) => s.says(NO, { promptSource: 'system' })],
    ['a sub-agent’s prompt', (s: Session) => s.says(NO, { isSidechain: true, agentId: 'a' })],
    [
      'a block beside a result',
      (s: Session) =>
        s.line('user', {
          message: {
            content: [
              { type: 'tool_result', tool_use_id: 'x', content: '' },
              { type: 'text', text: NO },
            ],
          },
        }),
    ],
  ])('%s is not the user’s word', (_, line) => {
    const s = new Session();
    expect(corrections(...worked(s), line(s))).toEqual([]);
  });

  test('text beside what the editor adds is', () => {
    const s = new Session();
    const opened = { type: 'text', text: '<ide_opened_file>no</ide_opened_file>' };
    expect(corrections(...worked(s), s.says([opened, { type: 'text', text: NO }]))).toHaveLength(1);
    expect(corrections(...worked(s), s.says([opened]))).toEqual([]);
  });
});

describe('OBS-2 what the user did rather than said', () => {
  const refusal =
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). ";

  test('an interruption is an abandoned task', () => {
    const s = new Session();
    const found = corrections(...worked(s), s.says('[Request interrupted by user]'));
    expect(found).toMatchObject([{ correction: 'abandon' }]);
    expect(found[0]).not.toHaveProperty('certainty');
  });

  test('one by a machine that shuts down is none', () => {
    const s = new Session();
    const marker = s.says('[Request interrupted by user]', { interruptedByShutdown: true });
    expect(corrections(...worked(s), marker)).toEqual([]);
  });

  test('a refused call and the marker behind it are one', () => {
    const s = new Session();
    const found = corrections(
      s.says('go'),
      s.calls('t', 'Bash', { command: 'rm x' }),
      s.fails(
        't',
        `${refusal}STOP what you are doing and wait for the user to tell you how to proceed.`,
      ),
      s.says([{ type: 'text', text: '[Request interrupted by user for tool use]' }]),
      s.says(NO),
    );
    expect(found.map(({ correction }) => correction)).toEqual(['abandon']);
  });

  test('a refusal with words says what was wanted instead', () => {
    const s = new Session();
    const words = `${refusal}To tell you how to proceed, the user said:\nuse the wrapper`;
    const old = [s.calls('t', 'Bash', {}), s.fails('t', words)];
    expect(corrections(...old)).toMatchObject([{ correction: 'rephrase' }]);
    const noted = { toolDenialKind: 'user-rejected', userFeedback: 'use the wrapper' };
    const now = [s.calls('u', 'Bash', {}), s.fails('u', 'rejected', noted)];
    expect(corrections(...now)).toMatchObject([{ correction: 'rephrase' }]);
  });

  test('a rule that refuses is not the user', () => {
    const s = new Session();
    const rule = s.fails('t', 'blocked', { toolDenialKind: 'permission-rule' });
    expect(corrections(s.calls('t', 'Bash', {}), rule)).toEqual([]);
  });

  test('an edit that the user changed before it was made', () => {
    const s = new Session();
    const noted = { toolUseResult: { filePath: '/a', userModified: true } };
    const found = corrections(s.calls('t', 'Edit', {}), s.gets('t', 'ok', noted));
    expect(found).toMatchObject([{ correction: 'rephrase', certainty: 0.9 }]);
  });

  test('an edit that is taken back after the user spoke', () => {
    const s = new Session();
    const back = { file_path: '/a', old_string: 'dark', new_string: 'light' };
    const undone = s.calls('e2', 'Edit', back, { id: 'm3' });
    expect(corrections(...worked(s), s.says('the old look please'), undone)).toMatchObject([
      { correction: 'rephrase', certainty: 0.75 },
    ]);
    // The agent changed its own mind, or edits another file.
    expect(corrections(...worked(s), undone)).toEqual([]);
    const other = s.calls('e3', 'Edit', { ...back, file_path: '/b' }, { id: 'm4' });
    expect(corrections(...worked(s), s.says('and the other file'), other)).toEqual([]);
  });

  test('several edits in one call are compared as well', () => {
    const s = new Session();
    const edits = [
      { old_string: 'x', new_string: 'y' },
      { old_string: 'dark', new_string: 'light' },
    ];
    const undone = s.calls('e2', 'MultiEdit', { file_path: '/a', edits }, { id: 'm3' });
    expect(corrections(...worked(s), s.says('the old look please'), undone)).toHaveLength(1);
  });

  test('files taken back with git after the user spoke', () => {
    const s = new Session();
    const restored = s.calls('b', 'Bash', { command: 'git checkout -- src/a.ts' }, { id: 'm3' });
    expect(corrections(...worked(s), s.says('leave it out'), restored)).toMatchObject([
      { certainty: 0.5 },
    ]);
    const branch = s.calls('c', 'Bash', { command: 'git checkout main' }, { id: 'm4' });
    expect(corrections(...worked(s), s.says('now the release'), branch)).toEqual([]);
  });

  test('asked again from an earlier place: what came after it was thrown away', () => {
    const s = new Session();
    const behind = { parentUuid: 'u0' };
    const lines = [
      s.says('hello', { uuid: 'u0', parentUuid: null }),
      s.answers({ type: 'text', text: 'hi' }, { id: 'm0' }),
      s.says('paint it blue', behind),
      s.answers({ type: 'text', text: 'blue' }, { id: 'm1' }),
    ];
    expect(corrections(...lines, s.says('use a palette', behind))).toMatchObject([
      { correction: 'rephrase', certainty: 0.85 },
    ]);
    expect(corrections(...lines, s.says('use a palette'))).toEqual([]);
  });

  test('said and done it is one correction', () => {
    const s = new Session();
    const back = { file_path: '/a', old_string: 'dark', new_string: 'light' };
    const undone = s.calls('e2', 'Edit', back, { id: 'm3' });
    expect(corrections(...worked(s), s.says(NO), undone)).toHaveLength(1);
  });
});
