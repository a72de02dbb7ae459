/** The reading of such values is shared with other rooms (`report/`). */
export {
  DURATION_UNITS,
  durationAt,
  durationIn,
  durationWithUnit,
  unitInKey,
} from '../../report/index.ts';
