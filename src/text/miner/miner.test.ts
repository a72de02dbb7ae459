import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../test/any-character.ts';
import { seededRandom } from '../../base/index.ts';
import { CERTAIN_FORMS } from './bucket.ts';
import { FORMS_MAX, Miner, type MinerChanges, type MinerState } from './index.ts';

function mined(messages: readonly string[]): Miner {
  const miner = new Miner();
  for (const message of messages) miner.add(message);
  return miner;
}

function texts(messages: readonly string[]): string[] {
  return mined(messages)
    .templates()
    .map((template) => template.text)
    .sort();
}

/** Which messages are together, as indexes, whatever the ids are. */
function partition(miner: Miner, ids: readonly string[]): string {
  const groups = new Map<string, number[]>();
  ids.forEach((id, i) => {
    const group = miner.currentId(id)!;
    groups.set(group, [...(groups.get(group) ?? []), i]);
  });
  return JSON.stringify([...groups.values()]);
}

/** Letters only, never the same twice, never hex. */
function word(n: number): string {
  let out = 'q';
  for (let rest = n + 1; rest > 0; rest = Math.floor(rest / 20))
    out += 'ghijklmnopqrstuvwxyz'[rest % 20];
  return out;
}

describe('DIAG-1 what becomes one template', () => {
  it('joins messages that differ in numbers', () => {
    expect(texts(['took 5 ms', 'took 17 ms'])).toEqual(['took <*> ms']);
  });

  it('keeps a one-word difference that is real', () => {
    const messages = ['session opened', 'session closed', 'file opened', 'file closed'];
    expect(texts(messages)).toEqual([...messages].sort());
  });

  it('joins words after a word that announces a name, once there are three of them', () => {
    const names = ['anna', 'bert', 'carla'];
    expect(texts(names.slice(1).map((name) => `login for user ${name} ok`))).toHaveLength(2);
    expect(texts(names.map((name) => `login for user ${name} ok`))).toEqual([
      'login for user <*> ok',
    ]);
  });

  it('joins a word with a number in its place', () => {
    expect(texts(['port 80 of host is open', 'port http of host is open'])).toEqual([
      'port <*> of host is open',
    ]);
  });

  it('does not take verbs after "to" for values', () => {
    const messages = ['open', 'close', 'read', 'write'].map((verb) => `failed to ${verb} the file`);
    expect(texts(messages)).toEqual([...messages].sort());
  });

  it('does not take what happened for a value', () => {
    const events = ['Started', 'Stopped', 'Paused', 'Resumed', 'Suspended', 'Deleted'];
    expect(
      texts(events.map((event) => `[instance: 7] VM ${event} (Lifecycle Event)`)),
    ).toHaveLength(6);
    const states = ['sleep', 'idle', 'deep'];
    expect(texts(states.map((state) => `disk 7 goes ${state} soon`))).toHaveLength(3);
  });

  it('does not take first words for values', () => {
    const messages = ['cupsd', 'sshd', 'crond', 'klogd'].map((name) => `${name} startup succeeded`);
    expect(texts(messages)).toHaveLength(4);
  });

  it('takes identifiers in a sentence for values, but not keys', () => {
    expect(
      texts(['UpdateAgent', 'SPP'].map((name) => `session 7 begun by client ${name}.`)),
    ).toEqual(['session <*> begun by client <*>.']);
    expect(
      texts(['panel brightnessIn =38 set by auto', 'panel brightnessOut =38 set by auto']),
    ).toHaveLength(2);
  });

  it('joins values of keys, several at once', () => {
    expect(
      texts([
        'acquire tag="View Lock", name=system, ok=true',
        'acquire tag="*launch*", name=phone, ok=false',
      ]),
    ).toEqual(['acquire tag="<*>", name=<*>, ok=<*>']);
  });

  it('does not join values of keys that say what happened', () => {
    const events = ['started', 'stopped', 'paused', 'resumed', 'failed', 'retried'];
    expect(texts(events.map((event) => `{"event":"${event}","run":7}`))).toHaveLength(
      events.length,
    );
    expect(texts(events.map((event) => `level=info msg="run ${event}" run=7`))).toHaveLength(
      events.length,
    );
  });

  it('joins names that change together', () => {
    const pairs = ['a.b.Foo x.y.Bar', 'a.c.Baz x.z.Qux', 'a.d.One x.w.Two'].map((p) =>
      p.split(' '),
    );
    expect(texts(pairs.map(([a, b]) => `${a} is old and slow, use ${b}`))).toEqual([
      '<*> is old and slow, use <*>',
    ]);
  });

  it('takes for values what varies in a message that says the same but for one word', () => {
    const line = (what: string, name: string) => `the job of user ${name} was ${what} right now`;
    const names = ['anna', 'bert', 'carla'];
    const begun = names.map((name) => line('started', name));
    const ended = ['hugo', 'iris'].map((name) => line('stopped', name));
    expect(texts(ended)).toHaveLength(2);
    expect(texts([...begun, ...ended])).toEqual([
      'the job of user <*> was started right now',
      'the job of user <*> was stopped right now',
    ]);
  });

  it('shows the number of a failure that always stands before its text', () => {
    const open = (code: number, text: string) => `open failed (${code}: ${text}), try ${code + 7}`;
    expect(texts([open(2, 'No such file'), open(13, 'Permission denied')])).toEqual([
      'open failed (13: Permission denied), try <*>',
      'open failed (2: No such file), try <*>',
    ]);
    expect(texts([open(2, 'No such file'), open(3, 'No such file')])).toEqual([
      'open failed (<*>: No such file), try <*>',
    ]);
    expect(texts(["[Errno 2] Not found: '/a'"])).toEqual(["[Errno 2] Not found: '<*>'"]);
  });

  it('takes a time in two units for one in one unit', () => {
    expect(texts(['built all in 12s', 'built all in 2m 13s'])).toEqual(['built all in <*>']);
  });

  it('joins several values that never repeat', () => {
    const messages = Array.from(
      { length: 12 },
      (_, i) => `copy of ${word(i)} by ${word(i + 50)} was done`,
    );
    expect(texts(messages)).toEqual(['copy of <*> by <*> was done']);
  });

  it('joins lists of any length, and writes out those of one length', () => {
    expect(texts(['delete 1 now', 'delete 1 2 3 4 now', 'delete 5 6 now'])).toEqual([
      'delete <*> now',
    ]);
    expect(texts(['rect (1, 2, 3, 4)', 'rect (9, 9, 9, 9)'])).toEqual([
      'rect (<*>, <*>, <*>, <*>)',
    ]);
    expect(texts(['from 7,8 came it', 'from 7 came it'])).toEqual(['from <*> came it']);
    expect(texts(['lifetime 00:17', 'lifetime <1 sec'])).toEqual(['lifetime <*>']);
    expect(texts(['peer 10.0.0.1:80', 'peer 10.0.0.2'])).toEqual(['peer <*>', 'peer <*>:<*>']);
    expect(texts(['load is now 1', 'load is now 1 2'])).toEqual([
      'load is now <*>',
      'load is now <*> <*>',
    ]);
  });

  it('masks a mixed word when its digits vary', () => {
    expect(texts(['via eth0 up', 'via eth0 up'])).toEqual(['via eth0 up']);
    expect(texts(['via eth0 up', 'via eth1 up'])).toEqual(['via <*> up']);
  });
});

