/** The schemas of the shared nouns. */
export { actorSchema } from './actor-schema.ts';
export { attestationScopes } from './attestation-schema.ts';
export { digestSchema } from './digest-schema.ts';
export { entryPayloads, entrySchema } from './entry-schema.ts';
export { idSchema } from './id-schema.ts';
export { patternSchema } from './pattern-schema.ts';
export { proposalContentSchema, targetSchema } from './proposal-schema.ts';
export { signsSchema } from './signs-schema.ts';
