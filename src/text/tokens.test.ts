import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../test/any-character.ts';
import { MAX_CHARS, MAX_ELEMENTS, Tokeniser } from './tokens.ts';

const tokens = new Tokeniser();

/** The message with certain variables masked; `…` after the first of a list. */
function masked(message: string): string {
  tokens.read(message);
  let out = '';
  for (let i = 0; i < tokens.count; i++) {
    out += tokens.separator(i) + tokens.text(i, false);
    if (tokens.size[i]! > 1) out += `*${tokens.size[i]}`;
  }
  return out + tokens.separator(tokens.count);
}

function keyOf(message: string): number {
  tokens.read(message);
  return tokens.key;
}

describe('what is a value by its shape', () => {
  it.each([
    ['numbers and units', 'took 15ms, 0.5 of 1,024 KB', 'took <*>*2 of <*>*2 KB'],
    ['signed numbers', 'delta=-17 at -3.5 or +4', 'delta=<*> at <*> or <*>'],
    ['hex', 'at 0x7fed806eb5d id a64f992 sum deadbeef', 'at <*> id <*> sum <*>'],
    ['words made of hex letters', 'facade added a bed', 'facade added a bed'],
    ['addresses', 'from 10.0.0.1:8080 to /10.0.0.2', 'from <*>*2 to <*>'],
    ['hardware addresses', 'from 00:11:43:e3:ba:c3 via', 'from <*> via'],
    ['IPv6', 'peer fe80:0:0:0:202:b3ff:fe1e:8329 up', 'peer <*> up'],
    ['UUIDs', '[b9000564-fe1a-409b-b8cc-1e88b294cd1d] up', '[<*>] up'],
    ['host names', 'open api.example.com:443 on a.b.example.de', 'open <*>*2 on <*>'],
    ['packages are no hosts', 'load org.example.net.Client', 'load org.example.net.Client'],
    ['versions', 'agent v2.14.1 with node-26.1', 'agent <*> with node-<*>'],
    ['a version inside a package', 'org.example.v2.api.Client', 'org.example.v2.api.Client'],
    ['numbered names', 'blk_-17 blk_38 rdd_2_0', '<*>*3'],
    ['a name with a host port', 'to db-east-41:5432 failed', 'to <*>*2 failed'],
    ['a name with its address', 'from web-1/10.0.0.1:80', 'from <*>/<*>*2'],
    ['booleans and nothing', 'ok=true last=null', 'ok=<*> last=<*>'],
    ['versions of a protocol', 'GET HTTP/1.1', 'GET HTTP/<*>'],
    ['paths', 'open /var/log/a-1.log: denied', 'open <*>: denied'],
    ['relative and home paths', 'in ./a/b.c, ../../x and ~/y', 'in <*>*2 and <*>'],
    ['Windows paths', 'load C:\\Windows\\x64\\a.dll now', 'load <*> now'],
    ['alternatives are no paths', 'load/store and n/a', 'load/store and n/a'],
    ['URLs with a changing path', 'GET https://a.b.com/x/17?q=1 done', 'GET https://<*> done'],
    [
      'URLs that are text',
      'see http://wiki.example.org/NoRoute for',
      'see http://wiki.example.org/NoRoute for',
    ],
    ['dates in words', 'at Fri Jun 17 07:08:09 2005 by', 'at <*>*3 by'],
    ['dates with a time', 'on 2024-05-01T10:11:12.345Z by', 'on <*> by'],
    ['dates with a zone', 'at 2024/05/01 10:11:12,345 +0000 UTC m=+1.5 by', 'at <*> by'],
    ['dates without a time', 'on 2024-05-01 10 times', 'on <*>*2 times'],
    ['names made by chance', 'for pi_3MtwBwLkdIwHu7ix28a done', 'for <*> done'],
    ['names with numbers', 'use utf8ToBase64Name now', 'use utf8ToBase64Name now'],
    ['placeholders', 'execute <unnamed>: got <nil>, now', 'execute <*>: got <*>, now'],
    ['levels and markup', '<error> in a<b>, <p>text', '<error> in a<b>, <p>text'],
    ['short IPv6', 'from 2001:db8::1 to [::1]:8080 or ::1', 'from <*> to <*>*2 or <*>'],
    ['scopes of a program', 'in std::fade and a::b', 'in std::fade and a::b'],
    ['relative paths of files', 'in src/api/client.ts of and/or', 'in <*> of and/or'],
    ['queries of paths', 'GET /v1/charges?limit=10&after=x HTTP', 'GET <*> HTTP'],
    ['months that are verbs', 'May fail in March', 'May fail in March'],
    ['missing values', 'user=- from - to x', 'user=<*> from - to x'],
    ['empty values', 'from host () tags []', 'from host (<*>) tags [<*>]'],
    ['escaped marks', 'm="at \\"/a/b\\"" n', 'm="at \\"<*>\\"" n'],
    ['escaped twice', 'm="is \\\\\\"ab\\\\\\"" n', 'm="is \\\\\\"ab\\\\\\"" n'],
    ['an escaped URL', 'm="at \\"https://a.b/c1\\"" n', 'm="at \\"https://<*>\\"" n'],
    ['calls are not empty values', 'jk2_init() Found', 'jk2_init() Found'],
    ['names with few digits stay', 'ssh2 over eth0 at L3', 'ssh2 over eth0 at L3'],
    ['after an equals sign they do not', 'if=eth0', 'if=<*>'],
    [
      'short quoted values',
      'tag="*launch*", name="View Lock", n="x 1"',
      'tag="*launch*", name="View Lock", n="<*>"',
    ],
    ['quoted requests', 'request: "GET /a?b=1 HTTP/1.1", host: "x"', 'request: "<*>", host: "x"'],
    ['an amount said once more', 'sent 5237 bytes (5.11 KB) to 3', 'sent <*> bytes to <*>'],
    ['a unit in parentheses by itself', 'took long (5 ms) to 3', 'took long (<*> ms) to <*>'],
    ['quoted text', 'msg="user 17 not found"', 'msg="user <*> not found"'],
    ['written-out objects', 'ws=WorkSource{10113}, x', 'ws=<*>, x'],
    ['JSON', '{"a":1,"b":"x","c":[1,2,3]}', '{"a":<*>,"b":"x","c":[<*>*3]}'],
    ['a stack trace is its first line', 'Error: no\n  at f (a.js:1:2)\n  at g', 'Error: no <*>'],
    [
      'a Python trace is its first and last line',
      'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    g()\nKeyError: 7 lost\n',
      'Traceback (most recent call last): <*> KeyError: <*> lost',
    ],
    ['other lines after a colon are text', 'Error:\nno\nway', 'Error: <*>'],
    ['apostrophes', "Can't open 'x y'", "Can't open 'x y'"],
    ['bounds with a unit', 'lifetime <1 sec, size >10MB of <5', 'lifetime <*>, size <*> of <<*>'],
    ['escapes are no paths', 'sent\\nor \\Device\\Disk', 'sent\\nor <*>'],
    ['very long words', `token ${'q'.repeat(99)} ok`, 'token <*> ok'],
    ['Android components', 'u0 com.a.b/.ui.Main t7', 'u0 com.a.b/.ui.Main t7'],
  ])('%s', (_, message, expected) => {
    expect(masked(message)).toBe(expected);
  });
});

