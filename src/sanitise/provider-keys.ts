/**
 * Keys whose issuers gave them a form of their own, so that they are recognised anywhere. Forms are
 * those the issuers document; lengths are lower bounds, because issuers lengthen their keys.
 */
import { BEGINS, hasAllKinds, inOrder } from './shapes.ts';
import type { Edit, Rule } from './types.ts';

/** Forms that no word has. */
const DISTINCT = [
  'gh[pousr]_[A-Za-z0-9]{20,}',
  'github_pat_[A-Za-z0-9_]{20,}',
  'gl(?:pat|dt|rt|ptt|ft|cbt|imt|soat|agent|oas|ffct|wt)-[A-Za-z0-9_-]{16,}(?:\\.[0-9a-z.]{2,14})?',
  'GR1348941[A-Za-z0-9_-]{16,}',
  'xox[a-z]-[A-Za-z0-9-]{10,}',
  'xapp-[A-Za-z0-9-]{16,}',
  'hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_-]{16,}',
  'discord(?:app)?\\.com/api/(?:v\\d+/)?webhooks/\\d{8,}/[A-Za-z0-9_-]{16,}',
  'AIza[A-Za-z0-9_-]{30,}',
  'ya29\\.[A-Za-z0-9_-]{20,}',
  'GOCSPX-[A-Za-z0-9_-]{20,}',
  'dckr_[po]at_[A-Za-z0-9_-]{20,}',
  'do[opr]_v1_[a-f0-9]{32,}',
  'lin_(?:api|oauth)_[A-Za-z0-9]{20,}',
  'shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{20,}',
  'AGE-SECRET-KEY-1[A-Z0-9]{40,}',
  '(?:sk|rk|pk)_(?:live|test|prod)_[A-Za-z0-9]{16,}',
  'whsec_[A-Za-z0-9+/=]{16,}',
  'lsv2_(?:pt|sk)_[a-f0-9]{20,}(?:_[a-f0-9]{4,})?',
  'pcsk_[A-Za-z0-9_]{30,}',
  'nvapi-[A-Za-z0-9_-]{30,}',
  'glsa_[A-Za-z0-9]{20,}(?:_[a-f0-9]{8})?',
  'glc_[A-Za-z0-9+/]{32,}={0,2}',
  'NR(?:AK|JS|II|RA)-[A-Za-z0-9]{18,}',
  'sntry[su]_[A-Za-z0-9+/=_-]{32,}',
  'ph[cxs]_[A-Za-z0-9]{32,}',
  'figd_[A-Za-z0-9_-]{20,}',
  'PMAK-[a-f0-9]{20,}-[a-f0-9]{20,}',
  'AT[AC]TT3[A-Za-z0-9_=-]{32,}',
  'sbp_[a-f0-9]{32,}',
  'sb_secret_[A-Za-z0-9_-]{20,}',
  'rubygems_[a-f0-9]{32,}',
  'xkeysib-[a-f0-9]{32,}-[A-Za-z0-9]{8,}',
  'dt0[a-z]\\d\\d\\.[A-Z0-9]{20,}\\.[A-Z0-9]{40,}',
  'pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{20,}',
  '\\.atlasv1\\.[A-Za-z0-9_=-]{40,}',
  'CFPAT-[A-Za-z0-9_-]{32,}',
  'HRKU-[A-Za-z0-9_-]{30,}',
  'EAACEdEose0cBA[A-Za-z0-9]{10,}',
  '(?<=\\d)Q~[A-Za-z0-9_.~-]{31,34}',
];
/** Forms that a longer word could end in. */
const AT_A_BEGINNING = [
  'sk-[A-Za-z0-9_-]{17,}',
  'pk-lf-[a-f0-9-]{32,}',
  'sk_[a-f0-9]{40,}',
  '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16,}',
  'npm_[A-Za-z0-9]{24,}',
  'pypi-[A-Za-z0-9_-]{32,}',
  'hone_[A-Za-z0-9_-]{24,}',
  '(?:hf|r8|bkua)_[A-Za-z0-9]{20,}',
  '(?:fw|pnu|nfp|rnd|ntn)_(?=[A-Za-z]{0,16}\\d)[A-Za-z0-9]{20,}',
  'secret_[A-Za-z0-9]{40,}',
  're_[A-Za-z0-9]{6,10}_[A-Za-z0-9]{20,}',
  '(?:gsk|csk)[_-][A-Za-z0-9]{20,}',
  '(?:xai|pplx|tvly|tskey)-[A-Za-z0-9-]{16,}',
  'sq0[a-z]{3}-[A-Za-z0-9_-]{20,}',
  'hv[sbr]\\.[A-Za-z0-9_-]{20,}',
  'SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,}',
  'dapi[a-f0-9]{32,}',
  'key-[a-f0-9]{32,}',
  'pul-[a-f0-9]{40,}',
  'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9._-]{30,}',
  'pat[A-Za-z0-9]{14}\\.[a-f0-9]{40,}',
  '(?:SK|AC)[a-f0-9]{32}(?![A-Za-z0-9])',
  '[a-f0-9]{32}-us\\d{1,2}(?![A-Za-z0-9])',
  'LTAI[A-Za-z0-9]{16,}',
  'AKID[A-Za-z0-9]{28,}',
  'AQVN[A-Za-z0-9_-]{32,}',
  'EAA[A-Za-z0-9]{80,}',
  '1//0[A-Za-z0-9_-]{30,}',
  'A3-[A-Z0-9]{6}-[A-Z0-9]{5,11}(?:-[A-Z0-9]{5}){2,5}',
  'oy2[a-z0-9]{43}',
  // A snowflake in base64 before the first dot: Discord's bots.
  '(?:M[DTjz]|N[DTjz]|O[DT])[A-Za-z0-9_-]{20,30}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,}',
  'mfa\\.[A-Za-z0-9_-]{60,}',
];
const API_KEY = new RegExp(`${DISTINCT.join('|')}|${BEGINS}(?:${AT_A_BEGINNING.join('|')})`, 'g');
/** No key is shorter, and most texts have no run as long: only in those it is looked for keys. */
const LONG_RUN = /(?<![A-Za-z0-9_.+/=~-])[A-Za-z0-9_.+/=~-]{15,}/g;
/** `sk-learn-like-classifiers`: a name after all. */
const NAME = /^[a-z_-]+$/;
/** As far as `BEGINS` looks back. */
const LOOKED_BACK = 6;
const MARK = '[REDACTED:API_KEY]';