describe('a template explains itself', () => {
  it('with counts, places and typical values', () => {
    const miner = mined(
      ['alice', 'bob', 'carol', 'bob'].map((name) => `login of user ${name} from 10.0.0.1`),
    );
    const [template] = miner.templates();
    expect(template).toMatchObject({
      text: 'login of user <*> from <*>',
      count: 4,
      first: 1,
      last: 4,
    });
    expect(
      template!.variables.map(({ place, after, values }) => [place, after, values[0]]),
    ).toEqual([
      [3, 'user', { value: 'bob', share: 0.5 }],
      [5, 'from', { value: '10.0.0.1', share: 1 }],
    ]);
  });
});

describe('ids', () => {
  it('are the same for the same message in every miner', () => {
    const id = new Miner().add('disk full on 7').templateId;
    expect(mined(['other', 'words']).add('disk full on 9').templateId).toBe(id);
  });

  it('given early still resolve after templates joined and were generalised', () => {
    const miner = new Miner();
    const ids = Array.from(
      { length: 500 },
      (_, i) => miner.add(`mail for ${word(i)} was sent`).templateId,
    );
    const current = new Set(ids.map((id) => miner.currentId(id)));
    expect(current.size).toBe(1);
    expect(miner.template(ids[0]!)).toMatchObject({ text: 'mail for <*> was sent', count: 500 });
    expect(miner.size).toBeLessThan(100);
  });

  it('that were never given resolve to nothing', () => {
    const miner = mined(['a b c']);
    for (const id of ['', 'zzz', '💥', '-1', '9'.repeat(40)])
      expect(miner.template(id)).toBeUndefined();
  });
});

