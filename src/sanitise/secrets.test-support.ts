/**
 * Secrets as they turn up in telemetry, made by chance: each kind gives a text and what of it must not be
 * seen. Kinds that are known by their own form stand in any surrounding; kinds that are known by their
 * name bring it along.
 */
import fc from 'fast-check';

export interface Planted {
  readonly text: string;
  /** Parts that must not be found afterwards. */
  readonly hidden: readonly string[];
}

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const ALNUM = UPPER + LOWER + DIGITS;
const HEX = '0123456789abcdef';

/** As issuers make them. With its bias, fast-check puts words of JavaScript in, which no issuer does. */
const signs = (alphabet: string, min: number, max = min) =>
  fc.noBias(fc.string({ unit: fc.constantFrom(...alphabet), minLength: min, maxLength: max }));
const alnum = (min: number, max = min) => signs(ALNUM, min, max);
const hex = (length: number) => signs(HEX, length);
const url = (min: number, max = min) => signs(`${ALNUM}_-`, min, max);
const whole = (made: fc.Arbitrary<string>, shown = (text: string) => text): fc.Arbitrary<Planted> =>
  made.map((text) => ({ text, hidden: [shown(text)] }));
/** A key with a prefix that may stay: its body must not. */
const prefixed = (prefix: string, body: fc.Arbitrary<string>) =>
  body.map((text): Planted => ({ text: prefix + text, hidden: [text.slice(0, 24)] }));

