/** Words that something worth a rule begins with, by their first three letters: one look into a table per word. */
import { beginning, isDigitCode } from './signs.ts';

export const TRIGGER = {
  none: 0,
  bearer: 1,
  basic: 2,
  pem: 4,
  said: 8,
  seed: 16,
  netrc: 32,
  topic: 64,
  command: 128,
} as const;

const BEGINNINGS: Readonly<Record<string, number>> = {
  bea: TRIGGER.bearer,
  bas: TRIGGER.basic,
  LS0: TRIGGER.pem,
  pas: TRIGGER.said | TRIGGER.netrc,
  pwd: TRIGGER.said,
  ken: TRIGGER.said,
  con: TRIGGER.said,
  sen: TRIGGER.said,
  mot: TRIGGER.said,
  sec: TRIGGER.said,
  tok: TRIGGER.said,
  cre: TRIGGER.said,
  api: TRIGGER.said,
  acc: TRIGGER.said,
  aut: TRIGGER.said,
  pri: TRIGGER.said,
  key: TRIGGER.said,
  pin: TRIGGER.said,
  otp: TRIGGER.said,
  log: TRIGGER.said,
  ide: TRIGGER.topic,
  sig: TRIGGER.topic,
  sch: TRIGGER.topic,
  cla: TRIGGER.topic,
  cha: TRIGGER.topic,
  tot: TRIGGER.topic,
  wif: TRIGGER.topic,
  get: TRIGGER.topic,
  unl: TRIGGER.topic,
  zug: TRIGGER.topic,
  roo: TRIGGER.topic,
  mdp: TRIGGER.topic,
  vau: TRIGGER.topic,
  sud: TRIGGER.topic,
  chi: TRIGGER.topic,
  wac: TRIGGER.topic,
  sle: TRIGGER.topic,
  geh: TRIGGER.topic,
  toe: TRIGGER.topic,
  klu: TRIGGER.topic,
  par: TRIGGER.topic,
  ana: TRIGGER.topic,
  loz: TRIGGER.topic,
  nyc: TRIGGER.topic,
  adg: TRIGGER.topic,
  kod: TRIGGER.topic,
  sal: TRIGGER.topic,
  hes: TRIGGER.topic,
  jel: TRIGGER.topic,
  lla: TRIGGER.topic,
  jet: TRIGGER.topic,
  san: TRIGGER.topic,
  sif: TRIGGER.topic,
  seg: TRIGGER.topic,
  see: TRIGGER.seed,
  mne: TRIGGER.seed,
  rec: TRIGGER.seed,
};

/** The last three letters of names of secrets: `requirepass`, `kube_token`. */
export const NAME_ENDINGS = new Uint8Array(32768);
for (const letters of 'ass ord swd ken ret key uth pwd als eds rds ens eys ets ase ial chl'.split(
  ' ',
))
  NAME_ENDINGS[beginning(letters, 0)] = 1;

/**
 * The last letters of all that `secret-names.ts` may call a name, and of the words that stand in for one: whatever ends
 * otherwise is not looked up.
 */
const LAST_LETTERS =
  'ass asse wd ord rase ode ort aña ana nha asse ola slo rd ана оль ワード 码 碼 호 mdp wif key asswort geheimnis nis pass auth oken cret tial key ys pw psw swd psk auth thn red eds nfo otp otal pin vv vc sig ure sas sid jwt nic oauth ion kie ies sess header ash irm ain old new ent lue ext raw ing str b64 enc ded ted ata rod dev est ive ary kup one two id ult ier ode .pw har tes any'.split(
    ' ',
  );
const NAME_LAST = new Uint8Array(1024);
for (const letters of LAST_LETTERS) NAME_LAST[lastTwo(letters, letters.length)] = 1;
for (const letters of ['ns', 'ts', 'ls', 'ds', 'es', 'ys', 'is', 'ss', 'se'])
  NAME_LAST[lastTwo(letters, 2)] = 1;

function lastTwo(text: string, end: number): number {
  return ((text.charCodeAt(end - 2) & 31) << 5) | (text.charCodeAt(end - 1) & 31);
}

/** Whether an identifier that ends at `end` may be a name; up to two digits may be behind it. */
export function mayEndName(text: string, end: number): boolean {
  let last = end;
  while (last > 0 && end - last < 2 && isDigitCode(text.charCodeAt(last - 1))) last -= 1;
  const code = text.charCodeAt(last - 1);
  return (
    code > 127 ||
    code === 95 ||
    code === 45 ||
    NAME_LAST[lastTwo(text, last)] === 1 ||
    (last < end && NAME_LAST[lastTwo(text, end)] === 1)
  );
}

const COMMAND_WORDS: ReadonlySet<string> = new Set(
  'net echo bundle oathtool app application recovery backup scratch schtasks cmdkey xfreerdp wfreerdp mstsc runas sp_addlogin identified kty pass sonar verification code one-time otp mfa 2fa totp authenticator snmp-server vault ssha sha smd5 crypt aad3b435b51404eeaad3b435b51404ee recovery-codes backup-codes recovery_codes backup_codes app-password'.split(
    ' ',
  ),
);

/** Whether a word is one that command lines, or sentences with a code, have. */
export function isCommandWord(text: string, start: number, end: number): boolean {
  if (end - start > 32) return false;
  const word = text.slice(start, end).toLowerCase();
  if (word !== 'code') return COMMAND_WORDS.has(word);
  return (
    /^ (?:is|was)/.test(text.slice(end, end + 4)) ||
    /your\W/.test(text.slice(Math.max(0, start - 24), start))
  );
}

export const WORD_TRIGGERS = new Uint8Array(32768);
/** Those of `commands.ts` that are looked for over a whole text. */
for (const letters of 'net ech bun oat app rec bac scr sch cmd xfr wfr mst run sp_ ide kty pas son log ver one otp mfa 2fa aut cod snm vau ssh sha smd cry aad'.split(
  ' ',
)) {
  const at = beginning(letters, 0);
  WORD_TRIGGERS[at] = WORD_TRIGGERS[at]! | TRIGGER.command;
}
for (const [letters, trigger] of Object.entries(BEGINNINGS)) {
  const at = beginning(letters, 0);
  WORD_TRIGGERS[at] = WORD_TRIGGERS[at]! | trigger;
}
for (let third = 0; third < 32; third++) {
  for (const letters of ['cl ', 'kl ']) {
    const short = (beginning(letters, 0) & ~31) | third;
    WORD_TRIGGERS[short] = WORD_TRIGGERS[short]! | TRIGGER.topic;
  }
  const at = (beginning('pw ', 0) & ~31) | third;
  WORD_TRIGGERS[at] = WORD_TRIGGERS[at]! | TRIGGER.said;
}
