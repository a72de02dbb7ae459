/**
 * What keeps `hone up` running: a unit for systemd, or a property list for launchd, of the user who runs it.
 * No secret goes in: what a store's URL or a webhook takes from the environment is named by the person, in
 * a file that only they can read.
 */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';

export type ServiceManager = 'systemd' | 'launchd';

export interface ServiceFacts {
  /** The repository's root. */
  readonly root: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export type ServiceUnit =
  | {
      readonly ok: true;
      /** Where its manager looks for it. */
      readonly path: string;
      readonly text: string;
      readonly start: readonly string[];
    }
  | { readonly ok: false; readonly why: string };

export function serviceUnit(manager: ServiceManager, facts: ServiceFacts): ServiceUnit {
  const values = [facts.root, ...facts.command, ...Object.values(facts.environment)];
  // A unit is read line by line: such a value would become a line of its own.
  if (values.some((value) => /\p{Cc}/u.test(value ?? '')))
    return {
      ok: false,
      why: 'A path or an environment variable has a control character. Rename it, or unset it, then try again.',
    };
  const name = nameOf(facts.root);
  return manager === 'systemd' ? systemd(name, facts) : launchd(name, facts);
}

/** One for each repository: its folder's name, and enough of its path to tell two of one name apart. */
function nameOf(root: string): string {
  const word = basename(root).replaceAll(/[^A-Za-z0-9_-]/g, '-') || 'repository';
  return `hone-${word}-${createHash('sha256').update(root).digest('hex').slice(0, 8)}`;
}

function systemd(name: string, { root, command, environment }: ServiceFacts): ServiceUnit {
  const variables = Object.entries(environment).map(
    ([key, value]) => `Environment=${systemdQuoted(`${key}=${value}`)}\n`,
  );
  return {
    ok: true,
    path: `~/.config/systemd/user/${name}.service`,
    text: `[Unit]
Description=Hone for ${root.replaceAll('%', '%%')}
After=network.target

[Service]
WorkingDirectory=${root.replaceAll('%', '%%')}
ExecStart=${command.map(systemdArgument).join(' ')}
${variables.join('')}# Secrets that hone.yaml names: one NAME=value a line, readable by you alone (chmod 600).
EnvironmentFile=-%h/.config/hone/environment
Restart=on-failure
RestartSec=5
# Exit codes 2 and 3 are configuration and schema: starting again does not help.
RestartPreventExitStatus=2 3
NoNewPrivileges=yes

[Install]
WantedBy=default.target
`,
    start: [
      'systemctl --user daemon-reload',
      `systemctl --user enable --now ${name}.service`,
      'loginctl enable-linger   # so that it runs while you are logged out',
    ],
  };
}

/** `%` names a specifier there; in quotes only `"` and the backslash end or escape. */
function systemdQuoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&').replaceAll('%', '%%')}"`;
}

/** In a command `$` names a variable too; `$$` is the sign itself. */
function systemdArgument(text: string): string {
  return systemdQuoted(text).replaceAll('$', () => '$$');
}

function launchd(name: string, { root, command, environment }: ServiceFacts): ServiceUnit {
  const label = `local.${name}`;
  const string = (text: string) => `<string>${xml(text)}</string>`;
  const variables = Object.entries(environment).map(
    ([key, value]) => `    <key>${xml(key)}</key>\n    ${string(value ?? '')}\n`,
  );
  return {
    ok: true,
    path: `~/Library/LaunchAgents/${label}.plist`,
    text: `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  ${string(label)}
  <key>WorkingDirectory</key>
  ${string(root)}
  <key>ProgramArguments</key>
  <array>
${command.map((word) => `    ${string(word)}\n`).join('')}  </array>
  <key>EnvironmentVariables</key>
  <dict>
${variables.join('')}  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>10</integer>
</dict>
</plist>
`,
    start: [`launchctl bootstrap gui/$(id -u) ~/Library/LaunchAgents/${label}.plist`],
  };
}

function xml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
