import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HARMLESS_LINES } from './harmless.test-support.ts';
import { LOOK_ALIKES } from './look-alikes.test-support.ts';
import { sanitise } from './sanitise.ts';
import { ENCODINGS, FORMS, NAMES, type Planted, SURROUNDINGS } from './secrets.test-support.ts';
import type { SanitiserRules } from './types.ts';

const RULES: SanitiserRules = {
  allowedDomains: ['api.openai.com', 'api.anthropic.com', 'github.com'],
  allowedPaths: [],
  redactUuids: false,
};
const clean = (text: string) => sanitise(text, RULES).text;

function expectHidden({ text, hidden }: Planted, surround: (secret: string) => string): void {
  const result = clean(surround(text));
  for (const part of hidden) expect(result).not.toContain(part);
  expect(clean(result)).toBe(result);
}

const surroundings = fc.constantFrom(...Object.values(SURROUNDINGS));
const RUNS = { numRuns: 60 };

describe('OBS-4 no secret stays, whatever surrounds it', () => {
  test('there are at least forty kinds', () => {
    expect(Object.keys(FORMS).length + Object.keys(NAMES).length).toBeGreaterThan(40);
  });

  test.each(Object.entries({ ...FORMS, ...NAMES }))('%s', (_, kind) => {
    fc.assert(
      fc.property(kind, surroundings, (planted, surround) => expectHidden(planted, surround)),
      RUNS,
    );
  });

  test.each([
    'GitHub token',
    'GitLab token',
    'Stripe key',
    'Anthropic key',
    'OpenAI key',
    'npm token',
    'Google API key',
  ])('%s, some of its letters written as escapes', (name) => {
    fc.assert(
      fc.property(FORMS[name]!, fc.constantFrom(...Object.values(ENCODINGS)), (planted, encode) => {
        const result = clean(`refused: ${encode(planted.text)} at once`);
        expect(result).toBe('refused: [REDACTED:API_KEY] at once');
      }),
      RUNS,
    );
  });

  test.each([
    ['ERROR login(user=app, password=Tr0ub4dor&3) failed', 'Tr0ub4dor'],
    [
      'psycopg2.OperationalError: connection to "host=db user=app password=s3cr3tpw dbname=x" failed',
      's3cr3tpw',
    ],
    ['{"headers":{"Authorization":["Basic YWxhZGRpbjpvcGVuc2VzYW1l"]}}', 'YWxhZGRpbjpv'],
    ['ansible-playbook site.yml --vault-password hunter22', 'hunter22'],
    ['helm upgrade --set db.password=Zx81Spectrum app .', 'Zx81Spectrum'],
    ['az login -u bot -p Correct-Horse9 --tenant x', 'Correct-Horse9'],
    ['vault login -token=s.abcdEFGH1234', 's.abcdEFGH1234'],
    ['terraform apply -var db_password=Qwerty77 -auto-approve', 'Qwerty77'],
    [
      "subprocess.CalledProcessError: Command '['mysqldump', '-uroot', '-pS3cretRoot', 'shop']' died",
      'S3cretRoot',
    ],
    ['wget --http-password=letmein1 file', 'letmein1'],
    ['psql postgresql://svc:Hg7%21kLm@pg.internal/app', 'Hg7%21kLm'],
    ['amqps://guest:gu3st@rabbit:5671 refused', 'gu3st'],
    ['mongodb://root:ex%40mple@m1,m2/?replicaSet=r', 'ex%40mple'],
    ['"connectionString":"Server=tcp:x;User ID=a;Password=Pa$$w0rd;"', 'Pa$$w0rd'],
    ['smtp_pass: Winter2026!', 'Winter2026!'],
    ['FTP_PW="blue-42-sky"', 'blue-42-sky'],
    ["settings = {'user': 'x', 'pass': 'open sesame 1'}", 'open sesame'],
    ['REDIS_AUTH=9f8a7b6c5d', '9f8a7b6c5d'],
    ['spring.mail.password=abcd efgh', 'abcd'],
    ['user: bot\npw: t0psecret\n', 't0psecret'],
    ['credentials: bot/hunter2secret9', 'hunter2secret9'],
    ['Set-Cookie: session=abc.def.ghi; HttpOnly', 'abc.def'],
    ['"x-goog-api-key": "short1"', 'short1'],
    ['Ocp-Apim-Subscription-Key: 0123456789abcdef', '0123456789abcdef'],
    ['CF-Access-Client-Secret: 8c2fe1d0', '8c2fe1d0'],
    ['curl -H "PRIVATE-TOKEN: abc-123" x', 'abc-123'],
    ['https://api.github.com/?access_token=abcd1234efgh', 'abcd1234efgh'],
    ['GET /cb?code=x&client_secret=zzTop99', 'zzTop99'],
    [
      'https://acct.blob.core.windows.net/c/b?sv=1&sig=abc%2Fdef%2Bghi0123456789xyz%3D',
      'abc%2Fdef',
    ],
    [
      'aws configure set aws_secret_access_key wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
      'wJalrXUtnFEMI',
    ],
    ['ASIAQ3EGRIKTVLXF2ZSM', 'Q3EGRIKT'],
    ['paid with 4242 4242 4242 4242 exp 12/27', '4242 4242 4242 4242'],
    ['PAN=5555555555554444', '5555555555554444'],
    ['card 378282246310005 declined', '378282246310005'],
    ['card: 6011-1111-1111-1117', '6011-1111'],
    ['"cardNumber":"4222222222222"', '4222222222222'],
    ['3782 822463 10005', '3782 822463'],
    ['cvv: 123, exp 12/27', 'cvv: 123'],
    ['IBAN DE89 3704 0044 0532 0130 00 is wrong', '3704 0044'],
    ['gb29nwbk60161331926819', 'nwbk6016'],
    ['FR1420041010050500013M02606', '20041010050'],
    ['CH93-0076-2011-6238-5295-7', '0076-2011'],
    ['call me at +1 (415) 555-2671 tomorrow', '555-2671'],
    ['+14155552671', '4155552671'],
    ['Tel.: +49 (0)30 901820-0', '901820'],
    ['tel:+44-20-7946-0958', '7946-0958'],
    ['ring 020 7946 0958 now', '7946 0958'],
    ['WhatsApp 0151 23456789', '23456789'],
    ['06 12 34 56 78', '12 34 56'],
    ['fax 030/12345678', '12345678'],
    ['1-800-555-0199', '555-0199'],
    ['{"phone":"5551234567"}', '5551234567'],
    ['mobile_number=07700900123', '07700900123'],
    ['ssn 219-09-9999', '219-09-9999'],
    ['eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.', 'eyJzdWIi'],
    ['-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjE\n', 'b3BlbnNzaC1'],
    [
      '-----BEGIN PGP PRIVATE KEY BLOCK-----\nlQOYBF\n-----END PGP PRIVATE KEY BLOCK-----',
      'lQOYBF',
    ],
    ['tls.key: LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk1JSUV2UUlCQURBTkJna3Foa2lHOXcw', 'k1JSUV2'],
    ['$6$rounds=5000$saltsalt$abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ', 'abcdefghijklmn'],
    ['root:$1$abcdefgh$ABCDEFGHIJKLMNOPQRSTUV:0', 'ABCDEFGHIJKLMN'],
    ['DISCORD_TOKEN=short-but-secret-1', 'short-but-secret'],
    ['--password\u0020s3cret77', 's3cret77'],
    ["['--token', 'abc']", "'abc'"],
    ['run --pw=x1 --q', '=x1'],
    ['login --api-key:abcd', 'abcd'],
    ['sshpass -e ssh; sshpass -p "p w d 1" ssh', 'p w d'],
    ['ldapsearch -D cn=admin -w adminpw -b x', 'adminpw'],
    ['mypass="let me in"', 'let me in'],
    ['<Password>let me in</Password>', 'let me in'],
    ["passwd = 'x y z'", 'x y z'],
    ['contraseña: abc123xyz', 'abc123xyz'],
    ['jdbc:oracle:thin:app/tiger99@//db:1521/x', 'tiger99'],
  ])('%j', (text, hidden) => {
    expect(clean(text)).not.toContain(hidden);
  });
});

