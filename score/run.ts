import { main } from '../tools/measure.ts';

await main('score', new URL('./', import.meta.url));
