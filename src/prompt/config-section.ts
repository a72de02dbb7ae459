/** What this room contributes to `hone.yaml`. */
import { z } from 'zod';
import { field, section } from '../config/index.ts';

const PLAIN_PATH = /^(?!\/)(?!.*(?:^|\/)\.\.?(?:\/|$))[^\s\0]{1,200}$/;

export const promptSection = section('prompt', 'What agents at work are told.', {
  files: field(z.array(z.string().regex(PLAIN_PATH)).max(50), ['AGENTS.md', 'CLAUDE.md'], {
    weakens: 'removal',
    comment: 'Instruction files that must not change unnoticed while a task runs.',
  }),
});
