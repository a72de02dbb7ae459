/** The reading of such values is shared with other rooms (`report/`). */
export { type DocumentValues, valuesOf } from '../../report/index.ts';
