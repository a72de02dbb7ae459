/** What `hone.yaml` says about proposing. */
import { z } from 'zod';
import { field, section } from '../config/index.ts';

/** Git drops such characters from the ends of names; the commit would name a different author. */
const name = () =>
  z
    .string()
    .min(1)
    .max(100)
    .superRefine((text, context) => {
      if (!/[<>\p{Cc}]|^[\s.,:;"\\']|[\s.,:;"\\']$/u.test(text)) return;
      const why = 'Leave out angle brackets, and spaces or punctuation at the ends.';
      context.addIssue({ code: 'custom', params: { problem: 'bad_form', why } });
    });

export const proposeSection = section(
  'propose',
  'What is proposed, and how changes are written down.',
  {
    authorName: field(name(), 'Hone', {
      weakens: 'any',
      comment: 'The author of the commits that Hone makes.',
    }),
    authorEmail: field(name(), 'hone@localhost', {
      weakens: 'any',
      comment: 'The e-mail address of that author.',
    }),
    trials: field(z.boolean(), false, {
      weakens: { when: 'on', isWeaker: (before, after) => !before && after },
      comment: 'Whether a longer limit may be tried to see if calls are long or hang.',
    }),
  },
);