describe('brackets of a placeholder', () => {
  const brackets = fc.constantFrom<(value: string) => string>(
    (value) => `<${value}>`,
    (value) => `$(${value}`,
    (value) => `$(${value})`,
    (value) => `\${${value}`,
    (value) => `\${${value}}`,
    (value) => `$${value}`,
  );
  const places = fc.constantFrom<(value: string) => string>(
    (value) => JSON.stringify({ password: value }),
    (value) => JSON.stringify({ access_token: value }),
    (value) => `client_secret = '${value}'`,
    (value) => `run --password "${value}" now`,
  );

  test('do not save a value of letters and digits', () => {
    const value = fc.stringMatching(/^[A-Za-z0-9]{8,24}$/).map((text) => `${text}7q`);
    fc.assert(
      fc.property(value, brackets, places, (secret, bracket, place) => {
        expect(clean(place(bracket(secret)))).not.toContain(secret);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['{"password":"<Xk29!aB7q>"}', 'Xk29'],
    ['{"access_token": "<abc123def456ghi789>"}', 'abc123'],
    ['{"password":"$(aK9Secret"}', 'aK9Secret'],
    [`{"password":"\${x:-hunter2}"}`, 'hunter2'],
    ['DB_PASSWORD=<aK9Secret>', 'aK9Secret'],
  ])('%j', (text, hidden) => {
    expect(clean(text)).not.toContain(hidden);
  });

  test.each([
    '{"password":"<your password>"}',
    '{"api_key":"<YOUR_API-KEY>"}',
    '{"token":"$(cat run/token2.txt)"}',
    '{"token":"$(VAULT_TOKEN_2)"}',
    `{"password":"\${DB_PASSWORD_2}"}`,
    `{"password":"\${db_password}"}`,
    '{"password":"$dbPassword"}',
    'password=$(cat token.txt)',
  ])('%j is a placeholder', (text) => {
    expect(clean(text)).toBe(text);
  });
});

describe('what is nobody’s', () => {
  test('stays byte for byte, in more than two hundred lines', () => {
    expect(HARMLESS_LINES.length).toBeGreaterThan(200);
    const changed = HARMLESS_LINES.filter((line) => clean(line) !== line);
    expect(changed).toEqual([]);
  });

  test('stays also when it is all one text', () => {
    const together = HARMLESS_LINES.filter((line) => !/key|token|secret|pass|api/i.test(line));
    expect(clean(together.join('\n'))).toBe(together.join('\n'));
  });

  test.each(LOOK_ALIKES)('%j stays', (text) => {
    expect(clean(text)).toBe(text);
  });

  test.each([
    'guard.tokens is 6000. It is blamed for another pattern, pat_c2fcaaaa27e2eab52ccd: too long',
    'of max size the token limit: hone patterns show pattern pat_5d7cd38c993d1f08b999 (tokens)',
    'the tokens were raised before (p_01m45hgez0zscm8sh2f9be41nk), and that helped',
  ])('what Hone calls its patterns and proposals stays beside a word about secrets: %s', (text) => {
    expect(clean(text)).toBe(text);
  });

  test('what only looks like a pattern’s name is hidden beside such a word', () => {
    expect(clean('the token is pat_c2fcaaaa27e2eab52ccd')).toBe('the token is [REDACTED:KEY]');
    const longer = 'tokens of the pattern, pat_c2fcaaaa27e2eab52ccd0';
    expect(clean(longer)).toBe('tokens of the pattern, [REDACTED:KEY]');
  });

  test('a filler stays only where the issuer’s whole form is not there', () => {
    const typed = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ';
    expect(clean(`set gsk_${typed.slice(0, 52)}`)).toBe('set [REDACTED:API_KEY]');
    expect(clean(`set gsk_${typed}`)).toBe(`set gsk_${typed}`);
  });

  test('a password stays hidden however it was typed', () => {
    expect(clean('password="abcdefghij1234567890"')).toBe('password="[REDACTED:KEY]"');
  });

  test('numbers without their check digits are no cards and no accounts', () => {
    expect(clean('order 4111 1111 1111 1112')).toBe('order 4111 1111 1111 1112');
    expect(clean('id 4111111111111112')).toBe('id 4111111111111112');
    expect(clean('DE89 3704 0044 0532 0130 01')).toBe('DE89 3704 0044 0532 0130 01');
  });

  test('times and ids as long as cards stay unless a card is spoken of', () => {
    expect(clean('at 4222222222222 ms')).toBe('at 4222222222222 ms');
    expect(clean('card 4222222222222')).toBe('card [REDACTED:CARD]');
  });
});

test('a megabyte of what is worst for it takes time linear in its length', () => {
  const worst = [
    'a:b@tcp(',
    '--pw=$( ',
    'mysql -px ',
    'pass: ',
    '1 ',
    '\\\\u0041',
    'eyJ.',
    '+1 ',
    'Aa1/',
  ];
  let slowestMs = 0;
  for (const piece of worst) {
    const text = piece.repeat(Math.ceil((1024 * 1024) / piece.length));
    const start = process.cpuUsage();
    clean(text);
    const { user, system } = process.cpuUsage(start);
    slowestMs = Math.max(slowestMs, (user + system) / 1000);
  }
  // Some 0.5 s; what reads the rest again from every place takes hours.
  expect(slowestMs).toBeLessThan(10_000);
});