/** Known by their own form. */
export const FORMS: Readonly<Record<string, fc.Arbitrary<Planted>>> = {
  'GitHub token': fc
    .constantFrom('ghp_', 'gho_', 'ghu_', 'ghs_')
    .chain((p) => prefixed(p, alnum(36))),
  'GitHub fine-grained': prefixed('github_pat_', signs(`${ALNUM}_`, 82)),
  'GitLab token': fc.constantFrom('glpat-', 'gldt-', 'glrt-').chain((p) => prefixed(p, url(20))),
  'Slack token': fc
    .tuple(fc.constantFrom('xoxb', 'xoxp', 'xoxa', 'xoxs'), signs(DIGITS, 11), alnum(24))
    .map(([p, id, key]) => ({ text: `${p}-${id}-${key}`, hidden: [key] })),
  'Slack webhook': alnum(24).map((key) => ({
    text: `hooks.slack.com/services/T0ABCDEF1/B0ABCDEF2/${key}`,
    hidden: [key],
  })),
  'Stripe key': fc
    .constantFrom('sk_live_', 'rk_live_', 'sk_test_')
    .chain((p) => prefixed(p, alnum(24, 60))),
  'Google API key': prefixed('AIza', url(35)),
  'Google OAuth': prefixed('ya29.', url(60)),
  'npm token': prefixed('npm_', alnum(36)),
  'PyPI token': prefixed('pypi-AgEIcHlwaS5vcmc', url(60)),
  'SendGrid key': fc
    .tuple(url(22), url(43))
    .map(([a, b]) => ({ text: `SG.${a}.${b}`, hidden: [b] })),
  'Twilio key': fc.constantFrom('SK', 'AC').chain((p) => prefixed(p, hex(32))),
  'Anthropic key': prefixed('sk-ant-api03-', url(93)),
  'OpenAI key': fc
    .constantFrom('sk-', 'sk-proj-', 'sk-svcacct-')
    .chain((p) => prefixed(p, alnum(48))),
  'OpenRouter key': prefixed('sk-or-v1-', hex(64)),
  'Hugging Face token': prefixed('hf_', signs(UPPER + LOWER, 34)),
  'Groq key': prefixed('gsk_', alnum(52)),
  'LangSmith key': fc
    .tuple(hex(32), hex(10))
    .map(([a, b]) => ({ text: `lsv2_pt_${a}_${b}`, hidden: [a] })),
  'Pinecone key': prefixed('pcsk_', signs(`${ALNUM}_`, 70)),
  'NVIDIA key': prefixed('nvapi-', url(64)),
  'AWS key id': prefixed('AKIA', signs(`${UPPER}234567`, 16)),
  // Chance, as AWS makes them: a test's own liking for runs of one sign would make words of them.
  'AWS secret key': whole(
    fc
      .array(fc.constantFrom(...[UPPER, LOWER, DIGITS].map((kind) => signs(kind, 1))), {
        minLength: 40,
        maxLength: 40,
      })
      .chain((kinds) => fc.tuple(...kinds))
      .map((all) => all.join(''))
      .filter((key) => kindChanges(key) > 15),
  ),
  'Telegram bot': fc
    .tuple(signs('123456789', 9, 10), url(33))
    .map(([id, key]) => ({ text: `${id}:AA${key}`, hidden: [key] })),
  'Discord bot': fc.tuple(signs('123456789', 18, 19), url(6), url(38)).map(([id, a, b]) => ({
    text: `${Buffer.from(id).toString('base64url')}.${a}.${b}`,
    hidden: [b],
  })),
  'JSON web token': fc
    .tuple(alnum(20, 60), alnum(20, 90), url(43))
    .map(([a, b, c]) => ({ text: `eyJ${a}.eyJ${b}.${c}`, hidden: [b, c] })),
  'private key': signs(`${ALNUM}+/`, 64).map((line) => ({
    text: `-----BEGIN RSA PRIVATE KEY-----\n${line}\n${line}\n-----END RSA PRIVATE KEY-----`,
    hidden: [line],
  })),
  'private key of one line': signs(`${ALNUM}+/`, 64).map((line) => ({
    text: `-----BEGIN PRIVATE KEY-----\\n${line}\\n-----END PRIVATE KEY-----\\n`,
    hidden: [line],
  })),
  'private key in base64': signs(`${ALNUM}+/`, 90).map((line) => {
    const text = Buffer.from(`-----BEGIN PRIVATE KEY-----\n${line}\n`).toString('base64');
    return { text, hidden: [text.slice(50)] };
  }),
  'database URL': fc
    .tuple(fc.constantFrom('postgres', 'mysql', 'mongodb+srv', 'redis', 'amqp'), alnum(10, 20))
    .map(([scheme, key]) => ({
      text: `${scheme}://app:${key}@db.example.org:5432/x`,
      hidden: [key],
    })),
  'basic auth in a URL': alnum(8, 20).map((key) => ({
    text: `https://build:${key}@git.example.org/a.git`,
    hidden: [key],
  })),
  'MySQL DSN of Go': alnum(8, 20).map((key) => ({
    text: `app:${key}@tcp(db:3306)/x`,
    hidden: [key],
  })),
  'Basic authorization': fc.tuple(signs(LOWER, 4, 9), alnum(6, 16)).map(([user, key]) => {
    const text = Buffer.from(`${user}:${key}`).toString('base64');
    return { text: `Basic ${text}`, hidden: [text.replace(/=+$/, '')] };
  }),
  'Bearer token': prefixed(
    'Bearer ',
    fc.tuple(url(30), signs(DIGITS, 2)).map((parts) => parts.join('')),
  ),
  'password hash': signs(`${ALNUM}./`, 53).map((key) => ({ text: `$2b$12$${key}`, hidden: [key] })),
  'Grafana token': fc
    .tuple(alnum(32), hex(8))
    .map(([a, b]) => ({ text: `glsa_${a}_${b}`, hidden: [a] })),
  'Vault token': prefixed('hvs.', url(90)),
  'DigitalOcean token': prefixed('dop_v1_', hex(64)),
  'Databricks token': prefixed('dapi', hex(32)),
  'Mailgun key': prefixed('key-', hex(32)),
  'Shopify token': prefixed('shpat_', hex(32)),
  'Docker token': prefixed('dckr_pat_', url(27)),
  'payment card': card(),
  'payment card in groups': card().chain(({ text }) =>
    fc.constantFrom(' ', '-').map((sign) => {
      const grouped = text.length === 16 ? text.replace(/(\d{4})(?=\d)/g, `$1${sign}`) : text;
      return { text: grouped, hidden: [grouped] };
    }),
  ),
  IBAN: iban().chain((text) =>
    fc
      .constantFrom(text, text.replace(/(.{4})(?=.)/g, '$1 '))
      .map((one) => ({ text: one, hidden: [one] })),
  ),
  'phone in E.164': fc
    .tuple(fc.constantFrom('+49', '+44', '+33', '+91', '+61', '+358'), signs('23456789', 9, 10))
    .map(([code, number]) => ({ text: code + number, hidden: [number] })),
  'phone, international': fc
    .tuple(
      fc.constantFrom('+49 ', '+44 ', '+1 ', '+33 '),
      signs('3456789', 3),
      signs('3456789', 3),
      signs(DIGITS, 4),
    )
    .map(([code, a, b, c]) => ({ text: `${code}${a} ${b} ${c}`, hidden: [`${b} ${c}`] })),
  'phone, North America': fc
    .tuple(signs('23456789', 3), signs('23456789', 3), signs(DIGITS, 4), fc.constantFrom(0, 1, 2))
    .map(([a, b, c, form]) => {
      const text = [`(${a}) ${b}-${c}`, `${a}-${b}-${c}`, `${a}.${b}.${c}`][form]!;
      return { text, hidden: [text] };
    }),
  'social security number': fc
    .tuple(signs('12345', 3), signs('123456789', 2), signs('123456789', 4))
    .map((parts) => parts.join('-'))
    .map((text) => ({ text, hidden: [text] })),
};

