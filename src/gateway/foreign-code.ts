/**
 * Whether the environment had other code loaded into this process before Hone's own. Such code can do as it likes, and hide
 * itself: finding it here stops whoever only sets a variable. Hooks are started without these variables, which stops the
 * others too (`app/hook-command.ts`).
 */

/** Options of Node that load nothing and change no code; any other one is taken for one that does. */
const HARMLESS =
  /^--(?:max-(?:old-space|semi-space|http-header)-size|stack-trace-limit|dns-result-order|disable-warning)=[\w.:-]+$|^--(?:no-)?(?:warnings|deprecation|trace-warnings|enable-source-maps|use-system-ca)$/;
/** The loader of the operating system puts these into every program. */
const PRELOADED = ['LD_PRELOAD', 'LD_AUDIT', 'DYLD_INSERT_LIBRARIES'] as const;

/** The variable that does it; undefined where none does. */
export function foreignCode(
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const options = (environment['NODE_OPTIONS'] ?? '').split(/\s+/).filter((one) => one !== '');
  if (options.some((one) => !HARMLESS.test(one))) return 'NODE_OPTIONS';
  return PRELOADED.find((name) => (environment[name] ?? '') !== '');
}
