export {
  type Attested,
  type Drift,
  digestsOf,
  driftOf,
  type InstructionFiles,
  planAttest,
  readAttested,
} from './attestation.ts';
export { type CompiledPrompt, compilePrompt, type NamedText, type PromptParts } from './compile.ts';
export type { Persona } from './config-section.ts';
