/**
 * Words that give an obfuscated spelling away: what instructions, secrets and tools are called. A
 * leet or spaced-out word counts only when it spells one of these, because without a list `k8s`,
 * `i18n`, `sha256` and a table's column heads look the same as `1gn0r3` and `i g n o r e`.
 */
const WORDS = `
about above access account accounts action actions activate administrator admin after agent agents
allow allowed always answer anything apikey approve approved assistant attack authorization
background backdoor badge before behave below bypass bypassing cancel cannot certificate change
character characters chat check clear client clipboard code codes comment comments command commands
commit complete completely config configuration confidential confirm connect consider constraint
constraints contact content contents context conversation convert cookie cookies copy create
credential credentials credit database data decode decrypt default delete deploy describe destroy
developer device direct directive directives directly directory disable disclose disregard document
documents download drop earlier email emails enable encode encrypt engineer ensure enter environment
error every everything exact exactly execute exfiltrate exploit export expose external fetch file
files filter filters first folder follow following forget format forward freely from full function
give given grant guard guardrail guardrails guideline guidelines hack hacker hacking harmful hello
hidden hide history home host human identity ignore ignored ignoring image immediately import
important include inject injection input inside insert install instead instruction instructions
internal jailbreak keep kernel kill know launch leak limit limits link links list literally local
login logs malicious malware manual master memory message messages mode model modify money must
name names never network nothing notice number object obey only open operator order original other
output override overwrite owner pass passcode passphrase password passwords paste paypal payload
perform permission permissions permit please policy policies post pretend previous print prior
private privilege privileges process profile prompt prompts protect protected protocol public purge
push query question read real rebuild record records redirect refuse release remove repeat replace
reply report repository request reset respond response restart restrict restriction restrictions
restricted return reveal root rule rules safe safety schedule scope screen script scripts search
secret secrets secure security select send sensitive server service session settings share shell
should show shutdown silent silently simulate skip software source special start statement steal
stop store string strictly submit sudo super support system systems tables target task tasks tell
terminal test text their them then these this those through ticket token tokens tool tools total
transfer trust trusted unlimited unlock unrestricted update upload user username users value verify
version view virus visit wallet warning webhook website what when where which will with without word
words work write wire your yourself
`;

const SHORT = `a all an and any are as at be but by can do for get go has he her him his how if in is
it its key let me my new no not now of off on one or our out run say see set she so the to too two
up us use was we who why you`;

/** Small letters with l and i as one, since 1 and ! stand for both. */
export function spellingKey(word: string): string {
  return word.replaceAll('l', 'i');
}

const byKey = new Map<string, string>();
for (const word of WORDS.trim().split(/\s+/)) byKey.set(spellingKey(word), word);
const shortByKey = new Map<string, string>();
for (const word of SHORT.split(/\s+/)) if (word.length > 1) shortByKey.set(spellingKey(word), word);

export const WORD_LENGTH_MIN = 4;
export const WORD_LENGTH_MAX = 16;

/** The listed word that this spelling key reads as. */
export function wordOf(key: string): string | undefined {
  return byKey.get(key);
}

/** Like `wordOf`, with the short words that hold sentences together. */
export function anyWordOf(key: string): string | undefined {
  return byKey.get(key) ?? shortByKey.get(key);
}

/** Whether plain small letters spell a listed word. */
export function isListed(word: string): boolean {
  return byKey.get(spellingKey(word)) === word;
}
