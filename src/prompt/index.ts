export {
  type Attested,
  type Drift,
  digestsOf,
  driftOf,
  type InstructionFiles,
  planAttest,
  readAttested,
} from './attestation.ts';
