/** The reading of such values is shared with other rooms (`report/`). */
export {
  DURATION_UNITS,
  type DurationUnit,
  durationAt,
  durationIn,
  durationWithUnit,
  unitInKey,
} from '../../report/index.ts';