export const apiKeys: Rule = (text) => {
  const edits: Edit[] = [];
  for (const { 0: run, index } of text.matchAll(LONG_RUN)) {
    const from = Math.max(0, index - LOOKED_BACK);
    const part = text.slice(from, index + run.length);
    for (const { 0: key, index: at } of part.matchAll(API_KEY)) {
      if (NAME.test(key)) continue;
      const start = from + at;
      edits.push({ kind: 'api_key', start, end: start + key.length, mark: MARK });
    }
  }
  return edits;
};

/** Telegram's bots and Firebase's servers: a number or a short name, a colon, and the secret. */
const BOT = /(?<![A-Za-z0-9_:-])(?:bot)?\d{6,12}:([A-Za-z0-9_-]{33,45})(?![A-Za-z0-9_-])/g;
const SERVER = /(?<![A-Za-z0-9_:-])AAAA[A-Za-z0-9_-]{7}:[A-Za-z0-9_-]{120,}/g;

/** A time or a count before a colon is followed by words; a bot's number by chance. */
export const botTokens: Rule = (text) => {
  const edits: Edit[] = [];
  if (!text.includes(':')) return edits;
  for (const { 0: found, 1: secret, index } of [...text.matchAll(BOT), ...text.matchAll(SERVER)]) {
    if (secret !== undefined && !secret.startsWith('AA') && !hasAllKinds(secret)) continue;
    edits.push({ kind: 'api_key', start: index, end: index + found.length, mark: MARK });
  }
  return inOrder(edits);
};