/** A value that nobody would recognise as a secret by itself. */
const weak = fc.oneof(
  fc.tuple(signs(LOWER, 5, 9), signs(DIGITS, 1, 3)).map((parts) => parts.join('')),
  fc
    .tuple(
      signs(UPPER, 1),
      signs(LOWER, 4, 7),
      fc.constantFrom('!', '#', '$', '%', '_'),
      signs(DIGITS, 2),
    )
    .map((parts) => parts.join('')),
  alnum(10, 18).map((text) => `${text}7q`),
);
const named = (shape: (value: string) => string): fc.Arbitrary<Planted> =>
  weak.map((value) => ({ text: shape(value), hidden: [value] }));
const oneOf = (...shapes: ((value: string) => string)[]): fc.Arbitrary<Planted> =>
  fc.constantFrom(...shapes).chain(named);

/** Known by the name beside them. */
export const NAMES: Readonly<Record<string, fc.Arbitrary<Planted>>> = {
  'flag and space': oneOf(
    (v) => `deploy --password ${v} --region eu`,
    (v) => `tool -password ${v}`,
    (v) => `app --db-password '${v}' run`,
    (v) => `gh auth login --token ${v}`,
    (v) => `cli --api-key "${v}"`,
    (v) => `x --client-secret ${v}`,
  ),
  'flag and equals': oneOf(
    (v) => `--password=${v}`,
    (v) => `run --token=${v} --verbose`,
    (v) => `run --auth-token="${v}"`,
    (v) => `java -Dspring.datasource.password=${v} -jar a.jar`,
  ),
  'list of words': oneOf(
    (v) => `Command '['pg_dump', '--password', '${v}', 'db']' returned non-zero exit status 1`,
    (v) => `spawn ["deploy","--token","${v}"]`,
    (v) => `args: ['curl', '-u', 'bot:${v}', 'x']`,
  ),
  'curl user': oneOf(
    (v) => `curl -u admin:${v} http://localhost`,
    (v) => `curl -s --user "admin:${v}" localhost`,
    (v) => `curl -uadmin:${v} localhost`,
    (v) => `curl localhost -X POST -u 'admin:${v}' -d x`,
  ),
  'short flags': oneOf(
    (v) => `mysql -u root -p${v} shop`,
    (v) => `sshpass -p ${v} ssh host`,
    (v) => `docker login -u bot -p ${v}`,
    (v) => `redis-cli -h cache -a ${v} ping`,
  ),
  'pass=': oneOf(
    (v) => `user=bot pass=${v} failed`,
    (v) => `DB_PASS=${v}`,
    (v) => `smtpPass=${v};`,
    (v) => `{"user":"bot","pass":"${v}"}`,
    (v) => `pass: "${v}"`,
  ),
  'pw:': oneOf(
    (v) => `login bot pw: ${v}`,
    (v) => `pw=${v}`,
    (v) => `{'pw': '${v}'}`,
    (v) => `ADMIN_PW=${v}`,
  ),
  'pwd=': oneOf(
    (v) => `Server=db;Uid=app;Pwd=${v};`,
    (v) => `export MYSQL_PWD=${v}`,
    (v) => `{"pwd": "${v}"}`,
  ),
  'auth=': oneOf(
    (v) => `auth=bot:${v} refused`,
    (v) => `{"auth":"${Buffer.from(`bot:${v}`).toString('base64')}","email":""}`,
    (v) => `?auth=${v}1a9Zk3&x=1`,
  ),
  'password in prose': oneOf(
    (v) => `Login failed: password is ${v}9x`,
    (v) => `the password was "${v}9x"`,
  ),
  'password of JSON': oneOf(
    (v) => JSON.stringify({ password: v, user: 'a' }),
    (v) => JSON.stringify({ body: JSON.stringify({ user: 'a', password: v }) }),
    (v) => JSON.stringify({ db: { passwd: v } }),
    (v) => `{\\u0022password\\u0022:\\u0022${v}\\u0022}`,
  ),
  'password of YAML': oneOf(
    (v) => `db:\n  user: app\n  password: ${v}x1\n  host: db`,
    (v) => `env:\n  - name: DB_PASSWORD\n    value: ${v}x1\n`,
    (v) => `password: "${v}"`,
  ),
  'password of a query': oneOf(
    (v) => `POST /login?user=a&password=${v}&next=1`,
    (v) => `body user=a&pwd=${v}&x=1`,
    (v) => `next=%2Flogin%3Fuser%3Da%26password%3D${v}%26x%3D1`,
  ),
  'password of the environment': oneOf(
    (v) => `PGPASSWORD=${v} psql -h db`,
    (v) => `export DB_PASSWORD='${v}'`,
    (v) => `DB_PASSWORD=${v},(x|y)`,
  ),
  'password of XML': oneOf(
    (v) => `<user>a</user><password>${v}</password>`,
    (v) => `<add key="DbPassword" value="${v}"/>`,
  ),
  'password of .netrc': oneOf((v) => `machine api.example.org login bot password ${v}`),
  'API key by its name': oneOf(
    (v) => `api_key=${v}`,
    (v) => `{"apiKey":"${v}"}`,
    (v) => `OPENAI_API_KEY=${v}`,
    (v) => `client_secret: '${v}'`,
    (v) => `access_token = "${v}"`,
  ),
  'header of a secret': oneOf(
    (v) => `X-Api-Key: ${v}`,
    (v) => `-H 'X-Auth-Token: ${v}' -v`,
    (v) => `{"x-figma-token":"${v}"}`,
    (v) => `Cookie: sid=${v}; theme=dark`,
    (v) => `authorization: basic ${Buffer.from(`bot:${v}`).toString('base64')}`,
    (v) => `Proxy-Authorization: Token ${v}`,
  ),
  'SAS signature': alnum(40).map((sig) => ({
    text: `sv=2022-11-02&sr=b&sig=${sig}%3D&se=2026-01-01`,
    hidden: [sig],
  })),
  'service account': signs(`${ALNUM}+/`, 64).chain((line) =>
    hex(40).map((id) => ({
      text: `{"type":"service_account","private_key_id":"${id}","private_key":"-----BEGIN PRIVATE KEY-----\\n${line}\\n-----END PRIVATE KEY-----\\n"}`,
      hidden: [id, line],
    })),
  ),
  'storage key': signs(`${ALNUM}+/`, 86).map((key) => ({
    text: `DefaultEndpointsProtocol=https;AccountName=x;AccountKey=${key}==;EndpointSuffix=core`,
    hidden: [key],
  })),
  'one-time code': signs(DIGITS, 6).map((code) => ({
    text: `verification code: ${code}`,
    hidden: [code],
  })),
  'phone by its name': fc
    .tuple(
      fc.constantFrom('phone: ', '"phone_number": "', 'tel=', 'mobile: ', 'customerPhone: '),
      signs('123456789', 9, 11),
    )
    .map(([name, number]) => ({ text: name + number, hidden: [number] })),
  'phone with its zero': fc
    .tuple(signs('123456789', 2, 3), signs('123456789', 4), signs(DIGITS, 4))
    .map(([a, b, c]) => ({ text: `0${a} ${b} ${c}`, hidden: [`${b} ${c}`] })),
};