/** Messages of a few shapes with values of small and large sets: what merging and order could disturb. */
const message = fc.oneof(
  fc.tuple(fc.nat(30), fc.nat(5)).map(([a, b]) => `login of ${word(a)} from host ${word(b)} ok`),
  fc.nat(400).map((n) => `mail for ${word(n)} was sent`),
  fc.tuple(fc.nat(3), fc.nat(9)).map(([a, n]) => `state of unit ${n} is ${word(a)}`),
  fc.array(fc.nat(99), { maxLength: 5 }).map((list) => `ids [${list.join(', ')}] done`),
  fc.nat(12).map((n) => `interface eth${n} is up`),
  fc.constantFrom('ready', 'stopped', 'Error: no\n at f\n at g', '{"a":1,"b":"x"}', ''),
);
const messages = fc.array(message, { maxLength: 300 });

describe('a message that is only to be recognised', () => {
  it('gets the id that it would be given, and is counted', () => {
    const miner = mined(['took 5 ms', 'refused by alice', 'took 17 ms']);
    expect(miner.recognise('took 99 ms')).toBe(miner.add('took 3 ms').templateId);
    expect(miner.templates()[0]).toMatchObject({ text: 'took <*> ms', count: 4 });
  });

  it('gets the id of a template that has room for it', () => {
    const users = Array.from({ length: 40 }, (_, at) => `refused login of user ${word(at)}`);
    const miner = mined(users);
    const id = miner.recognise(`refused login of user ${word(99)}`);
    expect(miner.template(id!)?.text).toBe('refused login of user <*>');
  });

  it('leaves no trace if it is unknown', () => {
    const miner = mined(['took 5 ms']);
    const before = miner.save();
    miner.takeChanges();
    expect(miner.recognise('never seen before')).toBeUndefined();
    expect(miner.save()).toEqual(before);
    expect(miner.takeChanges()).toBeUndefined();
  });
});

