/** The reading of such values is shared with other rooms (`report/`). */
export {
  atZone,
  clockAt,
  dateTimeAt,
  epochMs,
  type TimeUnit,
  timeIn,
  timeOf,
  withDay,
  withYear,
  yearlessAt,
} from '../../report/index.ts';
