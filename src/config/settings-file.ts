/** Which files `hone init` looks into for settings of agents, by their names alone. */
import { NOT_RUN_FOLDERS } from './detect-rules.ts';

export interface SettingsFile {
  readonly folder: string;
  readonly name: string;
}

/** `hone.yaml` is Hone's own, and a schema describes agents without being one. */
export function mayBeSettings({ folder, name }: SettingsFile): boolean {
  if (!/\.(?:ya?ml|json|toml)$/i.test(name) || /\.schema\.json$|lock/i.test(name)) return false;
  if (folder === '' && name === 'hone.yaml') return false;
  const steps = folder === '' ? [] : folder.split('/');
  return !steps.some((step) => step.startsWith('.') || NOT_RUN_FOLDERS.has(step.toLowerCase()));
}
