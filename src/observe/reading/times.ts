/** The reading of such values is shared with other rooms (`report/`). */
export {
  atZone,
  clockAt,
  dateTimeAt,
  epochMs,
  type FoundTime,
  type TimeUnit,
  timeIn,
  timeOf,
  withDay,
  withYear,
  type YearlessTime,
  yearlessAt,
} from '../../report/index.ts';
