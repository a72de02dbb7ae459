export { type Accepted, readAccepted, writeAccepted } from './accepted.ts';
export { closeToOthers } from './close-to-others.ts';
export { HomeError, type HomeErrorCode } from './errors.ts';
export { findHome, type Home, type Surroundings } from './home.ts';
export { dropKey, hasKey, newOrigin, readKey, readOrMakeKey } from './key-file.ts';
export { type WriteBytes, whatIsInTheWay, writeNewFile } from './new-file.ts';
export {
  isOpenToOthers,
  makePrivateFolder,
  readPrivateFile,
  syncFolder,
  writePrivateFile,
  writeWholeFile,
} from './private-file.ts';
export { stopFileExists } from './stop-file.ts';
export { splitNotes, witnessFile } from './witness-file.ts';
