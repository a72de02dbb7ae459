/**
 * Properties are tried with the same cases in every run, so that a red run is about the change at hand.
 * `HONE_SEED=<a number>` tries others; what they find becomes a case of its own.
 */
import fc from 'fast-check';

const seed = Number(process.env['HONE_SEED'] ?? 1);
if (!Number.isSafeInteger(seed))
  throw new Error('HONE_SEED is not a whole number: set one, such as 7.');

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
