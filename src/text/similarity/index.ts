export { compareReadings, similarity } from './compare.ts';
export { type Neighbour, NeighbourIndex, type SavedNeighbours } from './neighbour-index.ts';
export { type Reading, readFailure } from './read.ts';
export { type Comparison, type Component, type Failure, type Reason, SAME_FROM } from './types.ts';
