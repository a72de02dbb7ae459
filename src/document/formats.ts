/** Every format. A file's extension says which one it has. */
import { CODE_FORMATS } from './formats/code/code.ts';
import { json, jsonc } from './formats/json/json.ts';
import { lines } from './formats/lines/lines.ts';
import { markdown } from './formats/markdown/markdown.ts';
import { toml } from './formats/toml/toml.ts';
import { yaml } from './formats/yaml/yaml.ts';
import type { Format } from './types.ts';

export const FORMATS: readonly Format[] = [
  yaml,
  json,
  jsonc,
  toml,
  lines,
  markdown,
  ...CODE_FORMATS,
];

/** Undefined for a file that none of them reads. A name that is an ending alone, such as `.env`, has none. */
export function formatOf(path: string): Format | undefined {
  const extension = /[^/]\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return FORMATS.find(({ extensions }) => extensions.includes(extension));
}
