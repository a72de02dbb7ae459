/** Ids made by Hone that an entry or a content refers to; a field that holds one is called `…Id`. */
import { z } from 'zod';

/** One word, so that no sentence fits in. */
export const idSchema = z.string().regex(/^[^\s\p{Cc}\p{Cs}]{1,200}$/u);