describe('keys', () => {
  it('are equal when only certain variables differ', () => {
    expect(keyOf('took 15 ms')).toBe(keyOf('took  1.5 ms '));
    expect(keyOf('ssh1 up')).toBe(keyOf('ssh2 up'));
  });

  it('differ when a word, a mark or the order differs', () => {
    const keys = ['a b c', 'a b d', 'a: b c', 'b a c', 'a b', 'a b c!', '(a b c'].map(keyOf);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('tell one, two and many members of a list apart, not how many', () => {
    const [one, two, three, nine] = [1, 2, 3, 9].map((n) => keyOf(`ids ${'7 '.repeat(n)}end`));
    expect(new Set([one, two, three]).size).toBe(3);
    expect(nine).toBe(three);
  });

  it('are the same numbers in every release, since saved states hold them', () => {
    expect(keyOf('Failed password for root from 10.0.0.1 port 22 ssh2')).toMatchInlineSnapshot(
      `8472429697731294`,
    );
    expect(keyOf('')).toMatchInlineSnapshot(`5622689737458306`);
  });
});

describe('any input', () => {
  it.each([
    ['nothing', '', 0],
    ['spaces', ' \t \n ', 0],
    ['marks only', '=== :: ((', 0],
    ['one word', 'x', 1],
    ['a colon at the end', 'x:', 1],
    ['a colon and blank lines', 'x:\n \n\n ', 1],
    ['a colon before every line break', 'x:\n y:\nz:\n', 3],
    [
      'as many elements as fit, and a trace',
      `${'w '.repeat(MAX_ELEMENTS)}:\n a\nb`,
      MAX_ELEMENTS + 1,
    ],
    ['lone surrogates', '\ud800 a\udfff', 2],
    ['binary', '\u0000\u0001\u0002 \u0007', 2],
  ])('%s', (_, message, count) => {
    tokens.read(message);
    expect(tokens.count).toBe(count);
  });

  it('cuts a message of 10 MB and says so by a last variable', () => {
    expect(masked(`start ${'word '.repeat(2_000_000)}`)).toMatch(/^start word .* <\*>$/);
    expect(masked('x'.repeat(10_000_000))).toBe('<*><*>');
    expect(masked(`a ${'='.repeat(10_000_000)}`)).toBe(`a ${'='.repeat(MAX_CHARS - 2)}<*>`);
    expect(tokens.count).toBeLessThanOrEqual(MAX_ELEMENTS + 1);
  });

  it('gives back the message from elements and separators, but for spaces', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (message) => {
        tokens.read(message);
        let out = '';
        for (let i = 0; i < tokens.count; i++) out += tokens.separator(i) + tokens.raw(i);
        out += tokens.separator(tokens.count);
        const bare = (text: string) => text.replace(/[ \t\r\v\f\n\u00a0\u3000]+/g, '');
        expect(bare(out)).toBe(bare(message));
      }),
    );
  });
});
