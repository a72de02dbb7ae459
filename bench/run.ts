import { main } from '../tools/measure.ts';

await main('bench', new URL('./', import.meta.url));
