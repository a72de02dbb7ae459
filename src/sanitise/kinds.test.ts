import { describe, expect, test } from 'vitest';
import { sanitise } from './sanitise.ts';
import type { SanitiserRules } from './types.ts';

const RULES: SanitiserRules = {
  allowedDomains: ['github.com'],
  allowedPaths: [],
  redactUuids: false,
};
const clean = (text: string) => sanitise(text, RULES).text;

/** Each kind: what holds a secret, the part that must go, and what only looks like it. */
const KINDS: Readonly<
  Record<string, { held: readonly (readonly [string, string])[]; none: readonly string[] }>
> = {
  'newer issuers': {
    held: [
      ['vcp_Zk3Qp9LmX2vB7nT4wR8sY1cD5fG6hJ0aE3uK', 'Zk3Qp9LmX2vB'],
      ['fm2_lJPECAAAAAAAB1xQ9zK3mW7pR2vT8sY4cD6fG1hJ5aE', 'lJPECAAA'],
      ['cfut_Zk3Qp9LmX2vB7nT4wR8sY1cD5fG6hJ0aE3uK9p2b1c4d', 'Zk3Qp9Lm'],
      [`ABSKQmVkcm9ja0FQSUtleS1${'x9K2'.repeat(30)}`, 'x9K2x9K2'],
      ['pk_48210993_ZK3QP9LMX2VB7NT4WR8SY1CD5FG6HJ0A', 'ZK3QP9LM'],
      ['shpss_Zk3Qp9LmX2vB7nT4wR8sY1cD5fG6hJ0a', 'Zk3Qp9Lm'],
      ['somebody_live_Zk3Qp9LmX2vB7nT4wR8sY1cD5fG6hJ0a', 'Zk3Qp9Lm'],
    ],
    none: [
      'AKIAXXXXXXXXXXXXXXXX and AKIAIOSFODNN7EXAMPLE are placeholders',
      'sk-ant-xxxxxxxxxxxxxxxxxxxxxxxx',
      'ghp_****************************3f9a',
      'toolu_01Zk3Qp9LmX2vB7nT4wR8sY1 and thread_Zk3Qp9LmX2vB7nT4wR8sY1cD',
      'xoxb-my-bot-token-goes-here',
      'hf_requiredCharacteristicTypesForDisplayMetadata',
    ],
  },
  'hashes and names': {
    held: [['secret 9f86d081884c7d659a2feaa0c55ad015', '9f86d081']],
    none: [
      'git commit 3449e1a6b1c2d3e4f5061728394a5b6c7d8e9f00 of the key store',
      'sha256 of the password file: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      "credentialsId: '78e732a4-b679-431b-a4f6-bacd0decf419'",
      'missing required key: client_secret',
      'access_token=ACCESS_TOKEN',
      'SUMO_ACCESS_KEY={SumoAccessKey}',
      'ED25519 key fingerprint is SHA256:bGN4MPvnnG/MNSJv/euycF5tq5Hm8lpGzIdUzwy9CEB.',
      "$password = getenv('DB_PASSWORD');",
      'password VARCHAR(255) NOT NULL,',
      'usage: login [--password PASSWORD] [--token TOKEN]',
    ],
  },
  'docker configuration': {
    held: [
      ['{"auths":{"quay.io":{"auth":"Ym90OlprM1FwOUxt"}}}', 'Ym90Olpr'],
      [
        `.dockerconfigjson: ${Buffer.from('{"auths":{"x.io":{"password":"Zk3Qp9Lm"}}}').toString('base64')}`,
        'eyJhdXRo',
      ],
    ],
    none: ['{"auths":{},"credsStore":"desktop"}'],
  },
  'private keys': {
    held: [
      [
        `(from the last chunk)\n${'Zk3Qp9LmX2vB7nT4'.repeat(4)}\n${'wR8sY1cD5fG6hJ0a'.repeat(4)}\nE3uK9p2b==`,
        'Zk3Qp9Lm',
      ],
      ['{"kty":"EC","x":"aaaa","d":"Zk3Qp9LmX2vB7nT4wR8sY1cD5fG6hJ0a"}', 'Zk3Qp9Lm'],
    ],
    none: [
      `-----BEGIN CERTIFICATE-----\n${'Zk3Qp9LmX2vB7nT4'.repeat(4)}\n${'wR8sY1cD5fG6hJ0a'.repeat(4)}\n-----END CERTIFICATE-----`,
      '-----BEGIN PRIVATE KEY----------END PRIVATE KEY-----',
    ],
  },
  'seed phrases': {
    held: [
      [
        'the seed is clump clock clap tragic broom bulk calm veteran brush blossom alone arch',
        'clap tragic',
      ],
      [
        `words:\n${'cargo cause clump card among arch average correct believe cereal brown ancient'
          .split(' ')
          .map((word, at) => `${at + 1}. ${word}`)
          .join('\n')}`,
        'cargo',
      ],
    ],
    none: ['the agent did not find the file that the user had asked for in this folder again'],
  },
  prose: {
    held: [
      ['the password for bob is Zk3Qp9Lm', 'Zk3Qp9Lm'],
      ['Das Passwort für Anna lautet Marble66&goblin.', 'Marble66'],
      ['Le mot de passe de Luc est Copper69#zephyr', 'Copper69'],
      ['creds are svc_billing / Cl27m#SAUQaD~An0 (staging)', 'SAUQaD'],
      ['> what is the db password?\nMagnet50*hammer', 'Magnet50'],
      ['you can sign in as admin with marble-pigeon-313-pigeon', 'pigeon-313'],
    ],
    none: [
      'Please never put a password into a ticket.',
      'the token for this session is missing',
      'sign in failed twice for model gpt-4o-2024-08-06',
    ],
  },
  'tables and CSV': {
    held: [
      ['username,password,role\nanna,Zk3Qp9Lm,admin\n', 'Zk3Qp9Lm'],
      ['| user | password |\n|---|---|\n| kim | Zk3Qp9Lm |\n', 'Zk3Qp9Lm'],
      [' id | secret\n----+-------\n  7 | Zk3Qp9LmX2vB\n', 'Zk3Qp9Lm'],
      ['<tr><th>User</th><th>Password</th></tr><tr><td>kim</td><td>Zk3Qp9Lm</td></tr>', 'Zk3Qp9Lm'],
    ],
    none: [
      'agent,tokens,cost\nplanner,13285,0.42\n',
      '| key | value |\n|---|---|\n| mode | fast |\n',
    ],
  },
  'forms and YAML': {
    held: [
      ['Content-Disposition: form-data; name="password"\n\nZk3Qp9Lm\n--x', 'Zk3Qp9Lm'],
      ['password: |\n  Zk3Qp9Lm\nuser: x', 'Zk3Qp9Lm'],
      ['token: >-\n    Zk3Qp9LmX2vB7nT4\n', 'Zk3Qp9Lm'],
      ['env:\n  - name: DB_PASSWORD\n    value: "Zk3Qp9Lm"', 'Zk3Qp9Lm'],
    ],
    none: ['SMTP_PASSWORD=\nLOG_LEVEL=info', 'name="password" type="password" required'],
  },
  'connections and command lines': {
    held: [
      ['db.local:5432:orders:app:Zk3Qp9Lm', 'Zk3Qp9Lm'],
      ['sqlplus scott/Zk3Qp9Lm@orcl', 'Zk3Qp9Lm'],
      ['htpasswd -bc users anna Zk3Qp9Lm', 'Zk3Qp9Lm'],
      ['via anna:Zk3Qp9Lm@10.0.0.1:3128', 'Zk3Qp9Lm'],
      ["ALTER USER a IDENTIFIED BY 'Zk3Qp9Lm'", 'Zk3Qp9Lm'],
      ['xfreerdp /u:anna /p:Zk3Qp9Lm /v:host', 'Zk3Qp9Lm'],
    ],
    none: [
      'postgres://user:password@localhost:5432',
      'curl -u username:token https://a.example',
      'curl -u "$USER:$PASS" https://a.example',
      'at src/a.ts:12:3:main:run',
      'lodash/fp@4.17.21',
    ],
  },
  'an allowed domain’s path': {
    held: [
      ['https://github.com/settings/reset/Zk3Qp9LmX2vB7nT4wR8sY1cD5fG6', 'Zk3Qp9Lm'],
      ['https://github.com/login?client_secret=Zk3Qp9Lm', 'Zk3Qp9Lm'],
    ],
    none: ['https://github.com/a/b/commit/3449e1a6b1c2d3e4f5061728394a5b6c7d8e9f00'],
  },
  'telephones and mail': {
    held: [
      ['ring 0049 30 901 820 12', '901 820'],
      ['電話 03-4481-2733', '4481-2733'],
      ['Sverige: 08-448 12 73', '448 12 73'],
      ['bob (at) example.org', 'bob'],
      ['bob [at] mail [dot] example [dot] org', 'example'],
    ],
    none: [
      'room 020 441',
      'article 06-4481-B',
      'let us meet at noon dot com style',
      'getty@tty1.service',
    ],
  },
  'users of home folders': {
    held: [
      ['open /home/alice/notes.txt', 'alice'],
      ['C:\\Users\\Alice\\x\\y', 'Alice'],
    ],
    none: ['open /home/agent', 'cd /Users/Shared'],
  },
};

describe.each(Object.entries(KINDS))('%s', (_, { held, none }) => {
  test.each(held)('%j goes', (text, secret) => {
    expect(clean(text)).not.toContain(secret);
  });

  test.each(none)('%j stays', (text) => {
    expect(clean(text)).toBe(text);
  });
});
