/**
 * What opens GitHub: a bot's token, from an environment variable, or a GitHub App, whose private key is a file and whose
 * installation tokens live an hour. Neither is ever written, logged or part of an error. Only an app makes check runs,
 * so only with one do reviews count as decisions.
 */
import { createSign } from 'node:crypto';
import { z } from 'zod';
import { DeployError } from '../../errors.ts';
import { type ApiPorts, ask } from './api.ts';

/** The section's keys; 0 and an empty text mean: not given. */
export interface AccessSettings {
  /** `env:` and the name of the variable that holds it. */
  readonly token: string;
  readonly appId: number;
  readonly installationId: number;
  readonly keyFile: string;
}

/** What there is beside the settings. One for a process, so that tokens are made once an hour. */
export interface AccessWorld {
  readonly secret: (variable: string) => string | undefined;
  readonly readFile: (path: string) => Promise<string>;
  readonly tokens: Map<string, { readonly token: string; readonly untilMs: number }>;
}

export interface Access {
  /** Undefined for a bot's token. */
  readonly appId: number | undefined;
  token(): Promise<string>;
}

/** An app's own proof lives ten minutes at most; clocks differ. */
const PROOF_S = 540;
const CLOCK_SLACK_S = 60;
/** A token that is about to end is not begun with. */
const RENEW_BEFORE_MS = 5 * 60_000;

/** What Hone does there, and nothing else: no workflows, no administration. */
const PERMISSIONS = {
  checks: 'write',
  contents: 'write',
  issues: 'write',
  metadata: 'read',
  pull_requests: 'write',
} as const;

const madeSchema = z.object({ token: z.string().min(1).max(1000), expires_at: z.iso.datetime() });

export function openAccess(
  settings: AccessSettings,
  repository: { readonly name: string },
  { world, api }: { readonly world: AccessWorld; readonly api: ApiPorts },
): Access {
  const { appId, installationId, keyFile } = settings;
  if (appId === 0)
    return {
      appId: undefined,
      token: async () => botToken(settings.token.replace(/^env:/, ''), world),
    };
  return {
    appId,
    async token() {
      const key = `${api.address} ${appId} ${installationId} ${repository.name}`;
      const kept = world.tokens.get(key);
      if (kept !== undefined && kept.untilMs - RENEW_BEFORE_MS > api.clock.nowMs())
        return kept.token;
      const made = await ask(
        {
          method: 'POST',
          path: ['app', 'installations', installationId, 'access_tokens'],
          body: { repositories: [repository.name], permissions: PERMISSIONS },
          token: appProof(appId, await pem(keyFile, world), api.clock.nowMs()),
          answer: madeSchema,
        },
        api,
      );
      world.tokens.set(key, { token: made.token, untilMs: Date.parse(made.expires_at) });
      return made.token;
    },
  };
}

function botToken(variable: string, { secret }: AccessWorld): string {
  const token = secret(variable)?.trim() ?? '';
  if (/^[\x21-\x7e]{1,1000}$/.test(token)) return token;
  throw new DeployError('no_access', `The environment variable ${variable} holds no token.`, {
    hint: 'Put the token of a bot there, or name a GitHub App by deploy.github.appId.',
  });
}

async function pem(path: string, { readFile }: AccessWorld): Promise<string> {
  try {
    return await readFile(path);
  } catch {
    throw new DeployError('no_access', 'The private key of the GitHub App cannot be read.', {
      hint: 'Name its file in deploy.github.keyFile, readable by the user that Hone runs as.',
    });
  }
}

/** A JSON Web Token signed with RS256 (RFC 7519, RFC 7518), as GitHub asks of apps. */
export function appProof(appId: number, key: string, nowMs: number): string {
  const nowS = Math.floor(nowMs / 1000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { iat: nowS - CLOCK_SLACK_S, exp: nowS + PROOF_S, iss: String(appId) };
  const signed = `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}`;
  try {
    return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key, 'base64url')}`;
  } catch {
    // The cause may quote the key.
    throw new DeployError('no_access', 'The file in deploy.github.keyFile is not an RSA key.', {
      hint: 'Use the .pem file that GitHub gave for the app.',
    });
  }
}
