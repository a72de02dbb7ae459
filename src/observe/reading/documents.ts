/** The reading of such values is shared with other rooms (`report/`). */
export { valuesOf } from '../../report/index.ts';