/** The text around a secret; a secret of several lines stays whole in all of them. */
export const SURROUNDINGS: Readonly<Record<string, (secret: string) => string>> = {
  alone: (secret) => secret,
  sentence: (secret) => `It failed with ${secret}.`,
  parentheses: (secret) => `request (${secret}) was refused`,
  lines: (secret) => `first line\n${secret}\nlast line`,
  quoted: (secret) => `got '${secret}' instead`,
  json: (secret) => JSON.stringify({ error: secret, attempt: 3 }),
  'json in json': (secret) => JSON.stringify(JSON.stringify({ error: `refused: ${secret}` })),
  log: (secret) => `2026-03-02T09:12:44.120Z ERROR [agent-7] ${secret}`,
  trace: (secret) => `Error: ${secret}\n    at run (src/a.ts:12:3)`,
  hidden: (secret) => `\u001b[31m${secret.slice(0, 5)}\u200b${secret.slice(5)}\u001b[0m`,
};

/** Some letters written as escapes that they do not need. */
export const ENCODINGS: Readonly<Record<string, (secret: string) => string>> = {
  unicode: (secret) =>
    secret.replace(/[A-Za-z]/g, (sign, at: number) =>
      at % 5 === 1 ? `\\u00${sign.charCodeAt(0).toString(16)}` : sign,
    ),
  percent: (secret) =>
    secret.replace(/[A-Za-z]/g, (sign, at: number) =>
      at % 7 === 1 ? `%${sign.charCodeAt(0).toString(16)}` : sign,
    ),
};

