/** The actions on an approved change (DEP-7). */
import { z } from 'zod';
import { idInput, type Wire } from './shapes.ts';

const branch = z.string().min(1).max(300).describe('hone/proposal-<id>');

export const writePatchInput = z.strictObject({
  proposal_id: idInput,
  base_commit: z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/),
  /** The unified diff that was decided, to the byte. */
  patch_content: z.string().min(1).max(1_000_000),
});
export const validateBranchInput = z.strictObject({ branch });
export const openPrInput = z.strictObject({ branch, proposal_id: idInput });

export const deliveredJson = z.strictObject({
  proposal: z.string(),
  branch: z.string(),
  commit: z.string(),
  /** Where its pull request is; null where none was asked for. */
  url: z.string().nullable(),
});

export type WritePatchInput = Wire<typeof writePatchInput>;
export type ValidateBranchInput = Wire<typeof validateBranchInput>;
export type OpenPrInput = Wire<typeof openPrInput>;
export type DeliveredAction = Wire<typeof deliveredJson>;
