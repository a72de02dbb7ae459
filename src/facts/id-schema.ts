/** Ids that Hone made, of what an entry or a content speaks of; a field that holds one is called `…Id`. */
import { z } from 'zod';

/** One word, so that nobody's sentence fits in. */
export const idSchema = z.string().regex(/^[^\s\p{Cc}\p{Cs}]{1,200}$/u);