function kindChanges(key: string): number {
  const kind = (sign: string) => [/[a-z]/, /[A-Z]/].findIndex((one) => one.test(sign));
  return [...key].filter((sign, at) => at > 0 && kind(sign) !== kind(key[at - 1]!)).length;
}

function card(): fc.Arbitrary<Planted> {
  const kinds = fc.constantFrom(
    ['4', 16],
    ['51', 16],
    ['55', 16],
    ['2221', 16],
    ['37', 15],
    ['6011', 16],
  );
  return kinds.chain(([prefix, length]) =>
    signs(DIGITS, (length as number) - (prefix as string).length - 1).map((body) => {
      const text = withCheckDigit((prefix as string) + body);
      return { text, hidden: [text] };
    }),
  );
}

/** ISO/IEC 7812, annex B. */
function withCheckDigit(digits: string): string {
  let sum = 0;
  [...digits].reverse().forEach((sign, at) => {
    const value = Number(sign) * (at % 2 === 0 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  });
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

function iban(): fc.Arbitrary<string> {
  const forms = fc.constantFrom<[string, fc.Arbitrary<string>]>(
    ['DE', signs(DIGITS, 18)],
    ['FR', signs(DIGITS, 23)],
    ['GB', fc.tuple(signs(UPPER, 4), signs(DIGITS, 14)).map((parts) => parts.join(''))],
    ['NL', fc.tuple(signs(UPPER, 4), signs(DIGITS, 10)).map((parts) => parts.join(''))],
    ['NO', signs(DIGITS, 11)],
  );
  return forms.chain(([country, body]) =>
    body.map((account) => {
      const letters = (text: string) => [...text].map((sign) => Number.parseInt(sign, 36)).join('');
      const rest = BigInt(`${letters(account)}${letters(country)}00`) % 97n;
      return `${country}${String(98n - rest).padStart(2, '0')}${account}`;
    }),
  );
}
