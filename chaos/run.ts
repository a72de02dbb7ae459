import { main } from '../tools/measure.ts';

await main('chaos', new URL('./', import.meta.url));