describe('DIAG-1 order and merging', () => {
  it('give the same groups in any order', () => {
    fc.assert(
      fc.property(messages, fc.nat(), (input, seed) => {
        const random = seededRandom(seed);
        const order = input.map((_, i) => [random.next(), i] as const).sort((a, b) => a[0] - b[0]);
        const plain = new Miner();
        const ids = input.map((text) => plain.add(text).templateId);
        const shuffled = new Miner();
        const other: string[] = [];
        for (const [, i] of order) other[i] = shuffled.add(input[i]!).templateId;
        expect(partition(shuffled, other)).toBe(partition(plain, ids));
      }),
      { numRuns: 60 },
    );
  });

  it('group merged halves like one miner that saw all, whichever takes in the other', () => {
    fc.assert(
      fc.property(messages, messages, (left, right) => {
        const whole = new Miner();
        const wholeIds = [...left, ...right].map((text) => whole.add(text).templateId);
        const make = () => [mined(left), mined(right)] as const;
        const ids = [...left, ...right].map((text) => new Miner().add(text).templateId);
        const [a, b] = make();
        a.merge(b);
        const [c, d] = make();
        d.merge(c);
        expect(a.messages).toBe(left.length + right.length);
        expect(a.templates()).toEqual(d.templates());
        const known = ids.map((id, i) => a.currentId(id) ?? a.currentId(wholeIds[i]!)!);
        expect(known.every((id) => id !== undefined)).toBe(true);
        expect(
          a
            .templates()
            .map((t) => [t.text, t.count])
            .sort(),
        ).toEqual(
          whole
            .templates()
            .map((t) => [t.text, t.count])
            .sort(),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('hold for templates that are generalised on the way', () => {
    const random = seededRandom(11);
    const pick = (below: number) => word(Math.floor(random.next() * below));
    const shapes = [
      () => `login of ${pick(3_000)} from ${pick(50)} ok`,
      () => `mail for ${pick(1_000_000)} was sent`,
      () => `mail for ${pick(1_000_000)} was lost`,
      () => `copy of ${pick(1_000_000)} by ${pick(1_000_000)} was done`,
      () => `user=${pick(500)} action=${pick(20)}`,
    ];
    const input = Array.from({ length: 4_000 }, (_, i) => shapes[i % shapes.length]!());
    const backwards = mined(input.toReversed());
    const [left, right] = [mined(input.slice(0, 2_000)), mined(input.slice(2_000))];
    right.merge(left);
    const found = (miner: Miner) =>
      miner
        .templates()
        .map(({ text, count }) => `${count} ${text}`)
        .sort();
    expect(found(mined(input))).toHaveLength(shapes.length);
    expect(found(backwards)).toEqual(found(mined(input)));
    expect(found(right)).toEqual(found(mined(input)));
    expect(right.size).toBeLessThan(CERTAIN_FORMS * shapes.length);
  });

  it('leaves the other miner as it was', () => {
    const [a, b] = [mined(['x 1']), mined(['y 1', 'y 2'])];
    const before = JSON.stringify(b.save());
    a.merge(b);
    a.add('y 3');
    expect(JSON.stringify(b.save())).toBe(before);
  });
});

describe('saved state', () => {
  it('is plain JSON that loads to a miner which goes on the same way', () => {
    fc.assert(
      fc.property(messages, messages, (before, after) => {
        const miner = mined(before);
        const loaded = Miner.load(JSON.parse(JSON.stringify(miner.save())) as MinerState);
        expect(loaded.templates()).toEqual(miner.templates());
        const ids = after.map(
          (text) => [miner.add(text).templateId, loaded.add(text).templateId] as const,
        );
        for (const [mine, theirs] of ids)
          expect(loaded.currentId(theirs)).toBe(miner.currentId(mine));
        expect(loaded.save()).toEqual(miner.save());
      }),
      { numRuns: 60 },
    );
  });

  it('can be kept by its changes alone, whenever they are taken', () => {
    fc.assert(
      fc.property(fc.array(messages, { maxLength: 6 }), (batches) => {
        const miner = new Miner();
        const kept = new KeptState();
        const given: string[] = [];
        for (const batch of batches) {
          given.push(...batch.map((text) => miner.add(text).templateId));
          kept.apply(miner.takeChanges());
        }
        const loaded = Miner.load(kept.state());
        for (const id of given) {
          expect(loaded.currentId(id)).toBe(miner.currentId(id));
          expect(loaded.template(id)?.text).toBe(miner.template(id)?.text);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('stays loadable by its changes beyond what it has room for', () => {
    const miner = new Miner();
    const kept = new KeptState();
    let most = 0;
    for (let i = 0; i < FORMS_MAX + 6_000; i++) {
      miner.add(Array.from({ length: 2 + (i % 40) }, (_, at) => word(i * 31 + at)).join(' '));
      if (i % 500 !== 499) continue;
      const changes = miner.takeChanges();
      if (i > 10_000 && i < FORMS_MAX) most = Math.max(most, changes!.forms.length);
      kept.apply(changes);
    }
    // A save costs what is new, not what is known.
    expect(most).toBeLessThan(1_000);
    miner.templates();
    kept.apply(miner.takeChanges());
    const loaded = Miner.load(kept.state());
    const texts = (one: Miner) => one.templates().map(({ id, text }) => `${id} ${text}`);
    expect(texts(loaded).sort()).toEqual(texts(miner).sort());
  });

  it('keeps what was generalised', () => {
    const miner = mined(Array.from({ length: 200 }, (_, i) => `mail for ${word(i)} was sent`));
    const loaded = Miner.load(JSON.parse(JSON.stringify(miner.save())) as MinerState);
    const { templateId, isNew } = loaded.add('mail for somebody was sent');
    expect(isNew).toBe(false);
    expect(loaded.template(templateId)).toMatchObject({
      count: 201,
      text: 'mail for <*> was sent',
    });
    expect(loaded.size).toBe(miner.size);
  });

  it('is refused by name when it is damaged or of another version', () => {
    const state = mined(['a 1 b', 'a 2 b', 'ids 1 2 3']).save();
    const refused = (broken: unknown) =>
      expect(() => Miner.load(broken as MinerState)).toThrow(
        expect.objectContaining({ name: 'TextError', code: 'state_unreadable' }),
      );
    for (const broken of [
      null,
      7,
      'x',
      [],
      {},
      { ...state, version: 99 },
      { ...state, messages: NaN },
    ]) {
      refused(broken);
    }
    refused({ ...state, forms: [{ ...state.forms[0], separators: [] }] });
    refused({ ...state, forms: [{ ...state.forms[0], count: -1 }] });
    refused({ ...state, forms: [{ ...state.forms[0], slots: [null] }] });
    refused({ ...state, aliases: [[1]] });
    refused({ ...state, forms: [state.forms[0], state.forms[0]] });
    const [first, second] = state.forms;
    refused({ ...state, forms: [first, { ...second, skeleton: first!.skeleton }] });
  });

  it('never gives anything but an answer or that refusal, whatever is in it', () => {
    const state = JSON.stringify(mined(['a 1 b', 'user anna in', 'ids 1 2 3 eth0']).save());
    fc.assert(
      fc.property(
        fc.nat(state.length - 1),
        fc.constantFrom('0', '"', '-', '9', 'x', ''),
        (at, piece) => {
          let broken: unknown;
          try {
            broken = JSON.parse(state.slice(0, at) + piece + state.slice(at + 1));
          } catch {
            return;
          }
          try {
            Miner.load(broken as MinerState).templates();
          } catch (error) {
            expect(error).toMatchObject({ code: 'state_unreadable' });
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('any input', () => {
  it('gets an answer, however odd', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: anyCharacter, maxLength: 60 }), { maxLength: 40 }),
        (input) => {
          const miner = new Miner();
          const ids = input.map((text) => miner.add(text).templateId);
          for (const id of ids) expect(miner.template(id)!.count).toBeGreaterThan(0);
          expect(miner.templates().reduce((sum, { count }) => sum + count, 0)).toBe(input.length);
        },
      ),
    );
  });

  it('of 10 MB is cut, and nothing of it is kept but what a template shows', () => {
    const miner = mined([`dump ${'\ud800x '.repeat(3_000_000)}`, 'z'.repeat(10_000_000), '']);
    expect(JSON.stringify(miner.save()).length).toBeLessThan(200_000);
  });

  it('that is not text is refused by name', () => {
    for (const odd of [undefined, null, NaN, 7, {}, ['x']]) {
      expect(() => new Miner().add(odd as string)).toThrow(
        expect.objectContaining({ code: 'not_text' }),
      );
    }
  });
});

describe('memory', () => {
  it('stays within the limit on words that never repeat, and counts what it forgot', () => {
    const random = seededRandom(7);
    const miner = new Miner();
    const count = FORMS_MAX + 4_000;
    for (let i = 0; i < count; i++) {
      // The number of words varies, so that nothing can be generalised.
      const marks = Array.from({ length: 6 }, () => ',;:!'[Math.floor(random.next() * 4)]).join(
        ' x',
      );
      miner.add(`${word(i)}${marks} ${word(i + count)}`);
      expect(miner.size).toBeLessThanOrEqual(FORMS_MAX);
    }
    expect(miner.forgotten).toBeGreaterThan(0);
    const kept = miner.templates().reduce((sum, template) => sum + template.count, 0);
    expect(kept + miner.forgotten).toBe(count);
  });

  it('resolves the id of a forgotten form to the template that it was in', () => {
    const miner = new Miner();
    const id = miner.add('login for user anna ok').templateId;
    const names = ['bert', 'carla', 'doris', 'emil'];
    for (let i = 0; i < 200; i++) miner.add(`login for user ${names[i % names.length]} ok`);
    for (let i = 0; miner.forgotten === 0; i++)
      miner.add(`${word(i)}: ${word(i * 7)}; ${word(i * 3)}`);
    expect(miner.template(id)).toMatchObject({ text: 'login for user <*> ok', count: 200 });
  });

  it('keeps what is frequent when it forgets', () => {
    const miner = new Miner();
    const often = miner.add('the usual message 1').templateId;
    for (let i = 0; i < FORMS_MAX * 1.5; i++) {
      if (i % 100 === 0) miner.add('the usual message 2');
      miner.add(`${word(i)}: ${word(i * 7)}; ${word(i * 3)}`);
    }
    expect(miner.template(often)?.count).toBeGreaterThan(200);
  });
});

/** A state as a database keeps it: one row per form and alias. */
class KeptState {
  #last: Pick<MinerState, 'version' | 'messages' | 'forgotten'> | undefined;
  readonly #forms = new Map<number, MinerState['forms'][number]>();
  readonly #aliases = new Map<number, number>();

  apply(changes: MinerChanges | undefined): void {
    if (changes === undefined) return;
    const { version, messages: seen, forgotten } = changes;
    this.#last = { version, messages: seen, forgotten };
    for (const key of changes.goneForms) this.#forms.delete(key);
    for (const form of changes.forms) this.#forms.set(form.key, structuredClone(form));
    for (const key of changes.goneAliases) this.#aliases.delete(key);
    for (const [from, to] of changes.aliases) this.#aliases.set(from, to);
  }

  state(): MinerState {
    const last = this.#last ?? new Miner().save();
    return { ...last, forms: [...this.#forms.values()], aliases: [...this.#aliases] };
  }
}
