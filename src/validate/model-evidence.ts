/** What a run asked of a model, as part of its report. */
import type { Json } from '../base/index.ts';
import type { ModelRecord } from '../model/index.ts';

export function shownModel(model: ModelRecord | undefined): { readonly model?: Json } {
  return model === undefined ? {} : { model: model as unknown as Json };
}
