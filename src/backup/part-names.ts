/** Files of an installation, in the order they are copied and put back. Apart, because every command looks at them. */
export const DATABASES = ['control.db', 'telemetry.db'] as const;
export const FILES = ['accepted.json', 'ledger.key'] as const;
